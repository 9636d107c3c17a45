import { withSearch } from '../../lib/paths.ts';

/** What the address of the report says. Everything may be missing or nonsense: it is typed and shared by people. */
export interface TurnoverSearch {
  role?: string | undefined;
  /** The account whose children are shown; the caller when missing. */
  id?: string | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
  period?: number | undefined;
  sort?: string | undefined;
  page?: number | undefined;
  pageSize?: number | undefined;
}

/** Picks the report's part out of whatever the address holds. */
export function readSearch(search: Readonly<Record<string, unknown>>): TurnoverSearch {
  const text = (name: string) => (typeof search[name] === 'string' ? search[name] : undefined);
  const number = (name: string) => {
    const value = Number(search[name] ?? Number.NaN);
    return Number.isFinite(value) ? value : undefined;
  };
  return {
    role: text('role'),
    id: text('id'),
    startDate: text('startDate'),
    endDate: text('endDate'),
    period: number('period'),
    sort: text('sort'),
    page: number('page'),
    pageSize: number('pageSize'),
  };
}

/** The address of the report with this search; the first page is not said. */
export function searchPath(path: string, search: TurnoverSearch): string {
  return withSearch(path, { ...search, page: search.page === 1 ? undefined : search.page });
}
