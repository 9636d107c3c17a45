import { arrayOf, sql } from '../platform/db/sql/sql.ts';
import type { Tx } from '../platform/db/database.ts';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { notifyMoved } from './post.ts';
import { writeMovements, type LockedWallet, type Stamp } from './write-transfers.ts';

export interface Stake {
  readonly accountId: string;
  readonly amount: bigint;
  readonly reference: string;
}

export interface LockedCredit extends LockedWallet {
  readonly protection: number;
  /** Version after its last stake. */
  staked: bigint;
}

/** Locks by wallet number. Skips or awaits wallets locked elsewhere. */
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

/** Blocks other stakes on this game until commit. */
export async function lockEscrow(tx: Tx, networkId: number, gameId: string): Promise<void> {
  await tx.query(
    sql`select from wallets where network_id = ${networkId} and owner_id = ${gameId} and kind = ${sql.lit(WALLET_KINDS.escrow)}
      for update`.named('stakes-escrow'),
  );
}

/** `escrowAtMost`: limit including these stakes. */
interface StakesMoved {
  readonly gameId: string;
  readonly stakes: readonly Stake[];
  readonly escrowAtMost?: bigint | undefined;
}

/** Stakes exceeded the escrow limit, or the escrow is missing: PostgreSQL names the first null column of the table. */
export function isBeyondEscrow(error: unknown): boolean {
  const { code, table, column } = error as { code?: string; table?: string; column?: string };
  return code === '23502' && table === 'transfers' && column === 'to_balance';
}

/**
 * Moves stakes from locked wallets, in order. Locks the escrow only for this statement and the commit. Callers have
 * checked funds; fails the transaction on a shortfall, missing escrow or exceeded limit.
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
    return { from: wallets.get(accountId)!, to: escrow, amount, actorId: accountId, reference };
  });
  const countsOn = {
    wallet: sql`network_id = ${networkId}::int and owner_id = ${gameId}::uuid and kind = ${sql.lit(WALLET_KINDS.escrow)}`,
    kind: 'stake' as const,
    gets: stakes.reduce((sum, { amount }) => sum + amount, 0n),
    atMost: escrowAtMost,
  };
  const { statement } = writeMovements(networkId, stamp, { movements, countsOn });
  for (const { from } of movements) from.staked = from.version;
  await tx.send(statement.named('stakes-move'));
  notifyMoved(stamp, tx, networkId, () => [...new Set(stakes.map(({ accountId }) => accountId))]);
}
