import { arrayOf } from '../db/array-of.ts';
import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import { tellMoved } from './post.ts';
import { writeMovements } from './write-transfers.ts';
import type { LockedWallet, Stamp } from './write-transfers.ts';

/** A stake that a player pays, in hundredths. */
export interface Stake {
  readonly accountId: string;
  readonly amount: bigint;
  /** The ticket that it is paid for. */
  readonly reference: string;
}

/** The credit wallet of a player that is locked. */
export interface LockedCredit extends LockedWallet {
  /** How many changes of its player's protection there were; none of anybody who was never protected. */
  readonly protection: number;
  /** The version that its last stake left it at. */
  staked: bigint;
}

/**
 * Locks the credit wallets of players, in the order of their numbers, and gives them by account. One that is locked elsewhere is left
 * out, or waited for.
 */
export async function lockCredits(
  tx: Tx,
  networkId: number,
  accountIds: readonly string[],
  whereLocked: 'skip' | 'wait',
): Promise<Map<string, LockedCredit>> {
  const rows = await tx.query<Omit<LockedCredit, 'kind'> & { owner_id: string }>(
    sql`select id, owner_id, balance, version, staked, protection from wallets
     where network_id = ${networkId} and owner_id = any(${arrayOf(accountIds)}::uuid[]) and kind = ${sql.lit(WALLET_KINDS.credit)}
     order by id for update ${sql.raw(whereLocked === 'skip' ? 'skip locked' : '')}`.named(
      `stakes-lock-${whereLocked}`,
    ),
  );
  return new Map(rows.map(({ owner_id, ...wallet }) => [owner_id, { ...wallet, kind: 'credit' as const }]));
}

/** Locks the escrow of a game: until the transaction ends nobody else stakes on it. */
export async function lockEscrow(tx: Tx, networkId: number, gameId: string): Promise<void> {
  await tx.query(
    sql`select from wallets where network_id = ${networkId} and owner_id = ${gameId} and kind = ${sql.lit(WALLET_KINDS.escrow)} for update`.named(
      'stakes-escrow',
    ),
  );
}

/** Stakes on a game, and the most that its escrow may hold with them, in hundredths; undefined: any amount. */
interface StakesMoved {
  readonly gameId: string;
  readonly stakes: readonly Stake[];
  readonly escrowAtMost?: bigint | undefined;
}

/** True if stakes failed as the escrow would have held more than the most, or there is none. */
export function isBeyondEscrow(error: unknown): boolean {
  const { code, table, column } = error as { code?: string; table?: string; column?: string };
  return code === '23502' && table === 'transfers' && column === 'to_wallet';
}

/**
 * Moves stakes, in order, from the wallets that are locked into the escrow of their game, which is locked for this statement and the
 * commit alone: it counts on from what it then holds. The caller has seen that each wallet can pay; where one could not, there is no
 * such escrow, or it would hold more than the most, the transaction fails.
 */
export async function moveStakes(
  tx: Tx,
  networkId: number,
  stamp: Stamp,
  wallets: ReadonlyMap<string, LockedCredit>,
  { gameId, stakes, escrowAtMost }: StakesMoved,
): Promise<void> {
  const escrow: LockedWallet = { id: null, kind: 'escrow', balance: 0n, version: 0n };
  const movements = stakes.map(({ accountId, amount, reference }) => {
    return { from: wallets.get(accountId)!, to: escrow, amount, kind: 'stake', actorId: accountId, reference } as const;
  });
  const { statement } = writeMovements(networkId, stamp, movements, {
    wallet: sql`network_id = ${networkId}::int and owner_id = ${gameId}::uuid and kind = ${sql.lit(WALLET_KINDS.escrow)}`,
    gets: stakes.reduce((sum, { amount }) => sum + amount, 0n),
    atMost: escrowAtMost,
  });
  for (const { from } of movements) from.staked = from.version;
  await tx.send(statement.named('stakes-move'));
  tellMoved(stamp, tx, networkId, () => [...new Set(stakes.map(({ accountId }) => accountId))]);
}
