import { END } from '@drawhouse/contract/core/list';
import type { Queryable } from '../db/database.ts';
import { allOf, sql, type Sql } from '../db/sql/sql.ts';
import { wantedOf, type AnyQuery, type AnySource, type Wanted } from './read-list.ts';
import type { AnyList, Cut } from './list-source.ts';

export interface AnyKeysetSource extends Omit<
  AnySource,
  'from' | 'reading' | 'summed' | 'order' | 'totals' | 'countAll' | 'extra'
> {
  readonly from: Sql | ((cut: Cut) => Sql | Promise<Sql>);
  readonly time?: Sql;
  readonly extra?: () => object | Promise<object>;
  readonly isScanned?: true;
  readonly condition?: Sql;
}

export interface WantedCuts extends Omit<Wanted, 'source'> {
  readonly source: AnyKeysetSource;
}

interface WithCursor {
  readonly cursor: string;
}

export interface KeysetPage {
  readonly stored: object[];
  readonly older: string | null;
  readonly newer: string | null;
}

export function wantedCuts(list: AnyList, source: AnyKeysetSource, query: AnyQuery, sort?: string): WantedCuts {
  return { ...wantedOf(list, { ...source, reading: 'rows' } as never, query, sort), source };
}

export async function readKeysetPage(
  on: Queryable,
  wanted: WantedCuts,
  { before, after }: { before?: string | undefined; after?: string | undefined },
  limit: number,
): Promise<KeysetPage> {
  const isDescending = before !== undefined || (after === undefined && wanted.descending);
  const cursor = isDescending ? before : after;
  const to = cursor === END ? undefined : cursor;
  const found = await readCut(on, wanted, { limit: limit + 1, to, isDescending });
  const rows = found.slice(0, limit);
  const beyond = found.length > limit ? rows.at(-1)!.cursor : null;
  const behind = to === undefined ? null : (rows[0]?.cursor ?? null);
  return {
    stored: isDescending === wanted.descending ? rows : rows.toReversed(),
    older: isDescending ? beyond : behind,
    newer: isDescending ? behind : beyond,
  };
}

/** Stops at `upTo` plus one. */
export async function countCut(on: Queryable, wanted: WantedCuts, upTo: number | undefined): Promise<number> {
  const limit = upTo === undefined ? undefined : upTo + 1;
  const cut = {
    where: wanted.where,
    beyond: sql`true`,
    to: undefined,
    isDescending: true,
    order: sql``,
    isOrdered: false,
    limit: limit ?? ALL,
    nextTo: undefined,
  };
  const [row] = await on.query<{ count: bigint }>(
    sql`select count(*) as count from (
      select ${await fromOf(wanted, cut)} ${limit === undefined ? sql`` : sql`limit ${limit}`}) as counted`,
  );
  return Number(row!.count);
}

/** Yields chunks in list order; only one is in memory. */
export async function* keysetChunks(
  on: Queryable,
  wanted: WantedCuts,
  { count, chunkRows }: { count: number; chunkRows: number },
): AsyncGenerator<object[]> {
  let to: string | undefined;
  for (let left = count; left > 0; left -= chunkRows) {
    const limit = Math.min(chunkRows, left);
    const chunk = await readCut(on, wanted, { limit, to, isDescending: wanted.descending });
    if (chunk.length === 0) return;
    to = chunk.at(-1)!.cursor;
    yield chunk;
  }
}

const ALL = 2_147_483_647;

interface Seek {
  readonly to: string | undefined;
  readonly isDescending: boolean;
  readonly limit: number;
}

async function readCut(on: Queryable, wanted: WantedCuts, at: Seek): Promise<(WithCursor & object)[]> {
  const { cursor, from, order } = await cutOf(wanted, at);
  return on.query(sql`select ${cursor} as cursor, ${wanted.source.select} ${from} ${order} limit ${at.limit}`);
}

export async function cutOf(wanted: WantedCuts, { limit, to, isDescending }: Seek): Promise<CutPieces> {
  const { source } = wanted;
  const direction = sql.raw(isDescending ? 'desc' : 'asc');
  const parts = source.time ? [source.time, source.key] : [source.key];
  const beyond =
    to === undefined ? sql`true` : sql`(${sql.join(parts)}) ${sql.raw(isDescending ? '<' : '>')} (${valuesOf(to)})`;
  const cut = {
    where: allOf([wanted.where, beyond]),
    beyond,
    to,
    isDescending,
    isOrdered: true,
    order: sql`order by ${sql.join(parts.map((part) => sql`${part} ${direction}`))}`,
    limit,
    nextTo: to === undefined || !source.time ? undefined : timeOf(to),
  };
  const cursor = source.time
    ? sql`(extract(epoch from ${source.time}) * 1000000)::bigint || '_' || ${source.key}`
    : sql`${source.key}::text`;
  return { cursor, parts, from: await fromOf(wanted, cut), order: cut.order, direction };
}

interface CutPieces {
  readonly cursor: Sql;
  readonly parts: readonly Sql[];
  readonly from: Sql;
  readonly order: Sql;
  readonly direction: Sql;
}

/** Repeats all conditions outside, whatever the source did inside. */
async function fromOf({ source, joins }: WantedCuts, cut: Cut): Promise<Sql> {
  const from = typeof source.from === 'function' ? await source.from(cut) : source.from;
  return sql`from ${from} ${sql.join(joins, sql` `)} where ${cut.where}`;
}

function valuesOf(cursor: string): Sql {
  const [micros, key] = cursor.split('_');
  return key === undefined ? sql`${micros}::uuid` : sql`${timeOf(cursor)}, ${key}::uuid`;
}

function timeOf(cursor: string): Sql {
  return sql`(timestamptz 'epoch' + ${cursor.split('_')[0]}::bigint * interval '1 microsecond')`;
}
