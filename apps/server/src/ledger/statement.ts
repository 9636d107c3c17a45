import type { TransferKind } from '@drawhouse/contract/credit';
import type { Queryable } from '../db/database.ts';
import { idBetween, uuid7Floor } from '../db/uuid7.ts';
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
  readonly at: Date;
}

/** A wallet of one network. */
export interface WalletOf {
  readonly networkId: string;
  readonly walletId: string;
}

/** A stretch of a wallet's history, by the ids of its transfers. */
export interface IdRange {
  /** The least id of the range. */
  readonly from: string;
  /** The least id past the range. */
  readonly past: string;
}

const MOVEMENT = `t.id, t.kind, t.actor_id as "actorId", t.reference, t.note, t.at`;

/** The movements of a wallet ($1 network, $2 wallet) with ids in [$3, $4), at most $5, from one end of them. */
function movementsFrom(direction: 'asc' | 'desc'): string {
  const side = (own: 'debit' | 'credit', other: 'debit' | 'credit', sign: '-' | '+'): string =>
    `(select ${MOVEMENT}, ${sign}t.amount as amount, t.${own}_balance as balance, t.${other}_wallet as other
      from transfers t where t.network_id = $1 and t.${own}_wallet = $2 and t.id >= $3 and t.id < $4
      order by t.id ${direction} limit $5)`;
  return `select m.id, m.kind, m.amount, m.balance, w.owner_id as "otherOwner", w.kind as "otherKind", w.game_id as "otherGame",
                 m."actorId", m.reference, m.note, m.at
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

const LEAST_ID = '00000000-0000-0000-0000-000000000000';
const GREATEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The balance of a wallet before a transfer's id, in hundredths: after its last movement below that id, 0 without one. */
export async function balanceBefore(on: Queryable, wallet: WalletOf, id: string): Promise<bigint> {
  return (await lastBelow(on, wallet, id))?.balance ?? 0n;
}

async function lastBelow(on: Queryable, wallet: WalletOf, id: string): Promise<Movement | undefined> {
  return (await readMovements(on, wallet, { from: LEAST_ID, past: id }, 'desc', 1))[0];
}

/** The stretch of a wallet's history that was made in the instants [from, to], to the millisecond. */
export async function historyBetween(on: Queryable, wallet: WalletOf, from: Date, to: Date): Promise<IdRange> {
  const since = await idSince(on, wallet, from);
  const past = await idSince(on, wallet, new Date(to.getTime() + 1));
  return { from: since, past: past < since ? since : past };
}

/**
 * Where the part of a wallet's history begins that was made at or after an instant. The order of a history is that of its ids, its
 * times are the clocks': nearly always the id of the instant is the place. After a clock was wrong it is not, and the place is
 * searched by halving: the end where the newest movement was made before, else one of the places where the times cross the
 * instant. Whatever the clocks did, the same instant always has the same place, so what one range closes with the next opens with.
 */
async function idSince(on: Queryable, wallet: WalletOf, at: Date): Promise<string> {
  const newest = await lastBelow(on, wallet, GREATEST_ID);
  if (!newest || newest.at < at) return GREATEST_ID;
  const guess = uuid7Floor(at);
  const before = await lastBelow(on, wallet, guess);
  const [after] = await readMovements(on, wallet, { from: guess, past: GREATEST_ID }, 'asc', 1);
  if ((!before || before.at < at) && after && after.at >= at) return guess;
  // The last movement below `low` was made before the instant, the last one below `high` was not.
  let [low, high] = [LEAST_ID, GREATEST_ID];
  for (let middle = idBetween(low, high); middle !== low; middle = idBetween(low, high)) {
    const last = await lastBelow(on, wallet, middle);
    if (last && last.at >= at) high = middle;
    else low = middle;
  }
  return low;
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
