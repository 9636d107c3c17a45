import type { TransferKind } from '@drawhouse/contract/credit';
import type { Queryable } from '../db/database.ts';
import { uuid7Floor } from '../db/uuid7.ts';
import type { WalletKind } from './wallets.ts';

/** One transfer as one of its two wallets sees it. Amounts in hundredths. */
export interface Movement {
  readonly id: string;
  readonly kind: TransferKind;
  /** Above zero into the wallet, below zero out of it. */
  readonly amount: bigint;
  /** The wallet's balance after it. */
  readonly balance: bigint;
  /** Whose wallet the other one is. */
  readonly otherOwner: string;
  readonly otherKind: WalletKind;
  /** The row id of the game, where the other wallet is the table or the escrow of one. */
  readonly otherGame: string | null;
  readonly actorId: string | null;
  readonly reference: string | null;
  readonly note: string | null;
}

/** A wallet of one network. */
export interface WalletOf {
  readonly networkId: string;
  readonly walletId: string;
}

/** The instants [from, to] as the ids that lie in them. */
export interface IdRange {
  /** The least id of the range. */
  readonly from: string;
  /** The least id past the range. */
  readonly past: string;
}

/** The transfers made in the instants [from, to], to the millisecond, by their ids. */
export function idRangeOf(from: Date, to: Date): IdRange {
  return { from: uuid7Floor(from), past: uuid7Floor(new Date(to.getTime() + 1)) };
}

const MOVEMENT = `t.id, t.kind, t.actor_id as "actorId", t.reference, t.note`;

/** The movements of a wallet ($1 network, $2 wallet) with ids in [$3, $4), at most $5, from one end of them. */
function movementsFrom(direction: 'asc' | 'desc'): string {
  const side = (own: 'debit' | 'credit', other: 'debit' | 'credit', sign: '-' | '+'): string =>
    `(select ${MOVEMENT}, ${sign}t.amount as amount, t.${own}_balance as balance, t.${other}_wallet as other
      from transfers t where t.network_id = $1 and t.${own}_wallet = $2 and t.id >= $3 and t.id < $4
      order by t.id ${direction} limit $5)`;
  return `select m.id, m.kind, m.amount, m.balance, w.owner_id as "otherOwner", w.kind as "otherKind", w.game_id as "otherGame",
                 m."actorId", m.reference, m.note
          from (${side('debit', 'credit', '-')} union all ${side('credit', 'debit', '+')}) m
          join wallets w on w.network_id = $1 and w.id = m.other
          order by m.id ${direction} limit $5`;
}

/** Up to `limit` movements of a wallet in a range of ids: the oldest of them first with `asc`, the newest first with `desc`. */
export function readMovements(
  on: Queryable,
  { networkId, walletId }: WalletOf,
  { from, past }: IdRange,
  direction: 'asc' | 'desc',
  limit: number,
): Promise<Movement[]> {
  return on.query<Movement>(
    movementsFrom(direction),
    [networkId, walletId, from, past, limit],
    `statement-${direction}`,
  );
}

/** The least of all ids: what a wallet's history begins above. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The balance of a wallet before a transfer's id, in hundredths: after its last movement below that id, 0 without one. */
export async function balanceBefore(on: Queryable, wallet: WalletOf, id: string): Promise<bigint> {
  const [last] = await readMovements(on, wallet, { from: FIRST_ID, past: id }, 'desc', 1);
  return last?.balance ?? 0n;
}

/** How often and how much went into and out of a wallet in a range of ids. */
export async function sumMovements(
  on: Queryable,
  { networkId, walletId }: WalletOf,
  { from, past }: IdRange,
): Promise<{ into: bigint; outOf: bigint; count: number }> {
  const side = (own: 'debit' | 'credit'): string =>
    `(select coalesce(sum(amount), 0)::bigint as amount, count(*) as n from transfers
      where network_id = $1 and ${own}_wallet = $2 and id >= $3 and id < $4) as ${own}`;
  const [row] = await on.query<{ into: bigint; outOf: bigint; n: bigint }>(
    `select credit.amount as "into", debit.amount as "outOf", credit.n + debit.n as n from ${side('credit')}, ${side('debit')}`,
    [networkId, walletId, from, past],
    'statement-sums',
  );
  return { into: row!.into, outOf: row!.outOf, count: Number(row!.n) };
}
