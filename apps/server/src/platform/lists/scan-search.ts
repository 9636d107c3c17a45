import { END } from '@drawhouse/contract/core/list';
import type { Queryable, Reader } from '../db/database.ts';
import { sql, type Sql } from '../db/sql/sql.ts';
import { isStopped } from '../db/connection/unavailable.ts';
import { timeOfId } from '../db/sql/uuids.ts';
import { CallError } from '../http/http-errors.ts';
import { cutOf, type KeysetPage, type WantedCuts } from './read-keyset.ts';

/** Per page of an unindexed search. */
const MOST_MS = 2_000;
const FILE_COUNTING_MS = 1_000;
const LEAST_MS = 50;
/** Minimum effort for counting matches. */
const COUNTING_MS = 100;
const COUNTED_ROWS = 5_000;
/** Later chunks target `CHUNK_MS`; counting uses less. */
const FIRST_ROWS = 2_000;
const CHUNK_MS = 200;
const COUNT_CHUNK_MS = 40;
const MOST_ROWS = 500_000;
const CHUNK_MOST_MS = 30_000;

export interface ScannedPage extends KeysetPage {
  readonly count: number;
  readonly countIsLess: boolean;
  /** If before the end; rows beyond may match. */
  readonly searchedTo: Date | null;
}

export interface Search {
  readonly wanted: WantedCuts;
  readonly matches: Sql;
}

interface Timing {
  readonly mostMs?: number;
  readonly now?: () => number;
}

interface Looking {
  readonly isDescending: boolean;
  readonly endsAt: number;
  readonly now: () => number;
}

const realNow = (): number => performance.now();

interface Chunk {
  readonly found: (object & { readonly cursor: string })[];
  readonly count: number;
  readonly last: string | null;
  readonly rows: number;
}

/**
 * Scans rows in list order, in chunks of a fifth of a second. Stops when the page is full, at the end, or after two
 * seconds with partial results; the next page continues there. Counts matches a moment longer.
 */
export async function scanPage(
  on: Reader,
  search: Search,
  { before, after }: { before?: string | undefined; after?: string | undefined },
  { limit, countUpTo, mostMs = MOST_MS, now = realNow }: { limit: number; countUpTo: number } & Timing,
): Promise<ScannedPage> {
  const startedAt = now();
  const { descending } = search.wanted;
  const isDescending = before !== undefined || (after === undefined && descending);
  const cursor = isDescending ? before : after;
  const from = cursor === END ? undefined : cursor;
  const looking = { isDescending, endsAt: startedAt + mostMs, now };
  const found: Chunk['found'] = [];
  let reached: string | null | undefined = from;
  let scanned = 0;
  // An extra row tells if another page follows.
  for await (const chunk of chunks(on, search, from, looking, () => limit + 1 - found.length)) {
    found.push(...chunk.found);
    scanned += chunk.rows;
    reached = chunk.last;
    if (found.length > limit) break;
  }
  if (scanned === 0 && reached !== null) throw new CallError('REPORT_STOPPED');
  const shown = found.slice(0, limit);
  const isCut = found.length < limit && reached !== null;
  const beyond = found.length >= limit && reached !== null ? shown.at(-1)!.cursor : (reached ?? null);
  const behind = from === undefined ? null : (shown[0]?.cursor ?? from);
  // From the start of the order, the same scan keeps counting; otherwise counting starts over.
  const isFirst = from === undefined && isDescending === descending;
  const counting = { ...looking, isDescending: isFirst ? isDescending : descending };
  let count = isFirst ? found.length : 0;
  let countedTo: string | null | undefined = isFirst
    ? found.length > limit
      ? found.at(-1)!.cursor
      : reached
    : undefined;
  if (!isFirst) scanned = 0;
  if (countedTo !== null && !(isFirst && isCut))
    for await (const chunk of chunks(on, search, countedTo, counting, null)) {
      count += chunk.count;
      scanned += chunk.rows;
      countedTo = chunk.last;
      if (count > countUpTo) break;
      if (scanned >= COUNTED_ROWS && now() - startedAt > COUNTING_MS) break;
    }
  return {
    stored: isDescending === descending ? shown : shown.toReversed(),
    older: isDescending ? beyond : behind,
    newer: isDescending ? behind : beyond,
    count: Math.min(count, countUpTo),
    countIsLess: countedTo !== null || count > countUpTo,
    searchedTo: isCut && reached !== undefined ? timeOf(reached!) : null,
  };
}

/** Counts for a file's progress. Null if a second is too short. */
export async function countForFile(
  on: Reader,
  search: Search,
  { mostMs = FILE_COUNTING_MS, now = realNow }: Timing = {},
): Promise<number | null> {
  const looking = { isDescending: search.wanted.descending, endsAt: now() + mostMs, now };
  let count = 0;
  let last: string | null | undefined;
  for await (const chunk of chunks(on, search, undefined, looking, null)) {
    count += chunk.count;
    last = chunk.last;
  }
  return last === null ? count : null;
}

/** Streams matches in order by short statements, without total time limit. */
export async function* scanAll(on: Reader, search: Search, chunkRows: number): AsyncGenerator<object[]> {
  const looking = { isDescending: search.wanted.descending, endsAt: Infinity, now: realNow };
  let last: string | null | undefined;
  for await (const chunk of chunks(on, search, undefined, looking, () => chunkRows)) {
    last = chunk.last;
    if (chunk.found.length > 0) yield chunk.found;
  }
  if (last !== null) throw new CallError('REPORT_STOPPED');
}

/** Reads from a cursor until time is up. Yields requested matches per chunk, or only their count for null. */
async function* chunks(
  on: Reader,
  search: Search,
  from: string | undefined,
  { isDescending, endsAt, now }: Looking,
  left: (() => number) | null,
): AsyncGenerator<Chunk> {
  let to = from;
  for (let rows = FIRST_ROWS; ;) {
    const startedAt = now();
    const ms = Math.min(CHUNK_MOST_MS, Math.floor(endsAt - startedAt));
    if (ms < LEAST_MS) return;
    const limit = rows;
    const chunk = await within(on, ms, (tx) => read(tx, search, { to, isDescending, limit }, left?.() ?? null));
    if (!chunk) return;
    yield chunk;
    if (chunk.last === null) return;
    to = chunk.last;
    const tookMs = Math.max(1, now() - startedAt);
    rows = Math.min(
      MOST_ROWS,
      Math.ceil((chunk.rows * (left ? CHUNK_MS : COUNT_CHUNK_MS)) / tookMs),
      4 * Math.max(rows, FIRST_ROWS),
    );
  }
}

async function within<T>(on: Reader, ms: number, ask: (tx: Queryable) => Promise<T>): Promise<T | undefined> {
  try {
    return await on.snapshot(async (tx) => {
      await tx.query(sql`set local statement_timeout = ${sql.lit(ms)}`);
      return ask(tx);
    });
  } catch (error) {
    if (isStopped(error)) return undefined;
    throw error;
  }
}

type Row = object & { cursor: string; matches: boolean; nth: bigint };

async function read(
  on: Queryable,
  { wanted, matches }: Search,
  at: { to: string | undefined; isDescending: boolean; limit: number },
  most: number | null,
): Promise<Chunk> {
  const { cursor, parts, from, order, direction } = await cutOf(wanted, at);
  const names = parts.map((_part, index) => sql.ref(`key ${index}`));
  const keys = parts.map((part, index) => sql`${part} as ${names[index]}`);
  const scanned = (columns: Sql): Sql =>
    sql`(select ${cursor} as cursor, ${matches} as matches, row_number() over (${order}) as nth ${columns} ${from} ${order}
      limit ${at.limit}) as looked`;
  if (most === null) {
    const [row] = await on.query<{
      count: bigint;
      rows: bigint;
      last: string | null;
    }>(sql`select count(*) filter (where matches) as count, count(*) as rows,
                 (array_agg(cursor) filter (where nth = ${at.limit}))[1] as last from ${scanned(sql``)}`);
    return { found: [], count: Number(row!.count), last: row!.last, rows: Number(row!.rows) };
  }
  const rows =
    await on.query<Row>(sql`select * from ${scanned(sql`, ${sql.join(keys)}, ${wanted.source.select}`)} where matches or nth = ${at.limit}
        order by ${sql.join(names.map((name) => sql`${name} ${direction}`))} limit ${most}`);
  const last = rows.at(-1);
  // An early end means a full page.
  const isOver = rows.length < most && Number(last?.nth ?? 0) < at.limit;
  const found = rows.filter((row) => row.matches);
  return {
    found,
    count: found.length,
    last: isOver ? null : last!.cursor,
    rows: isOver ? at.limit : Number(last!.nth),
  };
}

function timeOf(cursor: string): Date {
  const [micros, key] = cursor.split('_');
  return key === undefined ? timeOfId(cursor) : new Date(Number(micros) / 1000);
}
