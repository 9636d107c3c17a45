import { usePathname, useSearch, go } from '../navigation.ts';
import type { Freshness, ListColumn, MissingCell } from '@drawhouse/contract/core/list';
import type { Route, RouteAnswer, RouteInput } from '@drawhouse/contract/core/route';
import { keepPreviousData, useQuery, type QueryKey } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { ApiError } from '@drawhouse/session/api-client';
import { call, callFile, errorMessage } from '../server/api.ts';
import { formatCount, ownTimeZone } from '../format/format.ts';
import {
  withChange,
  DEFAULT_PAGE_SIZE,
  hrefOf,
  listQueryOf,
  activeFilters,
  periodOf,
  readListState,
  viewOf,
  type ListChange,
  type UrlList,
  type ListState,
} from './listUrl.ts';
import { TODAY, useToday, type DayRange, type PeriodId } from '../format/periods.ts';
import { useExport, type Export } from '../server/useExport.ts';

export interface ListOf<Row, R extends Route = Route> extends UrlList {
  readonly route: R;
  readonly columns: readonly ListColumn<Row>[];
  readonly files: readonly { readonly format: 'xlsx' | 'csv'; readonly route: Route }[];
  readonly file: { readonly name: string } | undefined;
  readonly rowsKey: string;
}

export interface ListOptions {
  /** Storage key of columns and views on this device. */
  name: string;
  /** Prefix for invalidation. */
  queryKey: QueryKey;
  params?: Readonly<Record<string, string>>;
  fixedParams?: Readonly<Record<string, string | undefined>>;
  keptParams?: readonly string[];
  startPeriod?: PeriodId;
  /** While the tab is visible. Old rows stay until new ones arrive. */
  liveEveryMs?: number | ((state: ListState) => number);
}

export interface ListLoad {
  loading: boolean;
  error: string | null;
  missing: boolean;
  retry: () => void;
}

export interface ListView<Row, Answer = unknown> extends ListLoad {
  list: ListOf<Row>;
  name: string;
  state: ListState;
  answer: Answer | undefined;
  rows: readonly Row[] | undefined;
  /** Rows on all pages. A lower bound if `totalIsMore`. */
  total: number;
  totalIsMore: boolean;
  /** `10,000+` for a lower bound. */
  totalText: string;
  /** Over all matching rows, by column. */
  totals: Readonly<Record<string, number>> | undefined;
  page: number;
  pageSize: number;
  /** Cursors of the adjacent keyset pages; null at the ends. */
  older: string | null;
  newer: string | null;
  freshness: Freshness | undefined;
  missingCells: readonly MissingCell[] | undefined;
  narrowed: readonly string[];
  identity: string;
  period: { range: DayRange; period: PeriodId };
  /** Any change except of the page resets to the first page. `replace` adds no history entry. */
  change: (change: ListChange, how?: 'replace') => void;
  show: (state: ListState) => void;
  readPage: (place: object, signal: AbortSignal) => Promise<unknown>;
  xlsx: Export;
  csv: Export;
}

interface ListAnswer {
  total?: number;
  totalIsMore?: boolean;
  totals?: Readonly<Record<string, number>>;
  older?: string | null;
  newer?: string | null;
  freshness?: Freshness;
  missingCells?: readonly MissingCell[];
}

/** Binds a list of the contract to the URL. Invalid URL values fall back to defaults. */
export function useList<Row, R extends Route>(
  list: ListOf<Row, R>,
  options: ListOptions,
): ListView<Row, RouteAnswer<R>> {
  const { name, queryKey, params, fixedParams, keptParams, startPeriod = TODAY } = options;
  const path = usePathname();
  const search = useSearch();
  const today = useToday();
  const state = useStable(readListState(list, search, keptParams));
  const { liveEveryMs: every = false } = options;
  const liveEveryMs = typeof every === 'function' ? every(state) : every;
  const queryOf = (paged: boolean) => ({ ...fixedParams, ...listQueryOf(list, state, today, startPeriod, paged) });
  const query = queryOf(true);
  const readPage = async (place: object, signal?: AbortSignal) =>
    call(list.route, { params, query: { ...queryOf(false), ...place } } as unknown as RouteInput<R>, { signal });
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

  const show = useCallback((next: ListState) => go.to(hrefOf(path, next)), [path]);
  const change = useCallback(
    (what: ListChange, how?: 'replace') => {
      const href = hrefOf(path, withChange(state, what));
      if (how === 'replace') go.replace(href);
      else if (href !== hrefOf(path, state)) go.to(href);
    },
    [path, state],
  );

  const page = Number(state['page'] ?? 1);
  const pageSize = Number(state['pageSize'] ?? DEFAULT_PAGE_SIZE);
  const rows = answer?.[list.rowsKey];
  const total = answer?.total ?? 0;
  const totalIsMore = answer?.totalIsMore === true;
  const lastPage = Math.max(1, Math.ceil(total / pageSize));
  const isPastEnd = list.paging === 'pages' && rows?.length === 0 && !isFetching && page > lastPage;
  useLastPage(isPastEnd ? lastPage : null, change);

  const fileOf = (format: 'xlsx' | 'csv') => async (signal: AbortSignal) =>
    callFile(
      list.files.find((file) => file.format === format)!.route,
      { params, query: { ...queryOf(false), timeZone: ownTimeZone() } } as never,
      { signal },
    );
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
    freshness: answer?.freshness,
    missingCells: answer?.missingCells,
    narrowed: activeFilters(list, state),
    identity: JSON.stringify([path, viewOf({ ...state, sort: '' })]),
    period: periodOf(state, today, startPeriod),
    loading: isLoading || isPastEnd,
    error: error && !data ? errorMessage(error) : null,
    missing: error instanceof ApiError && error.status === 404 && !data,
    retry: () => void refetch(),
    change,
    show,
    readPage,
    xlsx: useExport(list.file?.name ?? name, fileOf('xlsx')),
    csv: useExport(list.file?.name ?? name, fileOf('csv')),
  };
}

/** Handles a last page whose only row was deleted, and old links past the end. */
function useLastPage(lastPage: number | null, change: ListView<unknown>['change']): void {
  useEffect(() => {
    if (lastPage !== null) change({ page: lastPage === 1 ? undefined : lastPage }, 'replace');
  }, [lastPage, change]);
}

/** Keeps identity while the content is equal. */
function useStable(state: ListState): ListState {
  const text = JSON.stringify(state);
  return useMemo(() => JSON.parse(text) as ListState, [text]);
}
