import { statementPlace } from '@drawhouse/contract/credit';
import { DEFAULT_PAGE_SIZE, wholeNumber } from '../../lib/listSearch.ts';
import { withSearch } from '../../lib/paths.ts';
import { readPeriod } from '../../lib/periods.ts';
import type { PeriodId, PeriodSearch } from '../../lib/periods.ts';

/** The wallet that a statement is of. */
export type StatementWallet = 'credit' | 'commission';

/** What a statement keeps in its URL: which wallet, from when to when, and next to which movement the page begins. */
export interface StatementSearch extends PeriodSearch {
  wallet: StatementWallet;
  pageSize: number;
  /** The page of what is older than this movement; the newest page without it and without `after`. */
  before?: string | undefined;
  /** The page of what is newer than this movement. */
  after?: string | undefined;
}

/** The period of a fresh statement: on most days enough to find what one looks for. */
export const STATEMENT_PERIOD: PeriodId = 2;

/** Reads a statement's search from a URL; what makes no sense falls back. */
export function readStatementSearch(search: Readonly<Record<string, string | undefined>>): StatementSearch {
  return {
    period: readPeriod(search['period']) ?? undefined,
    startDate: search['startDate'],
    endDate: search['endDate'],
    wallet: search['wallet'] === 'commission' ? 'commission' : 'credit',
    pageSize: wholeNumber(search['pageSize'], 1, 500, DEFAULT_PAGE_SIZE),
    before: statementPlace.safeParse(search['before']).data,
    after: statementPlace.safeParse(search['after']).data,
  };
}

/** The address of a statement with this search; what every statement begins with is not said. */
export function statementHref(path: string, search: StatementSearch): string {
  return withSearch(path, {
    ...search,
    wallet: search.wallet === 'credit' ? undefined : search.wallet,
    pageSize: search.pageSize === DEFAULT_PAGE_SIZE ? undefined : search.pageSize,
  });
}
