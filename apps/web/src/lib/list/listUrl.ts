import { END } from '@drawhouse/contract/core/list';
import type { ListFilter } from '@drawhouse/contract/core/list-filters';
import { withSearch } from '../paths.ts';
import {
  instantsOf,
  readDay,
  readPeriod,
  resolvePeriod,
  type Day,
  type DayRange,
  type PeriodId,
} from '../format/periods.ts';

export const DEFAULT_PAGE_SIZE = 25;

const SEARCH_MAX = 100;

interface Schema {
  safeParse: (value: unknown) => { readonly success: boolean };
}

export interface UrlList {
  readonly route: { readonly query?: unknown };
  readonly filters: readonly ListFilter[];
  readonly search: string | undefined;
  readonly order: string;
  readonly paging: 'pages' | 'keyset';
}

/**
 * Keyed by URL name: page, search, sort, filters and the page's own fields. Days in the URL (`2026-01-31`) become
 * instants in the query. Defaults are omitted.
 */
export type ListState = Readonly<Record<string, string>>;

/** Undefined removes an entry. */
export type ListChange = Readonly<Record<string, string | number | undefined>>;

/** `no`: number of the first row, counted while paging. Never sent. */
const PAGE_FIELDS = ['page', 'before', 'after', 'no'];

export function namesOf(filter: ListFilter): readonly string[] {
  if (filter.kind === 'day') return [filter.name];
  return filter.kind === 'period' ? ['period', 'startDate', 'endDate'] : Object.keys(filter.fields);
}

/** Ignores invalid values. `keptParams`: the page's own query fields. */
export function readListState(
  list: UrlList,
  search: Readonly<Record<string, unknown>>,
  keptParams: readonly string[] = [],
): ListState {
  const shape = shapeOf(list);
  const text = (name: string): string | undefined =>
    typeof search[name] === 'string' && search[name] !== '' ? search[name] : undefined;
  const valid = (name: string): string | undefined =>
    shape[name]?.safeParse(text(name)).success ? text(name) : undefined;
  const state: Record<string, string | undefined> = {};
  if (list.paging === 'pages') state['page'] = unless('1', valid('page'));
  else Object.assign(state, readNeighbour(valid, text('no')));
  state['pageSize'] = unless(String(DEFAULT_PAGE_SIZE), valid('pageSize'));
  if (list.search !== undefined) state['search'] = text('search')?.slice(0, SEARCH_MAX);
  state['sort'] = unless(list.order, valid('sort'));
  for (const name of keptParams) state[name] = valid(name);
  for (const filter of list.filters) Object.assign(state, readFilter(filter, valid, text));
  return Object.fromEntries(Object.entries(state).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function readNeighbour(
  valid: (name: string) => string | undefined,
  no: string | undefined,
): Record<string, string | undefined> {
  const [before, after] = [valid('before'), valid('after')];
  if (before === undefined && after === undefined) return {};
  return { ...(before === undefined ? { after } : { before }), no: /^[1-9]\d{0,8}$/.test(no ?? '') ? no : undefined };
}

function readFilter(
  filter: ListFilter,
  valid: (name: string) => string | undefined,
  text: (name: string) => string | undefined,
): Record<string, string | undefined> {
  const days = (names: readonly string[]) => names.map((name) => readDay(text(name)) ?? undefined);
  switch (filter.kind) {
    case 'choice':
    case 'id':
      return Object.fromEntries(namesOf(filter).map((name) => [name, valid(name)]));
    case 'points':
      return bothEnds(filter, namesOf(filter).map(valid));
    case 'day':
      return { [filter.name]: days([filter.name])[0] };
    case 'days':
      return bothEnds(filter, days(namesOf(filter)));
    case 'period': {
      const [from, to] = days(['startDate', 'endDate']);
      const period = readPeriod(text('period'))?.toString();
      if (text('startDate') === undefined && text('endDate') === undefined) return { period };
      return from === undefined || to === undefined || isRefused(filter, from, to)
        ? {}
        : { period, startDate: from, endDate: to };
    }
  }
}

/** Returns neither end if the server would refuse the range. */
function bothEnds(filter: ListFilter, [from, to]: readonly (string | undefined)[]): Record<string, string | undefined> {
  if (from !== undefined && to !== undefined && isRefused(filter, from, to)) return {};
  const [first, second] = namesOf(filter) as [string, string];
  return { [first]: from, [second]: to };
}

/** True for a start after the end, or too long before it. */
function isRefused(filter: ListFilter, from: string, to: string): boolean {
  const { startDate, endDate } = filter.kind === 'points' ? { startDate: from, endDate: to } : instantsOf({ from, to });
  return (filter.wrong?.(startDate, endDate) ?? null) !== null;
}

function unless(start: string, value: string | undefined): string | undefined {
  return value === start ? undefined : value;
}

function shapeOf(list: UrlList): Readonly<Record<string, Schema>> {
  return (list.route.query as { shape?: Record<string, Schema> } | undefined)?.shape ?? {};
}

/** Any change except of the page resets to the first page. */
export function withChange(state: ListState, change: ListChange): ListState {
  const next: Record<string, string | number | undefined> = { ...state };
  for (const name of PAGE_FIELDS) delete next[name];
  return Object.fromEntries(
    Object.entries({ ...next, ...change })
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => [name, String(value)]),
  );
}

export function hrefOf(path: string, state: ListState): string {
  return withSearch(path, state);
}

export function viewOf(state: ListState): ListState {
  return Object.fromEntries(
    Object.entries(state).filter(([name]) => name !== 'pageSize' && !PAGE_FIELDS.includes(name)),
  );
}

export function activeFilters(list: UrlList, state: ListState): readonly string[] {
  const filters = list.filters.filter(
    (filter) => filter.kind !== 'period' && namesOf(filter).some((name) => state[name] !== undefined),
  );
  return [...((state['search'] ?? '').trim() === '' ? [] : ['search']), ...filters.map((filter) => filter.name)];
}

export function clearFiltersChange(list: UrlList): ListChange {
  const names = list.filters.filter((filter) => filter.kind !== 'period').flatMap((filter) => namesOf(filter));
  return Object.fromEntries(['search', ...names].map((name) => [name, undefined]));
}

export function periodOf(state: ListState, today: Day, otherwise: PeriodId): { range: DayRange; period: PeriodId } {
  return resolvePeriod({ ...state, period: readPeriod(state['period']) ?? undefined }, today, otherwise);
}

/** Omit `withPage` for a file. */
export function listQueryOf(
  list: UrlList,
  state: ListState,
  today: Day,
  otherwise: PeriodId,
  withPage: boolean,
): Record<string, string> {
  const query: Record<string, string> = { ...viewOf(state) };
  for (const filter of list.filters) {
    const named = namesOf(filter).map((name) => state[name]);
    if (!['day', 'days', 'period'].includes(filter.kind)) continue;
    for (const name of namesOf(filter)) delete query[name];
    Object.assign(query, instantsBy(filter, named, state, today, otherwise));
  }
  if ((query['search'] ?? '').trim() === '') delete query['search'];
  if (!withPage) return query;
  const place = list.paging === 'pages' ? { page: state['page'] ?? '1' } : neighbourOf(state);
  return { ...place, pageSize: state['pageSize'] ?? String(DEFAULT_PAGE_SIZE), ...query };
}

function neighbourOf({ before, after }: ListState): Record<string, string> {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

/** Numbers rows of a keyset page. Null if unknown; `behind`: cursor of the previous page. */
export function firstNumberOf({ no }: ListState, behind: string | null): number | null {
  return behind === null ? 1 : no === undefined ? null : Number(no);
}

/** Uses the start of the first day and the end of the last. */
function instantsBy(
  filter: ListFilter,
  [first, second]: readonly (string | undefined)[],
  state: ListState,
  today: Day,
  otherwise: PeriodId,
): Record<string, string> {
  const [fromField, toField] = Object.keys(filter.fields) as [string, string];
  const [from, to] =
    filter.kind === 'period'
      ? daysOf(periodOf(state, today, otherwise).range)
      : filter.kind === 'day'
        ? [first, first]
        : [first, second];
  const any = from ?? to;
  if (any === undefined) return {};
  const { startDate, endDate } = instantsOf({ from: from ?? any, to: to ?? any });
  return { ...(from !== undefined && { [fromField]: startDate }), ...(to !== undefined && { [toField]: endDate }) };
}

function daysOf({ from, to }: DayRange): [string, string] {
  return [from, to];
}

export function periodChange(period: PeriodId, days?: DayRange): ListChange {
  return { period, startDate: days?.from, endDate: days?.to };
}

export function sortOf(sort: string): { id: string; desc: boolean } {
  return sort.startsWith('-') ? { id: sort.slice(1), desc: true } : { id: sort, desc: false };
}

export function sortText(sort: { id: string; desc: boolean }): string {
  return sort.desc ? `-${sort.id}` : sort.id;
}

interface PagingLinks {
  readonly descending: boolean;
  readonly first: ListChange | null;
  readonly back: ListChange | null;
  readonly next: ListChange | null;
  readonly last: ListChange | null;
}

export function pagingLinks(
  list: UrlList,
  state: ListState,
  { rows, total, totalIsMore, older, newer }: KeysetAnswer,
): PagingLinks {
  const { desc } = sortOf(state['sort'] ?? list.order);
  const [behind, beyond] = desc ? [newer, older] : [older, newer];
  const [back, next] = desc ? (['after', 'before'] as const) : (['before', 'after'] as const);
  const pageSize = Number(state['pageSize'] ?? DEFAULT_PAGE_SIZE);
  const number = firstNumberOf(state, behind);
  const from = (no: number | null): ListChange => (no === null ? {} : { no: Math.max(1, no) });
  return {
    descending: desc,
    first: behind === null ? null : {},
    back: behind === null ? null : { [back]: behind, ...from(number && number - pageSize) },
    next: beyond === null ? null : { [next]: beyond, ...from(number && number + rows) },
    last: beyond === null ? null : { [back]: END, ...from(totalIsMore ? null : total - pageSize + 1) },
  };
}

interface KeysetAnswer {
  readonly rows: number;
  readonly total: number;
  readonly totalIsMore: boolean;
  readonly older: string | null;
  readonly newer: string | null;
}
