import { END } from '@drawhouse/contract/list';
import type { ListRow } from '@drawhouse/contract/list';
import { sql } from 'kysely';
import type { Queryable } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { run } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { CallError } from '../http/errors.ts';
import type { BoundRoute, Call } from '../http/handler.ts';
import { writeListFile } from './list-file.ts';
import type { FileLine } from './list-file.ts';
import { readReport } from './read-report.ts';
import { bindList } from './serve-list.ts';
import type { AnyQuery } from './read-list.ts';
import type { ListInput } from './serve-list.ts';
import type { AnyList, Asking, Authority, Described, ListRequest } from './source.ts';

/** A page has so many rows, unless the query says how many. */
const PAGE_ROWS = 50;
/** A file is read in pieces of this size, so that the whole is never in memory. */
const PIECE_ROWS = 1_000n;

/** The rows with the numbers [from, past). */
export interface NumberRange {
  readonly from: bigint;
  readonly past: bigint;
}

/**
 * Where the rows of a list come from that grows at one end and numbers its rows without a gap: a page is as many numbers as it has rows.
 */
export interface History<L> {
  /** The numbers of the rows that match. */
  readonly range: NumberRange;
  /** The rows of a range, the oldest first. */
  readonly read: (on: Queryable, range: NumberRange) => Promise<readonly ListRow<L>[]>;
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
  readonly authority: Authority;
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
  Stored extends object,
>(services: Services, list: L, source: HistorySource<L, C, Stored>): BoundRoute<C>[] {
  const { db, clock, timeZone } = services;
  const opened = async (on: Queryable, { params, query }: ListInput, { actor }: Call<C>): Promise<History<L>> => {
    const request = { actor, params, query, at: clock.now(), timeZone } as never;
    const { select, from, where, authority } = source.owner(request);
    const [owner] = await run<Stored>(on, sql`select ${select} from ${from} where ${where} and ${authority}`);
    if (!owner) throw new CallError('NOT_FOUND');
    return source.open(on, request, owner);
  };
  return bindList<C>(list, {
    page: (input, call) =>
      readReport(services, call, (reports) =>
        reports.snapshot(async (on) => {
          const { range, read, extra } = await opened(on, input, call);
          const { from, past } = pageOf(range, input.query);
          return {
            ...extra,
            [list.rowsKey]: (await read(on, { from, past })).toReversed(),
            total: Number(range.past - range.from),
            totalIsMore: false,
            older: past > from && from > range.from ? String(from) : null,
            newer: past > from && past < range.past ? String(past - 1n) : null,
          };
        }),
      ),
    file: async (input, call, format, zone = timeZone) => {
      const files = db.patient.until(call.gone);
      const { range, read, fileName, of, ends } = await files.snapshot((on) => opened(on, input, call));
      async function* pieces(): AsyncGenerator<readonly ListRow<L>[]> {
        for (let { from } = range; from < range.past; from += PIECE_ROWS)
          yield await read(files, { from, past: least(from + PIECE_ROWS, range.past) });
      }
      const rows = { count: Number(range.past - range.from), pieces: pieces(), ends };
      const made = { query: input.query, by: call.actor, at: clock.now(), timeZone: zone };
      return writeListFile(list, rows, { format, fileName, of, ...made });
    },
  });
}

/** The part of a range that is on a page: next to a row, or the newest. */
function pageOf(range: NumberRange, { before, after, pageSize = PAGE_ROWS }: AnyQuery): NumberRange {
  const within = (number: bigint): bigint => (number < range.from ? range.from : least(number, range.past));
  const size = BigInt(pageSize as number);
  if (after !== undefined) {
    const from = within(BigInt(after as string) + 1n);
    return { from, past: within(from + size) };
  }
  const past = before === undefined || before === END ? range.past : within(BigInt(before as string));
  return { from: within(past - size), past };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
