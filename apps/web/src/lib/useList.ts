import type { ListColumn } from '@drawhouse/contract/frame/list';
import type { Route, RouteAnswer, RouteInput } from '@drawhouse/contract/frame/route';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouterState, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';
import { ApiError } from '@drawhouse/session/api-client';
import { call, callFile, errorMessage } from './api.ts';
import { formatCount, ownTimeZone } from './format.ts';
import {
  changed,
  DEFAULT_PAGE_SIZE,
  hrefOf,
  listQueryOf,
  narrowedBy,
  periodOf,
  readListState,
  viewOf,
} from './listUrl.ts';
import type { ListChange, ListOfUrl, ListState } from './listUrl.ts';
import { TODAY } from './periods.ts';
import type { DayRange, PeriodId } from './periods.ts';
import { useExport } from './useExport.ts';
import type { Export } from './useExport.ts';
import { useGo } from './useGo.ts';
import { useToday } from './useToday.ts';

/** A list of the contract, with rows of a known kind. */
export interface ListOf<Row, R extends Route = Route> extends ListOfUrl {
  readonly route: R;
  readonly columns: readonly ListColumn<Row>[];
  readonly files: readonly { readonly format: 'xlsx' | 'csv'; readonly route: Route }[];
  readonly file: { readonly name: string } | undefined;
  readonly rowsKey: string;
}

/** What a page says of the list that it shows. */
export interface ListOptions {
  /** Names the list where this device keeps what was chosen about it: its columns, its views. */
  name: string;
  /** The first parts of its query's key, by which what changes its rows loads it again. */
  queryKey: readonly unknown[];
  /** The placeholders of its path. */
  params?: Readonly<Record<string, string>>;
  /** What the page itself adds to the query; it does not stand in the URL's search. */
  given?: Readonly<Record<string, string | undefined>>;
  /** Fields of the query, beside those that every list has, that the URL keeps. */
  kept?: readonly string[];
  /** The period that the page begins with; today where it is left out. */
  startPeriod?: PeriodId;
  /** Its rows are asked for anew so often, in milliseconds, while somebody looks; what stands there stays until they are there. */
  liveEveryMs?: number | ((state: ListState) => number);
}

/** What is known of the call that asked for a page. */
export interface ListLoad {
  /** A request is in flight. */
  loading: boolean;
  /** Why there are no rows, for people. */
  error: string | null;
  /** What the list is about does not exist, or not for the caller. */
  missing: boolean;
  retry: () => void;
}

/** A list as its URL shows it: what `ui/ListPage` needs of it, whatever it is a list of. */
export interface ListView<Row, Answer = unknown> extends ListLoad {
  list: ListOf<Row>;
  name: string;
  state: ListState;
  /** The answer to the last page that came in. */
  answer: Answer | undefined;
  rows: readonly Row[] | undefined;
  /** How many rows match, on all pages. Of a keyset list at least so many where `totalIsMore`. */
  total: number;
  totalIsMore: boolean;
  /** The same for people: `10,000+` where there are more. */
  totalText: string;
  /** Over all that matches, by the columns that have one. */
  totals: Readonly<Record<string, number>> | undefined;
  page: number;
  pageSize: number;
  /** What the next pages of a keyset list are next to; null at the ends. */
  older: string | null;
  newer: string | null;
  /** By what it is narrowed: names of filters, and `search`. */
  narrowed: readonly string[];
  /** Changes with whatever is narrowed. */
  identity: string;
  /** The days that it is about, where it has a period. */
  period: { range: DayRange; period: PeriodId };
  /** Shows something else; whatever changes but the page leads to the first page. `replace` makes it no step of the history. */
  change: (change: ListChange, how?: 'replace') => void;
  /** Shows exactly this, from its first page. */
  show: (state: ListState) => void;
  xlsx: Export;
  csv: Export;
}

interface ListAnswer {
  total?: number;
  totalIsMore?: boolean;
  totals?: Readonly<Record<string, number>>;
  older?: string | null;
  newer?: string | null;
}

/**
 * A list of the contract as the URL asks for it: its rows, and the ways to other pages, orders, filters and files of it.
 * What stands in the URL and makes no sense falls back.
 */
export function useList<Row, R extends Route>(
  list: ListOf<Row, R>,
  options: ListOptions,
): ListView<Row, RouteAnswer<R>> {
  const { name, queryKey, params, given, kept, startPeriod = TODAY } = options;
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const today = useToday();
  const state = useStable(readListState(list, search, kept));
  const { liveEveryMs: every = false } = options;
  const liveEveryMs = typeof every === 'function' ? every(state) : every;
  const go = useGo();
  const queryOf = (withPage: boolean) => ({ ...given, ...listQueryOf(list, state, today, startPeriod, withPage) });
  const query = queryOf(true);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [...queryKey, params, query],
    queryFn: ({ signal, client, queryKey: key }) =>
      call(list.route, { params, query } as unknown as RouteInput<R>, {
        signal,
        background: liveEveryMs !== false && client.getQueryData(key) !== undefined,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: liveEveryMs,
  });
  const isLoading = isFetching && (liveEveryMs === false || !data || isPlaceholderData);
  const answer = data as (ListAnswer & Record<string, readonly Row[] | undefined>) | undefined;

  const show = useCallback((next: ListState) => go.to(hrefOf(path, next)), [go, path]);
  const change = useCallback(
    (what: ListChange, how?: 'replace') => {
      const href = hrefOf(path, changed(state, what));
      if (how === 'replace') go.replace(href);
      else if (href !== hrefOf(path, state)) go.to(href);
    },
    [go, path, state],
  );

  const page = Number(state['page'] ?? 1);
  const pageSize = Number(state['pageSize'] ?? DEFAULT_PAGE_SIZE);
  const rows = answer?.[list.rowsKey];
  const total = answer?.total ?? 0;
  const totalIsMore = answer?.totalIsMore === true;
  const lastPage = Math.max(1, Math.ceil(total / pageSize));
  // The last row of the last page may be gone, and an old link may ask for a page that is no more.
  const isPastEnd = list.paging === 'pages' && rows?.length === 0 && !isFetching && page > lastPage;
  useEffect(() => {
    if (isPastEnd) change({ page: lastPage === 1 ? undefined : lastPage }, 'replace');
  }, [isPastEnd, lastPage, change]);

  const fileOf = (format: 'xlsx' | 'csv') => async (signal: AbortSignal) =>
    callFile(
      list.files.find((file) => file.format === format)!.route,
      { params, query: { ...queryOf(false), timeZone: ownTimeZone() } } as never,
      { signal },
    );
  const fileName = list.file?.name ?? name;
  return {
    list,
    name,
    state,
    answer: data,
    rows,
    total,
    totalIsMore,
    totalText: `${formatCount(total)}${totalIsMore ? '+' : ''}`,
    totals: answer?.totals,
    page,
    pageSize,
    older: answer?.older ?? null,
    newer: answer?.newer ?? null,
    narrowed: narrowedBy(list, state),
    identity: JSON.stringify([path, viewOf({ ...state, sort: '' })]),
    period: periodOf(state, today, startPeriod),
    loading: isLoading || isPastEnd,
    error: error && !data ? errorMessage(error) : null,
    missing: error instanceof ApiError && error.status === 404 && !data,
    retry: () => void refetch(),
    change,
    show,
    xlsx: useExport(fileName, fileOf('xlsx')),
    csv: useExport(fileName, fileOf('csv')),
  };
}

/** The same value for as long as it says the same. */
function useStable(state: ListState): ListState {
  const text = JSON.stringify(state);
  return useMemo(() => JSON.parse(text) as ListState, [text]);
}
