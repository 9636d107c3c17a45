import {
  transferKindOf,
  walletKindOf,
  type TransferKind,
  type WalletKind,
  TRANSFER_KINDS,
} from '@drawhouse/rules/records/ledger-kinds';
import type { Queryable } from '../platform/db/database.ts';
import { nextTo, type NumberRange } from '../platform/lists/serve-history.ts';
import type { Period } from '../platform/time/clock.ts';
import { clearedBefore, readGaps, type WalletGap } from './wallet-gaps.ts';
import { columnsOf, type WalletName, type WalletOf } from './wallets.ts';
import { sql, type Sql, inKinds } from '../platform/db/sql/sql.ts';

/** One transfer from one wallet's view. */
export interface Movement {
  readonly id: string;
  /** From 1, without gaps in this wallet's history. */
  readonly version: bigint;
  readonly kind: TransferKind;
  /** Positive: into this wallet. */
  readonly amount: bigint;
  readonly balance: bigint;
  readonly otherOwner: string;
  readonly otherKind: WalletKind;
  readonly otherVersion: bigint;
  readonly actorId: string | null;
  readonly reference: string | null;
  readonly note: string;
  readonly at: Date;
}

export async function requireWallet(on: Queryable, networkId: number, name: WalletName): Promise<WalletOf> {
  const [[kind], [owner]] = columnsOf([name]);
  const [row] = await on.query<{ id: number }>(
    sql`select id from wallets where network_id = ${networkId} and owner_id = ${owner} and kind = ${kind}`.named(
      'wallet-find',
    ),
  );
  if (!row) throw new Error(`No such wallet in network ${networkId}: ${name}`);
  return { networkId, walletId: row.id };
}

/** One side of a wallet's transfers: own columns lose their prefix, others become `other`. */
export function side({ networkId, walletId }: WalletOf, own: 'from' | 'to', columns: Sql, where: Sql): Sql {
  const other = sql.raw(own === 'from' ? 'to' : 'from');
  const mine = sql.raw(own);
  return sql`select ${sql.raw(own === 'from' ? '-' : '')}t.amount as amount, t.${mine}_balance as balance, t.${mine}_version as version,
            t.${other}_wallet as other, t.${other}_version as "otherVersion", ${columns}
     from transfers t where t.network_id = ${networkId} and t.${mine}_wallet = ${walletId} and t.${mine}_version ${where}`;
}

export function sides(wallet: WalletOf, columns: Sql, where: Sql): Sql {
  return sql`(${side(wallet, 'from', columns, where)} union all ${side(wallet, 'to', columns, where)})`;
}

export function within({ from, past }: NumberRange): Sql {
  return sql`between ${from} and ${past}::bigint - 1`;
}

export async function movementsFrom(
  on: Queryable,
  { networkId }: WalletOf,
  found: (columns: Sql) => Sql,
  name: string,
): Promise<Movement[]> {
  const rows = await on.query<Omit<Movement, 'kind' | 'otherKind'> & { kind: number; otherKind: number }>(
    sql`select m.*, w.owner_id as "otherOwner", w.kind as "otherKind"
     from ${found(sql`t.id, t.kind, t.actor_id as "actorId", t.reference, t.note, t.at`)} as m
     join wallets w on w.network_id = ${networkId} and w.id = m.other order by m.version`.named(name),
  );
  return rows.map((row) => ({
    ...row,
    kind: transferKindOf(row.kind),
    otherKind: walletKindOf(row.otherKind),
  }));
}

/** Oldest first. Reads the whole stretch; callers bound it. */
function readMovements(on: Queryable, wallet: WalletOf, range: NumberRange): Promise<Movement[]> {
  return movementsFrom(on, wallet, (columns) => sides(wallet, columns, within(range)), 'statement-movements');
}

export interface Entries {
  readonly entries: readonly (Movement | WalletGap)[];
  readonly range: NumberRange;
}

/** Newest if `fromEnd`, else oldest; at most `limit`. */
export async function readEntries(
  on: Queryable,
  wallet: WalletOf,
  range: NumberRange,
  next: { readonly limit: number; readonly fromEnd: boolean },
): Promise<Entries> {
  const gaps = await readGaps(on, wallet, range, next);
  if (gaps.length === 0) {
    const stretch = nextTo(range, next);
    return { range: stretch, entries: await readMovements(on, wallet, stretch) };
  }
  const order = sql`order by version ${sql.raw(next.fromEnd ? 'desc' : 'asc')} limit ${next.limit}`;
  const movements = await movementsFrom(
    on,
    wallet,
    (columns) => sql`(select * from ${sides(wallet, columns, within(range))} as found ${order})`,
    `statement-entries-${next.fromEnd ? 'last' : 'first'}`,
  );
  const all = [...movements, ...gaps].toSorted((a, b) => (a.version < b.version ? -1 : 1));
  if (all.length <= next.limit) return { range, entries: all };
  const entries = next.fromEnd ? all.slice(-next.limit) : all.slice(0, next.limit);
  return {
    entries,
    range: next.fromEnd
      ? { from: firstOf(entries[0]!), past: range.past }
      : { from: range.from, past: entries.at(-1)!.version + 1n },
  };
}

function firstOf(entry: Movement | WalletGap): bigint {
  return 'firstVersion' in entry ? entry.firstVersion : entry.version;
}

/** 0 before the first version. */
export async function balanceBefore(
  on: Queryable,
  { networkId, walletId }: WalletOf,
  version: bigint,
): Promise<bigint> {
  const [row] = await on.query<{ balance: bigint }>(
    sql`select balance from ${sides({ networkId, walletId }, sql`t.at`, sql`= ${version}::bigint - 1`)} as m
     union all
     select closing from (select closing, last_version from wallet_gaps
       where network_id = ${networkId} and wallet_id = ${walletId} and first_version < ${version}
                          order by first_version desc limit 1) as gap where last_version = ${version}::bigint - 1`.named(
      'statement-balance',
    ),
  );
  return row?.balance ?? 0n;
}

/** A power of two above any real version: a thousand a second for 35 years. */
const MOST_VERSIONS = 2n ** 40n;

/** Includes a whole cleared gap if any part falls inside. */
export async function historyIn(on: Queryable, wallet: WalletOf, { from, until }: Period): Promise<NumberRange> {
  const since = await versionSince(on, wallet, from);
  const past = await versionSince(on, wallet, until, 'first_at');
  return { from: since, past: past < since ? since : past };
}

/**
 * Binary search in one statement. After a clock error, one of several crossings. The fixed search width always maps an
 * instant to the same version, so adjacent ranges share closing and opening balance. A gap counts at its last, or
 * first, movement.
 */
export async function versionSince(
  on: Queryable,
  { networkId, walletId }: WalletOf,
  at: Date,
  clearedBy: 'first_at' | 'last_at' = 'last_at',
): Promise<bigint> {
  const own = { network: sql`${networkId}`, wallet: sql`${walletId}` };
  const middle = sql`low + size / 2`;
  const [row] = await on.query<{ version: bigint }>(
    sql`with recursive halving (low, size) as (
       -- Invariant: movement \`low\` precedes the instant or is 0; movement \`low + size\` does not, or is missing.
       select 0::bigint, ${MOST_VERSIONS}::bigint
       union all
       select case when exists (
           select from ${sides({ networkId, walletId }, sql`t.at`, sql`= ${middle}`)} as middle where middle.at < ${at})
                     or ${clearedBefore(own, middle, sql`${at}`, clearedBy)}
                   then low + size / 2 else low end, size / 2
       from halving where size > 1
     )
     select low + 1 as version from halving where size = 1`.named(`statement-since-${clearedBy}`),
  );
  return row!.version;
}

const INTO = inKinds(TRANSFER_KINDS, 'give', 'payout', 'issue', 'table-add');
const OUT_OF = inKinds(TRANSFER_KINDS, 'takeBack', 'retire', 'table-reset');

interface Moves {
  readonly networkId: number;
  readonly wallet: WalletName;
  readonly actorId: string;
  readonly since: Date;
  readonly without: readonly string[];
}

/** If the wallet is locked, concurrent moves count. */
export async function movedSince(
  on: Queryable,
  { networkId, wallet, actorId, since, without }: Moves,
): Promise<bigint> {
  const [[kind], [owner]] = columnsOf([wallet]);
  const [row] = await on.query<{ moved: bigint }>(
    sql`select coalesce(sum(t.amount), 0)::bigint as moved from wallets w cross join lateral (
        select id, amount from transfers where network_id = ${networkId} and to_wallet = w.id and kind in ${INTO}
          and actor_id = ${actorId} and at > ${since}
        union all select id, amount from transfers where network_id = ${networkId} and from_wallet = w.id and kind in ${OUT_OF}
          and actor_id = ${actorId} and at > ${since}) as t
      where w.network_id = ${networkId} and w.kind = ${kind} and w.owner_id = ${owner} and t.id <> all(${[...without]}::uuid[])`,
  );
  return row!.moved;
}
