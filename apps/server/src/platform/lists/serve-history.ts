import { END, type ListRow } from '@drawhouse/contract/core/list';
import type { Queryable } from '../db/database.ts';
import type { Readable, Sql } from '../db/sql/sql.ts';
import type { Services } from '../services.ts';
import { CallError } from '../http/http-errors.ts';
import type { BoundRoute, Call } from '../http/handler.ts';
import { selectVisible, type Predicate } from '../db/visibility-predicate.ts';
import { writeListFile, type FileLine } from './write-list-file.ts';
import { fileReader, readReport } from './read-report.ts';
import { bindList, type ListInput } from './serve-list.ts';
import type { AnyQuery } from './read-list.ts';
import type { AnyList, ListCaller, Described, ListRequest } from './list-source.ts';

const PAGE_ROWS = 50;
const CHUNK_ROWS = 1_000;

/** Half-open: [from, past). */
export interface NumberRange {
  readonly from: bigint;
  readonly past: bigint;
}

export interface HistorySlice<Row> {
  readonly rows: readonly Row[];
  readonly range: NumberRange;
}

/**
 * Append-only, with gapless row numbers. With a filter, a page scans more numbers than it returns, and may return fewer
 * rows than requested; the next page continues after the scanned range.
 */
export interface History<L> {
  readonly range: NumberRange;
  readonly total: number;
  /** Returns at most `limit` rows at an end of the range: newest with `fromEnd`, else oldest. */
  readonly read: (
    on: Queryable,
    range: NumberRange,
    next: { readonly limit: number; readonly fromEnd: boolean },
  ) => Promise<HistorySlice<ListRow<L>>>;
  readonly extra: object;
  readonly fileName: string;
  readonly of: Described;
  /** Lines before and after a file's rows, by column. */
  readonly ends: readonly [first: FileLine, last: FileLine];
}

export interface Owner {
  readonly select: Sql;
  readonly from: Sql;
  readonly where: Sql;
  /** Invisible owners are reported as not found. */
  readonly authority: Predicate;
}

export interface HistorySource<L, C, Stored extends object> {
  readonly owner: (request: Omit<ListRequest<L, C>, 'on'>) => Owner;
  readonly open: (on: Queryable, request: Omit<ListRequest<L, C>, 'on'>, owner: Stored) => Promise<History<L>>;
}

/** Files included. Each page reads one snapshot. */
export function serveHistory<
  C extends ListCaller,
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
      const fileMeta = { query: input.query, by: call.actor, at: clock.now(), timeZone: zone };
      return writeListFile(list, rows, { format, fileName, of, ...fileMeta });
    },
  });
}

export async function findOwner<Stored extends object & Readable<Stored>>(
  on: Queryable,
  owner: Owner,
): Promise<Stored> {
  const [found] = await on.query<Stored>(selectVisible(owner));
  if (!found) throw new CallError('NOT_FOUND');
  return found;
}

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
