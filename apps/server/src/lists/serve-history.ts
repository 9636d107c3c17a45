import { END } from '@drawhouse/contract/frame/list';
import type { ListRow } from '@drawhouse/contract/frame/list';
import type { Queryable } from '../db/database.ts';
import type { Readable } from '../db/row.ts';
import type { Services } from '../services.ts';
import type { Sql } from '../db/sql.ts';
import { CallError } from '../http/http-errors.ts';
import type { BoundRoute, Call } from '../http/handler.ts';
import { selectSeen } from '../predicate.ts';
import type { Predicate } from '../predicate.ts';
import { writeListFile } from './write-list-file.ts';
import type { FileLine } from './write-list-file.ts';
import { fileReader, readReport } from './read-report.ts';
import { bindList } from './serve-list.ts';
import type { AnyQuery } from './read-list.ts';
import type { ListInput } from './serve-list.ts';
import type { AnyList, Asking, Described, ListRequest } from './list-source.ts';

/** A page has so many rows, unless the query says how many. */
const PAGE_ROWS = 50;
/** A file is read in chunks of this size, so that the whole is never in memory. */
const CHUNK_ROWS = 1_000;

/** The rows with the numbers [from, past). */
export interface NumberRange {
  readonly from: bigint;
  readonly past: bigint;
}

/** Rows with the numbers that were looked through for them. */
export interface HistorySlice<Row> {
  /** The oldest first. */
  readonly rows: readonly Row[];
  readonly range: NumberRange;
}

/**
 * Where the rows of a list come from that grows at one end and numbers its rows without a gap. Where a filter keeps some of them, what is
 * looked through for a page is more than it has, and a source may give fewer rows than asked for: then the next page goes on behind them.
 */
export interface History<L> {
  /** The numbers among which the rows are. */
  readonly range: NumberRange;
  /** How many rows there are. */
  readonly total: number;
  /** The rows next to an end of a range, at most `limit`: the newest `fromEnd`, else the oldest. */
  readonly read: (
    on: Queryable,
    range: NumberRange,
    next: { readonly limit: number; readonly fromEnd: boolean },
  ) => Promise<HistorySlice<ListRow<L>>>;
  /** What the answer has beside the rows. */
  readonly extra: object;
  /** The name of its files, without an ending. */
  readonly fileName: string;
  /** What its files say of whose history it is, by labels. */
  readonly of: Described;
  /** The lines before and after the rows of a file, by the names of columns. */
  readonly ends: readonly [first: FileLine, last: FileLine];
}

/** Whose history is asked for, as SQL. */
export interface Owner {
  readonly select: Sql;
  readonly from: Sql;
  readonly where: Sql;
  /** Whoever may not see the owner does not see its history: it is not found. */
  readonly authority: Predicate;
}

/** How the history of a request is found: first its owner, then its rows. */
export interface HistorySource<L, C, Stored extends object> {
  readonly owner: (request: Omit<ListRequest<L, C>, 'on'>) => Owner;
  readonly open: (on: Queryable, request: Omit<ListRequest<L, C>, 'on'>, owner: Stored) => Promise<History<L>>;
}

/** The routes of a list that is a {@link History}, its files included. Each page is read on one snapshot. */
export function serveHistory<
  C extends Asking,
  L extends AnyList & { readonly paging: 'keyset' },
  Stored extends object & Readable<Stored>,
>(services: Services, list: L, source: HistorySource<L, C, Stored>): BoundRoute<C>[] {
  const { clock, timeZone } = services;
  const opened = async (on: Queryable, { params, query }: ListInput, { actor }: Call<C>): Promise<History<L>> => {
    const request = { actor, params, query, at: clock.now(), timeZone } as never;
    return source.open(on, request, await findOwner<Stored>(on, source.owner(request)));
  };
  return bindList<C>(list, {
    page: (input, call) =>
      readReport(services, call, (reports) =>
        reports.snapshot(async (on) => {
          const { range, total, read, extra } = await opened(on, input, call);
          const { within, next } = pageOf(range, input.query);
          const page = await read(on, within, next);
          const { from, past } = page.range;
          return {
            ...extra,
            [list.rowsKey]: page.rows.toReversed(),
            total,
            totalIsMore: false,
            older: past > from && from > range.from ? String(from) : null,
            newer: past > from && past < range.past ? String(past - 1n) : null,
          };
        }),
      ),
    file: async (input, call, format, zone = timeZone) => {
      const files = fileReader(services, call);
      const { range, total, read, fileName, of, ends } = await files.snapshot((on) => opened(on, input, call));
      async function* chunks(): AsyncGenerator<readonly ListRow<L>[]> {
        for (let left = range; left.from < left.past;) {
          const chunk = await read(files, left, { limit: CHUNK_ROWS, fromEnd: false });
          left = { from: chunk.range.past, past: range.past };
          yield chunk.rows;
        }
      }
      const rows = { count: total, chunks: chunks(), ends };
      const made = { query: input.query, by: call.actor, at: clock.now(), timeZone: zone };
      return writeListFile(list, rows, { format, fileName, of, ...made });
    },
  });
}

/** Finds whose history is asked for. Throws NOT_FOUND where the caller may not see it. */
export async function findOwner<Stored extends object & Readable<Stored>>(
  on: Queryable,
  owner: Owner,
): Promise<Stored> {
  const [found] = await on.query<Stored>(selectSeen(owner));
  if (!found) throw new CallError('NOT_FOUND');
  return found;
}

/** Where a page begins, next to a row or as the newest, and how far it may go from there. */
function pageOf(
  range: NumberRange,
  { before, after, pageSize = PAGE_ROWS }: AnyQuery,
): { within: NumberRange; next: { limit: number; fromEnd: boolean } } {
  const inside = (number: bigint): bigint => (number < range.from ? range.from : least(number, range.past));
  const limit = pageSize as number;
  if (after !== undefined) {
    const within = { from: inside(BigInt(after as string) + 1n), past: range.past };
    return { within, next: { limit, fromEnd: false } };
  }
  const past = before === undefined || before === END ? range.past : inside(BigInt(before as string));
  return { within: { from: range.from, past }, next: { limit, fromEnd: true } };
}

/** Of a range the numbers next to an end, where each has its row. */
export function nextTo(
  { from, past }: NumberRange,
  { limit, fromEnd }: { limit: number; fromEnd: boolean },
): NumberRange {
  const rows = BigInt(limit);
  if (past - from <= rows) return { from, past };
  return fromEnd ? { from: past - rows, past } : { from, past: from + rows };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
