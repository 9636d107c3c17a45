import type { Queryable } from '../platform/db/database.ts';
import { inKinds, sql, type Sql } from '../platform/db/sql/sql.ts';
import { IN_MASSES, TRANSFER_KINDS, transferKindOf, type TransferKind } from '@drawhouse/rules/records/ledger-kinds';
import type { NumberRange } from '../platform/lists/serve-history.ts';
import { movementsFrom, side, sides, within, type Movement } from './movements.ts';
import { sumGaps } from './wallet-gaps.ts';
import type { WalletOf } from './wallets.ts';

/**
 * Bulk kinds dominate this side of a history, so a scan finds them; rare kinds have indexes (`transfers_from_kind`,
 * `transfers_to_kind`).
 */
const BULK_SIDES = { stake: 'from', win: 'to', commission: 'to' } as const;
export type BulkKind = keyof typeof BULK_SIDES;

const SCANNED_VERSIONS = 50_000n;
const MOST_SUMMED = 200_000n;

export interface DrawnWallet extends WalletOf {
  readonly masses: readonly BulkKind[];
}

export interface ScanResult {
  readonly movements: Movement[];
  readonly range: NumberRange;
}

/** Newest if `fromEnd`, else oldest; at most `limit`. */
export async function readKind(
  on: Queryable,
  wallet: DrawnWallet,
  kind: TransferKind,
  range: NumberRange,
  { limit, fromEnd, look = SCANNED_VERSIONS }: { limit: number; fromEnd: boolean; look?: bigint },
): Promise<ScanResult> {
  if (isMass(kind) && !wallet.masses.includes(kind)) return { movements: [], range };
  const isLong = isMass(kind) && range.past - range.from > look;
  const stretch = !isLong
    ? range
    : fromEnd
      ? { ...range, from: range.past - look }
      : { ...range, past: range.from + look };
  const order = sql`order by version ${sql.raw(fromEnd ? 'desc' : 'asc')} limit ${limit + 1}`;
  const found = (own: 'from' | 'to', columns: Sql): Sql =>
    sql`(select * from (${side(wallet, own, columns, within(stretch))} and t.kind = ${sql.lit(TRANSFER_KINDS[kind])}) as t ${order})`;
  const rows = await movementsFrom(
    on,
    wallet,
    (columns) =>
      isMass(kind)
        ? found(BULK_SIDES[kind], columns)
        : sql`(select * from (${found('from', columns)} union all ${found('to', columns)}) as found ${order})`,
    `kind-${kind}-${fromEnd ? 'last' : 'first'}`,
  );
  if (rows.length <= limit) return { movements: rows, range: stretch };
  const movements = fromEnd ? rows.slice(1) : rows.slice(0, limit);
  return {
    movements,
    range: fromEnd
      ? { from: movements[0]!.version, past: range.past }
      : { from: range.from, past: movements.at(-1)!.version + 1n },
  };
}

function isMass(kind: TransferKind): kind is BulkKind {
  return kind in BULK_SIDES;
}

export interface KindSums {
  readonly kind: TransferKind | 'cleared';
  readonly count: bigint;
  /** Undefined if there are too many movements to sum. */
  readonly into: bigint | undefined;
  readonly outOf: bigint | undefined;
}

export async function countKind(
  on: Queryable,
  wallet: DrawnWallet,
  kind: TransferKind,
  range: NumberRange,
): Promise<bigint> {
  if (isMass(kind) && !wallet.masses.includes(kind)) return 0n;
  const few = await sumFew(on, wallet, range);
  if (!isMass(kind)) return few.find((each) => each.kind === kind)?.count ?? 0n;
  const own = BULK_SIDES[kind];
  const onSide = await countSide(on, wallet, range, own);
  return few.reduce((left, each) => left - each[own], onSide);
}

/** Bulk kinds are only counted by index; the rarer of two is summed, and balances yield the other. */
export async function sumKinds(
  on: Queryable,
  wallet: DrawnWallet,
  range: NumberRange,
  { opening, closing, mostSummed = MOST_SUMMED }: { opening: bigint; closing: bigint; mostSummed?: bigint },
): Promise<KindSums[]> {
  const { masses } = wallet;
  const few = await sumFew(on, wallet, range);
  const cleared = await sumGaps(on, wallet, range);
  const gained = few.reduce((sum, { into, outOf }) => sum + into - outOf, 0n);
  const counts = new Map<BulkKind, bigint>();
  const inAll = few.reduce((sum, { count }) => sum + count, 0n);
  let left = range.past - range.from - inAll - cleared.movements;
  for (const kind of masses.toReversed()) {
    const isLast = kind === masses[0];
    const fewThere = few.reduce((sum, each) => sum + each[BULK_SIDES[kind]], 0n);
    const count = isLast ? left : (await countSide(on, wallet, range, BULK_SIDES[kind])) - fewThere;
    counts.set(kind, count);
    left -= count;
  }
  const present = masses.filter((kind) => counts.get(kind)! > 0n);
  const [fewer, more] = present.toSorted((a, b) => Number(counts.get(a)! - counts.get(b)!));
  const together = closing - opening - gained - (cleared.gained - cleared.spent);
  const sums = new Map<BulkKind, bigint>();
  if (fewer && !more) sums.set(fewer, BULK_SIDES[fewer] === 'to' ? together : -together);
  else if (fewer && more && counts.get(fewer)! <= mostSummed) {
    const sum = await sumSide(on, wallet, range, fewer);
    sums.set(fewer, sum);
    sums.set(more, BULK_SIDES[fewer] === 'to' ? sum - together : together + sum);
  }
  return [
    ...present.map((kind) => ({
      kind,
      count: counts.get(kind)!,
      into: BULK_SIDES[kind] === 'to' ? sums.get(kind) : 0n,
      outOf: BULK_SIDES[kind] === 'from' ? sums.get(kind) : 0n,
    })),
    ...few,
    ...(cleared.gaps > 0n
      ? [{ kind: 'cleared' as const, count: cleared.movements, into: cleared.gained, outOf: cleared.spent }]
      : []),
  ];
}

interface Few extends KindSums {
  readonly kind: TransferKind;
  readonly into: bigint;
  readonly outOf: bigint;
  readonly from: bigint;
  readonly to: bigint;
}

async function sumFew(on: Queryable, wallet: WalletOf, range: NumberRange): Promise<Few[]> {
  const rows = await on.query<Omit<Few, 'kind'> & { kind: number }>(
    sql`select kind, count(*) as count, coalesce(sum(amount) filter (where amount > 0), 0)::bigint as "into",
            coalesce(-sum(amount) filter (where amount < 0), 0)::bigint as "outOf",
            count(*) filter (where amount < 0) as "from", count(*) filter (where amount > 0) as "to"
     from ${sides(wallet, sql`t.kind`, sql`${within(range)} and t.kind not in ${sql.raw(IN_MASSES)}`)} as m
     group by kind order by kind`.named('kinds-few'),
  );
  return rows.map((row) => ({ ...row, kind: transferKindOf(row.kind) }));
}

async function countSide(
  on: Queryable,
  { networkId, walletId }: WalletOf,
  { from, past }: NumberRange,
  own: 'from' | 'to',
): Promise<bigint> {
  const [row] = await on.query<{ count: bigint }>(
    sql`select count(*) as count from transfers where network_id = ${networkId} and ${sql.raw(own)}_wallet = ${walletId}
      and ${sql.raw(own)}_version between ${from} and ${past} - 1`.named(`kinds-count-${own}`),
  );
  return row!.count;
}

async function sumSide(
  on: Queryable,
  { networkId, walletId }: WalletOf,
  { from, past }: NumberRange,
  kind: BulkKind,
): Promise<bigint> {
  const own = BULK_SIDES[kind];
  const [row] = await on.query<{ sum: bigint }>(
    sql`select coalesce(sum(amount), 0)::bigint as sum from transfers
     where network_id = ${networkId} and ${sql.raw(own)}_wallet = ${walletId} and ${sql.raw(own)}_version between ${from}
       and ${past} - 1 and kind = ${sql.lit(TRANSFER_KINDS[kind])}`.named(`kinds-sum-${kind}`),
  );
  return row!.sum;
}

export function sumByOther(
  on: Queryable,
  wallet: WalletOf,
  range: NumberRange,
  kinds: readonly Exclude<TransferKind, BulkKind | 'collect'>[],
): Promise<{ owner: string; into: bigint; outOf: bigint }[]> {
  return on.query(
    sql`select w.owner_id as owner, coalesce(sum(m.amount) filter (where m.amount > 0), 0)::bigint as "into",
            coalesce(-sum(m.amount) filter (where m.amount < 0), 0)::bigint as "outOf"
     from ${sides(wallet, sql`t.kind`, sql`${within(range)} and t.kind in ${inKinds(TRANSFER_KINDS, ...kinds)}`)} as m
     join wallets w on w.network_id = ${wallet.networkId} and w.id = m.other group by w.owner_id`,
  );
}

export interface BalanceAt {
  readonly at: Date;
  readonly balance: bigint;
}

/** Returns at most `most` balances, always including the last. */
export async function sampleBalances(
  on: Queryable,
  wallet: WalletOf,
  { from, past }: NumberRange,
  most: number,
): Promise<BalanceAt[]> {
  const count = Number(past - from);
  const steps = Math.min(count, most);
  const versions = Array.from(
    { length: steps },
    (_, n) => past - 1n - BigInt(Math.floor(((steps - 1 - n) * count) / steps)),
  );
  return on.query<BalanceAt>(
    sql`select m.at, m.balance from unnest(${versions}::bigint[]) as v (version)
     cross join lateral ${sides(wallet, sql`t.at`, sql`= v.version`)} as m order by m.version`.named('statement-curve'),
  );
}
