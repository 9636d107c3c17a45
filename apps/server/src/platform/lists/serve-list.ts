import type { FileFormat } from '@drawhouse/contract/core/list';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { Route } from '@drawhouse/contract/core/route';
import type { Reader } from '../db/database.ts';
import { allOf, containing } from '../db/sql/sql.ts';
import { chooseReader, fileReader, readReport, type ReportServices } from './read-report.ts';
import { CallError } from '../http/http-errors.ts';
import type { BoundRoute, Call, FileAnswer, FileDescription } from '../http/handler.ts';
import { type FileRows, openFoundRows, openKeysetRows, openRows, writeListFile } from './write-list-file.ts';
import { scanPage, type Search } from './scan-search.ts';
import { type AnyKeysetSource, countCut, type KeysetPage, readKeysetPage, wantedCuts } from './read-keyset.ts';
import { type AnyQuery, type AnySource, readPage, type Wanted, wantedOf } from './read-list.ts';
import type { AnyList, KeysetSource, ListCaller, ListRequest, ListSource } from './list-source.ts';
import { HTTP_TEXTS } from '../http/http-texts.ts';

const COMPLETE_LIST_ROWS = 10_000;
const PAGE_ROWS = 25;

export interface ListInput {
  readonly params: unknown;
  readonly query: AnyQuery;
}

/** `timeZone` is the viewer's, if known. */
export function bindList<C extends ListCaller>(
  list: AnyList,
  serve: {
    readonly page: (input: ListInput, call: Call<C>) => Promise<object>;
    readonly file: (
      input: ListInput,
      call: Call<C>,
      format: FileFormat,
      timeZone: string | undefined,
    ) => Promise<FileAnswer>;
    readonly describe?: (input: ListInput, call: Call<C>) => Promise<FileDescription>;
  },
): BoundRoute<C>[] {
  const bind = (route: unknown, handler: (input: ListInput, call: Call<C>) => Promise<object>): BoundRoute<C> => ({
    route: route as Route,
    handler,
  });
  const page = (input: ListInput, call: Call<C>): Promise<object> => {
    requireOneCursor(input.query);
    return serve.page(input, call);
  };
  const listed = { list, handler: page, describe: serve.describe };
  return [
    { ...bind({ ...list.route, refuses: refusedBy(list) }, page), listed },
    ...list.files.map(({ route, format }) => ({
      ...bind(route, (input, call) => serve.file(input, call, format, input.query['timeZone'] as string | undefined)),
      listed: { ...listed, format },
    })),
  ];
}

/** Ignoring parameters of other paging kinds would return wrong pages. */
function refusedBy({ paging, sorts }: AnyList): Record<string, string> {
  const nextTo = HTTP_TEXTS.numberedPages;
  return {
    ...(sorts.length === 0 && { sort: HTTP_TEXTS.noSort }),
    ...(paging === 'pages' && { before: nextTo, after: nextTo }),
  };
}

function requireOneCursor(query: AnyQuery): void {
  const [one, other] = ['page', 'before', 'after'].filter((name) => query[name] !== undefined);
  if (one === undefined || other === undefined) return;
  const message = HTTP_TEXTS.eitherOr(one, other);
  throw new CallError('INVALID_INPUT', { fields: { [one]: message, [other]: message } });
}

type SourceOf<L, Stored extends object> = L extends { readonly paging: 'keyset' }
  ? KeysetSource<L, Stored>
  : ListSource<L, Stored>;

/**
 * Visibility, search, order, paging, count, sums and streaming follow from contract and source. The source is built per
 * request and may throw a CallError.
 */
export function serveList<C extends ListCaller, L extends AnyList, Stored extends object>(
  services: ReportServices,
  list: L,
  source: (request: ListRequest<L, C>) => SourceOf<L, Stored> | Promise<SourceOf<L, Stored>>,
): BoundRoute<C>[] {
  const { clock, timeZone } = services;
  const { readPageOf, readRowsOf }: Reading<never> = list.paging === 'keyset' ? NEXT_TO_A_ROW : NUMBERED;
  const open = async (on: Reader, { params, query }: ListInput, { actor }: Call<C>): Promise<never> =>
    (await source({ actor, params, query, on, at: clock.now(), timeZone } as never)) as never;
  const openFile = async (input: ListInput, call: Call<C>) => {
    const { db, freshness } = await chooseReader(services);
    const on = fileReader({ db }, call);
    const opened = (await open(on, input, call)) as Pick<AnySource, 'fileName' | 'of'>;
    const description: FileDescription = {
      fileName: opened.fileName,
      of: await opened.of?.(),
      asOf: freshness?.asOf,
    };
    return { on, opened: opened as never, description };
  };
  return bindList<C>(list, {
    page: (input, call) =>
      readReport(services, call, async (on, freshness) => ({
        ...(await readPageOf(on, list, await open(on, input, call), input.query)),
        ...(freshness && { freshness }),
      })),
    file: async (input, call, format, zone = timeZone) => {
      const { on, opened, description } = await openFile(input, call);
      const rows = await readRowsOf(on, list, opened, input.query);
      const fileMeta = { query: input.query, by: call.actor, at: clock.now(), timeZone: zone };
      return writeListFile(list, rows, { format, ...description, ...fileMeta });
    },
    describe: async (input, call) => (await openFile(input, call)).description,
  });
}

interface Reading<Source> {
  readonly readPageOf: (on: Reader, list: AnyList, source: Source, query: AnyQuery) => Promise<object>;
  readonly readRowsOf: (on: Reader, list: AnyList, source: Source, query: AnyQuery) => Promise<FileRows>;
}

const NUMBERED: Reading<AnySource> = {
  async readPageOf(on, list, source, query) {
    const wanted = wantedOf(list, source, query);
    const { stored, total, sums } = await readPage(on, wanted, pageOf(wanted, query));
    return {
      ...source.extra?.({ total, sums }),
      [list.rowsKey]: stored.map((each) => source.toRow(each as never)),
      total,
      ...(list.totals.length > 0 && {
        totals: Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, pointsOf(sum)])),
      }),
    };
  },
  readRowsOf: (on, list, source, query) => openRows(on, wantedOf(list, source, query, list.file!.order)),
};

const NEXT_TO_A_ROW: Reading<AnyKeysetSource> = {
  async readPageOf(on, list, source, query) {
    const { stored, older, newer, total, totalIsMore, extra } = isScanned(source, query)
      ? await searched(on, list, source, query)
      : await found(on, list, source, query);
    return {
      ...extra,
      [list.rowsKey]: stored.map((each) => source.toRow(each as never)),
      // Not in the contract, so only other cells get them.
      cursors: stored.map((each) => (each as { cursor: string }).cursor),
      total,
      totalIsMore,
      older,
      newer,
    };
  },
  readRowsOf: (on, list, source, query) => {
    const { order } = list.file!;
    return isScanned(source, query)
      ? openFoundRows(on, searchOf(list, source, query, order))
      : openKeysetRows(on, wantedCuts(list, source, query, order));
  },
};

interface Page extends KeysetPage {
  readonly total: number;
  readonly totalIsMore: boolean;
  readonly extra: object | undefined;
}

async function found(on: Reader, list: AnyList, source: AnyKeysetSource, query: AnyQuery): Promise<Page> {
  const wanted = wantedCuts(list, source, query);
  const { countUpTo } = list;
  const [page, count, extra] = await Promise.all([
    readKeysetPage(on, wanted, query, limitOf(wanted, query)),
    countCut(on, wanted, countUpTo),
    source.extra?.(),
  ]);
  const totalIsMore = countUpTo !== undefined && count > countUpTo;
  return {
    ...page,
    total: totalIsMore ? countUpTo : count,
    totalIsMore,
    extra: source.isScanned ? { ...extra, searchedTo: null } : extra,
  };
}

async function searched(on: Reader, list: AnyList, source: AnyKeysetSource, query: AnyQuery): Promise<Page> {
  const search = searchOf(list, source, query);
  const limits = { limit: limitOf({ isNarrowed: true }, query), countUpTo: list.countUpTo ?? Infinity };
  const [{ count, countIsLess, searchedTo, ...page }, extra] = await Promise.all([
    scanPage(on, search, query, limits),
    source.extra?.(),
  ]);
  return {
    ...page,
    total: count,
    totalIsMore: countIsLess,
    extra: { ...extra, searchedTo: searchedTo?.toISOString() ?? null },
  };
}

function isScanned(source: AnyKeysetSource, query: AnyQuery): boolean {
  return source.condition !== undefined || (source.isScanned === true && Boolean(query['search']));
}

function searchOf(list: AnyList, source: AnyKeysetSource, query: AnyQuery, sort?: string): Search {
  return {
    wanted: wantedCuts(list, source, { ...query, search: undefined }, sort),
    matches: allOf([
      ...(query['search'] ? [source.search!(containing(query['search'] as string)!)] : []),
      ...(source.condition ? [source.condition] : []),
    ]),
  };
}

function pageOf(wanted: Pick<Wanted, 'isNarrowed'>, query: AnyQuery): { limit: number; offset: number } {
  const limit = limitOf(wanted, query);
  return { limit, offset: (((query['page'] as number | undefined) ?? 1) - 1) * limit };
}

function limitOf({ isNarrowed }: Pick<Wanted, 'isNarrowed'>, query: AnyQuery): number {
  return limitOfPage(query, isNarrowed);
}

/** Whole list if the query has no page, order, search or filter. */
export function limitOfPage(query: AnyQuery, isNarrowed: boolean): number {
  const isWhole = !isNarrowed && ['page', 'before', 'after', 'sort'].every((name) => query[name] === undefined);
  return (query['pageSize'] as number | undefined) ?? (isWhole ? COMPLETE_LIST_ROWS : PAGE_ROWS);
}
