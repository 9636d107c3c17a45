import type { FileFormat } from '@drawhouse/contract/list';
import { pointsOf } from '@drawhouse/contract/primitives';
import type { Route } from '@drawhouse/contract/route';
import type { Reader } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import type { BoundRoute, Call, FileAnswer } from '../http/handler.ts';
import { openRows, writeListFile } from './list-file.ts';
import { readReport } from './read-report.ts';
import { readPage, wantedOf } from './read-list.ts';
import type { AnyQuery, AnySource, Wanted } from './read-list.ts';
import type { AnyList, Asking, ListRequest, ListSource } from './source.ts';

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

/** How a list is served where that is not as usual. */
export interface ServeOptions {
  /** After so many milliseconds a page is stopped; 15 s where it is left out. */
  readonly pageMostMs?: number;
}

/**
 * The routes of a list, its files included, over where its rows come from: who may see them, search, order, page, number, sums and
 * streaming follow from the contract and the source. The source is asked anew for each request, and may refuse it by a CallError.
 */
export function serveList<C extends Asking, L extends AnyList & { readonly paging: 'pages' }, Stored extends object>(
  services: Services,
  list: L,
  source: (request: ListRequest<L, C>) => ListSource<L, Stored> | Promise<ListSource<L, Stored>>,
  { pageMostMs }: ServeOptions = {},
): BoundRoute<C>[] {
  const { db, clock, timeZone } = services;
  const open = async (on: Reader, { params, query }: ListInput, { actor }: Call<C>): Promise<AnySource> =>
    source({ actor, params, query, on, at: clock.now(), timeZone } as never);
  const page = async (on: Reader, input: ListInput, call: Call<C>): Promise<object> => {
    const opened = await open(on, input, call);
    const wanted = wantedOf(list, opened, input.query);
    const { stored, total, sums } = await readPage(on, wanted, pageOf(wanted, input.query));
    return {
      ...opened.extra?.({ total, sums }),
      [list.rowsKey]: stored.map((each) => opened.toRow(each as never)),
      total,
      ...(list.totals.length > 0 && {
        totals: Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, pointsOf(sum)])),
      }),
    };
  };
  return bindList<C>(list, {
    page: (input, call) => readReport(services, call, (on) => page(on, input, call), pageMostMs),
    file: async (input, call, format, zone = timeZone) => {
      const on = db.patient.until(call.gone);
      const opened = await open(on, input, call);
      const wanted = wantedOf(list, opened, input.query, list.file!.order);
      const rows = await openRows(on, wanted);
      const { fileName } = opened;
      const of = await opened.of?.();
      const made = { query: input.query, by: call.actor, at: clock.now(), timeZone: zone };
      return writeListFile(list, rows, { format, fileName, of, ...made });
    },
  });
}

/** Which rows a query asks for: the whole list where it names no page, order, search or filter, else one page. */
function pageOf({ isNarrowed }: Wanted, { page, pageSize, sort }: AnyQuery): { limit: number; offset: number } {
  const isWhole = !isNarrowed && page === undefined && pageSize === undefined && sort === undefined;
  const limit = (pageSize as number | undefined) ?? (isWhole ? WHOLE_LIST_ROWS : PAGE_ROWS);
  return { limit, offset: (((page as number | undefined) ?? 1) - 1) * limit };
}
