import type { FileFormat } from '@drawhouse/contract/list';
import { pointsOf } from '@drawhouse/contract/primitives';
import type { Route } from '@drawhouse/contract/route';
import type { Reader } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import type { BoundRoute, Call, FileAnswer } from '../http/handler.ts';
import { openKeysetRows, openRows, writeListFile } from './list-file.ts';
import { countCut, readKeysetPage, wantedCuts } from './read-keyset.ts';
import type { AnyKeysetSource } from './read-keyset.ts';
import { readPage, wantedOf } from './read-list.ts';
import type { AnyQuery, AnySource, Wanted } from './read-list.ts';
import type { AnyList, Asking, KeysetSource, ListRequest, ListSource } from './source.ts';

/** A list that is asked for with nothing at all answers so many rows (the API notes). */
const WHOLE_LIST_ROWS = 10_000;
/** Of any other list a page has so many, unless the query says how many. */
const PAGE_ROWS = 25;

/** What a request gives a list. */
export interface ListInput {
  readonly params: unknown;
  readonly query: AnyQuery;
}

/** Binds the routes of a list, its files included; `timeZone` is the reader's, or undefined. */
export function bindList<C extends Asking>(
  list: AnyList,
  serve: {
    readonly page: (input: ListInput, call: Call<C>) => Promise<object>;
    readonly file: (
      input: ListInput,
      call: Call<C>,
      format: FileFormat,
      timeZone: string | undefined,
    ) => Promise<FileAnswer>;
  },
): BoundRoute<C>[] {
  const bind = (route: unknown, handler: (input: ListInput, call: Call<C>) => Promise<object>): BoundRoute<C> => ({
    route: route as Route,
    handler,
  });
  return [
    bind(list.route, serve.page),
    ...list.files.map(({ route, format }) =>
      bind(route, (input, call) => serve.file(input, call, format, input.query['timeZone'] as string | undefined)),
    ),
  ];
}

/** Where the rows of a list come from: the source of its kind of pages. */
type SourceOf<L, Stored extends object> = L extends { readonly paging: 'keyset' }
  ? KeysetSource<L, Stored>
  : ListSource<L, Stored>;

/**
 * The routes of a list, its files included, over where its rows come from: who may see them, search, order, page, number, sums and
 * streaming follow from the contract and the source. The source is asked anew for each request, and may refuse it by a CallError.
 */
export function serveList<C extends Asking, L extends AnyList, Stored extends object>(
  services: Services,
  list: L,
  source: (request: ListRequest<L, C>) => SourceOf<L, Stored> | Promise<SourceOf<L, Stored>>,
): BoundRoute<C>[] {
  const { clock, timeZone } = services;
  const open = async (on: Reader, { params, query }: ListInput, { actor }: Call<C>): Promise<never> =>
    (await source({ actor, params, query, on, at: clock.now(), timeZone } as never)) as never;
  return list.paging === 'keyset' ? serveKeyset(services, list, open) : servePages(services, list, open);
}

/** Gives the source for a request. */
type Open<C extends Asking, Source> = (on: Reader, input: ListInput, call: Call<C>) => Promise<Source>;

function servePages<C extends Asking>(
  { db, clock, timeZone }: Services,
  list: AnyList,
  open: Open<C, AnySource>,
): BoundRoute<C>[] {
  return bindList<C>(list, {
    page: async (input, call) => {
      const opened = await open(db, input, call);
      const wanted = wantedOf(list, opened, input.query);
      const { stored, total, sums } = await readPage(db, wanted, pageOf(wanted, input.query));
      return {
        ...opened.extra?.({ total, sums }),
        [list.rowsKey]: stored.map((each) => opened.toRow(each as never)),
        total,
        ...(list.totals.length > 0 && {
          totals: Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, pointsOf(sum)])),
        }),
      };
    },
    file: async (input, call, format, zone = timeZone) => {
      const opened = await open(db.patient, input, call);
      const wanted = wantedOf(list, opened, input.query, list.file!.order);
      const rows = await openRows(db.patient, wanted);
      const made = { query: input.query, by: call.actor, at: clock.now(), timeZone: zone };
      return writeListFile(list, rows, { format, fileName: opened.fileName, of: await opened.of?.(), ...made });
    },
  });
}

function serveKeyset<C extends Asking>(
  { db, clock, timeZone }: Services,
  list: AnyList,
  open: Open<C, AnyKeysetSource>,
): BoundRoute<C>[] {
  const { countUpTo, rowsKey } = list;
  return bindList<C>(list, {
    page: async (input, call) => {
      const opened = await open(db, input, call);
      const wanted = wantedCuts(list, opened, input.query);
      const [{ stored, older, newer }, count, extra] = await Promise.all([
        readKeysetPage(db, wanted, input.query, limitOf(wanted, input.query)),
        countCut(db, wanted, countUpTo),
        opened.extra?.(),
      ]);
      const totalIsMore = countUpTo !== undefined && count > countUpTo;
      return {
        ...extra,
        [rowsKey]: stored.map((each) => opened.toRow(each as never)),
        total: totalIsMore ? countUpTo : count,
        totalIsMore,
        older,
        newer,
      };
    },
    file: async (input, call, format, zone = timeZone) => {
      const opened = await open(db.patient, input, call);
      const rows = await openKeysetRows(db.patient, wantedCuts(list, opened, input.query, list.file!.order));
      const made = { query: input.query, by: call.actor, at: clock.now(), timeZone: zone };
      return writeListFile(list, rows, { format, fileName: opened.fileName, of: await opened.of?.(), ...made });
    },
  });
}

/** Which rows a query asks for. */
function pageOf(wanted: Pick<Wanted, 'isNarrowed'>, query: AnyQuery): { limit: number; offset: number } {
  const limit = limitOf(wanted, query);
  return { limit, offset: (((query['page'] as number | undefined) ?? 1) - 1) * limit };
}

/** How many rows a query asks for: the whole list where it names no page, order, search or filter, else one page. */
function limitOf({ isNarrowed }: Pick<Wanted, 'isNarrowed'>, query: AnyQuery): number {
  const isWhole = !isNarrowed && ['page', 'before', 'after', 'sort'].every((name) => query[name] === undefined);
  return (query['pageSize'] as number | undefined) ?? (isWhole ? WHOLE_LIST_ROWS : PAGE_ROWS);
}
