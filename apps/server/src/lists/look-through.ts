import { END } from '@drawhouse/contract/frame/list';
import type { Queryable, Reader } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { isStopped } from '../db/unavailable.ts';
import { timeOfId } from '../db/uuid7.ts';
import { CallError } from '../http/http-errors.ts';
import { cutOf } from './read-keyset.ts';
import type { KeysetPage, WantedCuts } from './read-keyset.ts';

/** Of a page whose search no index answers: so long its rows are looked for. */
const MOST_MS = 2_000;
/** For a file nobody counts longer before it begins. */
const FILE_COUNTING_MS = 1_000;
/** Left of that for a last chunk; a shorter one finds nothing. */
const LEAST_MS = 50;
/** What matches is counted on for so long from the beginning, and over so many rows at least. */
const COUNTING_MS = 100;
const COUNTED_ROWS = 5_000;
/** Rows of the first chunk; the next ones are as many as take this long, where rows are only counted a shorter time. */
const FIRST_ROWS = 2_000;
const CHUNK_MS = 200;
const COUNT_CHUNK_MS = 40;
const MOST_ROWS = 500_000;
/** A chunk is stopped after so long, however much time there is: it was meant to take a fraction of it. */
const CHUNK_MOST_MS = 30_000;

/** What of a search for a page was looked through in its time. */
export interface LookedThrough extends KeysetPage {
  readonly count: number;
  /** Whether more may match than were counted. */
  readonly countIsLess: boolean;
  /** Up to where it was looked for rows, where that is not the end: those beyond it may match. */
  readonly searchedTo: Date | null;
}

/** What matches, and where rows are looked for. */
export interface Search {
  /** Without what is searched: the rows that are looked through. */
  readonly wanted: WantedCuts;
  /** Whether a row matches. */
  readonly matches: Sql;
}

/** How long it may take, in milliseconds, and what tells the time. */
interface Timing {
  readonly mostMs?: number;
  readonly now?: () => number;
}

interface Looking {
  readonly goesOlder: boolean;
  readonly endsAt: number;
  readonly now: () => number;
}

const realNow = (): number => performance.now();

/** A chunk of the order that was looked through. */
interface Chunk {
  readonly found: (object & { readonly cursor: string })[];
  readonly count: number;
  /** Its last row; null at the end of the order. */
  readonly last: string | null;
  readonly rows: number;
}

/**
 * A page of what matches a search that no index answers: rows are looked through in the order of the list, in chunks, each as long as
 * PostgreSQL takes for a fifth of a second. It ends where the page is full, at the end of the order, or after two seconds: then the page
 * has what was found so far, and the next one goes on from there. How many match is counted for a moment more.
 */
export async function lookThrough(
  on: Reader,
  search: Search,
  { before, after }: { before?: string | undefined; after?: string | undefined },
  { limit, countUpTo, mostMs = MOST_MS, now = realNow }: { limit: number; countUpTo: number } & Timing,
): Promise<LookedThrough> {
  const startedAt = now();
  const { descending } = search.wanted;
  const goesOlder = before !== undefined || (after === undefined && descending);
  const asked = goesOlder ? before : after;
  const from = asked === END ? undefined : asked;
  const looking = { goesOlder, endsAt: startedAt + mostMs, now };
  const found: Chunk['found'] = [];
  let reached: string | null | undefined = from;
  let looked = 0;
  // One more than is shown tells whether there is a page beyond.
  for await (const chunk of chunks(on, search, from, looking, () => limit + 1 - found.length)) {
    found.push(...chunk.found);
    looked += chunk.rows;
    reached = chunk.last;
    if (found.length > limit) break;
  }
  if (looked === 0 && reached !== null) throw new CallError('REPORT_STOPPED');
  const shown = found.slice(0, limit);
  const isCut = found.length < limit && reached !== null;
  const beyond = found.length >= limit && reached !== null ? shown.at(-1)!.cursor : (reached ?? null);
  const behind = from === undefined ? null : (shown[0]?.cursor ?? from);
  // From the beginning of the order the same look counts on; elsewhere it begins anew.
  const isFirst = from === undefined && goesOlder === descending;
  const counting = { ...looking, goesOlder: isFirst ? goesOlder : descending };
  let count = isFirst ? found.length : 0;
  let countedTo: string | null | undefined = isFirst
    ? found.length > limit
      ? found.at(-1)!.cursor
      : reached
    : undefined;
  if (!isFirst) looked = 0;
  if (countedTo !== null && !(isFirst && isCut))
    for await (const chunk of chunks(on, search, countedTo, counting, null)) {
      count += chunk.count;
      looked += chunk.rows;
      countedTo = chunk.last;
      if (count > countUpTo) break;
      if (looked >= COUNTED_ROWS && now() - startedAt > COUNTING_MS) break;
    }
  return {
    stored: goesOlder === descending ? shown : shown.toReversed(),
    older: goesOlder ? beyond : behind,
    newer: goesOlder ? behind : beyond,
    count: Math.min(count, countUpTo),
    countIsLess: countedTo !== null || count > countUpTo,
    searchedTo: isCut && reached !== undefined ? timeOf(reached!) : null,
  };
}

/** How many rows match, for the progress of a file; null where a second is too short to tell. */
export async function countForFile(
  on: Reader,
  search: Search,
  { mostMs = FILE_COUNTING_MS, now = realNow }: Timing = {},
): Promise<number | null> {
  const looking = { goesOlder: search.wanted.descending, endsAt: now() + mostMs, now };
  let count = 0;
  let last: string | null | undefined;
  for await (const chunk of chunks(on, search, undefined, looking, null)) {
    count += chunk.count;
    last = chunk.last;
  }
  return last === null ? count : null;
}

/**
 * All that matches in the order of the list, in chunks, however long that takes: nothing but a chunk is ever held, and each is found by
 * statements that are short. Throws REPORT_STOPPED where one of them was not.
 */
export async function* allThatMatches(on: Reader, search: Search, chunkRows: number): AsyncGenerator<object[]> {
  const looking = { goesOlder: search.wanted.descending, endsAt: Infinity, now: realNow };
  let last: string | null | undefined;
  for await (const chunk of chunks(on, search, undefined, looking, () => chunkRows)) {
    last = chunk.last;
    if (chunk.found.length > 0) yield chunk.found;
  }
  if (last !== null) throw new CallError('REPORT_STOPPED');
}

/** The chunks from a cursor on, until the time is over; of each so many of its matching rows as are still asked for, or with null their number. */
async function* chunks(
  on: Reader,
  search: Search,
  from: string | undefined,
  { goesOlder, endsAt, now }: Looking,
  left: (() => number) | null,
): AsyncGenerator<Chunk> {
  let to = from;
  for (let rows = FIRST_ROWS; ;) {
    const startedAt = now();
    const ms = Math.min(CHUNK_MOST_MS, Math.floor(endsAt - startedAt));
    if (ms < LEAST_MS) return;
    const limit = rows;
    const chunk = await within(on, ms, (tx) => read(tx, search, { to, goesOlder, limit }, left?.() ?? null));
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

/** What a statement gives within a time; undefined where PostgreSQL stopped it. */
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
  at: { to: string | undefined; goesOlder: boolean; limit: number },
  most: number | null,
): Promise<Chunk> {
  const { cursor, parts, from, order, direction } = await cutOf(wanted, at);
  const names = parts.map((_part, index) => sql.ref(`key ${index}`));
  const keys = parts.map((part, index) => sql`${part} as ${names[index]}`);
  const looked = (columns: Sql): Sql =>
    sql`(select ${cursor} as cursor, ${matches} as matches, row_number() over (${order}) as nth ${columns} ${from} ${order} limit ${at.limit}) as looked`;
  if (most === null) {
    const [row] = await on.query<{
      count: bigint;
      rows: bigint;
      last: string | null;
    }>(sql`select count(*) filter (where matches) as count, count(*) as rows,
                 (array_agg(cursor) filter (where nth = ${at.limit}))[1] as last from ${looked(sql``)}`);
    return { found: [], count: Number(row!.count), last: row!.last, rows: Number(row!.rows) };
  }
  const rows =
    await on.query<Row>(sql`select * from ${looked(sql`, ${sql.join(keys)}, ${wanted.source.select}`)} where matches or nth = ${at.limit}
        order by ${sql.join(names.map((name) => sql`${name} ${direction}`))} limit ${most}`);
  const last = rows.at(-1);
  // Where it ended early, that is because the page is full.
  const isOver = rows.length < most && Number(last?.nth ?? 0) < at.limit;
  const found = rows.filter((row) => row.matches);
  return {
    found,
    count: found.length,
    last: isOver ? null : last!.cursor,
    rows: isOver ? at.limit : Number(last!.nth),
  };
}

/** When the row of a cursor was made: the time before its key, or that of the key itself, which is a UUIDv7. */
function timeOf(cursor: string): Date {
  const [micros, key] = cursor.split('_');
  return key === undefined ? timeOfId(cursor) : new Date(Number(micros) / 1000);
}
