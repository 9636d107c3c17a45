import { arrayOf } from '../db/array-of.ts';
import type { Tx } from '../db/database.ts';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import { tellMoved } from './post.ts';
import type { LockedWallet, Stamp } from './post.ts';

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
    `select id, owner_id, balance, version, staked, protection from wallets
     where network_id = $1 and owner_id = any($2::uuid[]) and kind = ${WALLET_KINDS.credit}
     order by id for update ${whereLocked === 'skip' ? 'skip locked' : ''}`,
    [networkId, arrayOf(accountIds)],
    `stakes-lock-${whereLocked}`,
  );
  return new Map(rows.map(({ owner_id, ...wallet }) => [owner_id, { ...wallet, kind: 'credit' as const }]));
}

/** Locks the escrow of a game: until the transaction ends nobody else stakes on it. */
export async function lockEscrow(tx: Tx, networkId: number, gameId: string): Promise<void> {
  await tx.query(
    `select from wallets where network_id = $1 and owner_id = $2 and kind = ${WALLET_KINDS.escrow} for update`,
    [networkId, gameId],
    'stakes-escrow',
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
  const touched = new Set<LockedCredit>();
  let total = 0n;
  const rows = stakes.map(({ accountId, amount }) => {
    const wallet = wallets.get(accountId)!;
    wallet.balance -= amount;
    wallet.staked = ++wallet.version;
    touched.add(wallet);
    total += amount;
    return { wallet: wallet.id, balance: wallet.balance, version: wallet.version, total };
  });
  const changed = [...touched];
  await tx.send(
    `with escrow as (
       update wallets set balance = balance + $6::bigint, version = version + $7::int
       where network_id = $1 and owner_id = $3 and kind = ${WALLET_KINDS.escrow} and balance + $6::bigint <= coalesce($17::bigint, balance + $6::bigint)
       returning id, balance - $6::bigint as balance, version - $7::int as version
     ), changed as (
       update wallets w set balance = new.balance, version = new.version, staked = new.version
       from unnest($4::int[], $5::bigint[], $8::bigint[]) as new (id, balance, version)
       where w.network_id = $1 and w.id = new.id
     )
     insert into transfers (network_id, at, id, from_wallet, to_wallet, from_balance, to_balance, from_version, to_version, amount,
                            kind, actor_id, reference, note)
     select $1, $2::timestamptz, s.id, s.wallet, escrow.id, s.balance, escrow.balance + s.total, s.version, escrow.version + s.nth,
            s.amount, ${TRANSFER_KINDS.stake}, s.actor, s.reference, ''
     from unnest($9::uuid[], $10::int[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::uuid[], $16::uuid[])
       with ordinality as s (id, wallet, balance, version, total, amount, actor, reference, nth)
     left join escrow on true`,
    [
      networkId,
      stamp.at,
      gameId,
      arrayOf(changed.map(({ id }) => id)),
      arrayOf(changed.map(({ balance }) => balance)),
      total,
      stakes.length,
      arrayOf(changed.map(({ version }) => version)),
      arrayOf(stakes.map(() => stamp.newId())),
      arrayOf(rows.map(({ wallet }) => wallet)),
      arrayOf(rows.map(({ balance }) => balance)),
      arrayOf(rows.map(({ version }) => version)),
      arrayOf(rows.map((row) => row.total)),
      arrayOf(stakes.map(({ amount }) => amount)),
      arrayOf(stakes.map(({ accountId }) => accountId)),
      arrayOf(stakes.map(({ reference }) => reference)),
      escrowAtMost ?? null,
    ],
    'stakes-move',
  );
  tellMoved(stamp, tx, networkId, () => [...new Set(stakes.map(({ accountId }) => accountId))]);
}
