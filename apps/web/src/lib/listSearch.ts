import { readDay } from './periods.ts';

/** What a server list keeps in its URL. */
export interface ListSearch {
  /** From 1. */
  page: number;
  pageSize: number;
  search: string;
  /** A field, with `-` in front for descending; empty for the list's own order. */
  sort: string;
  /** Keeps the direct children of one account. */
  parentId: string;
  /** Keeps one day, as `2026-01-31`. */
  date: string;
}

/** The page size of a list that was not asked for another. */
export const DEFAULT_PAGE_SIZE = 25;

/** Reads a list's search from a URL; what makes no sense falls back. */
export function parseListSearch(search: Readonly<Record<string, string | undefined>>): ListSearch {
  return {
    page: wholeNumber(search['page'], 1, 1_000_000, 1),
    pageSize: wholeNumber(search['pageSize'], 1, 500, DEFAULT_PAGE_SIZE),
    search: search['search']?.slice(0, 100) ?? '',
    sort: /^-?[A-Za-z]+$/.test(search['sort'] ?? '') ? (search['sort'] ?? '') : '',
    parentId: search['parentId'] ?? '',
    date: readDay(search['date']) ?? '',
  };
}

/** The parts of a list's search that differ from its start, for its URL. */
export function listSearchParts(search: ListSearch): Record<string, string | undefined> {
  return {
    page: search.page === 1 ? undefined : String(search.page),
    pageSize: search.pageSize === DEFAULT_PAGE_SIZE ? undefined : String(search.pageSize),
    search: search.search || undefined,
    sort: search.sort || undefined,
    parentId: search.parentId || undefined,
    date: search.date || undefined,
  };
}

/** The whole number that a text of a URL means; `otherwise` where it is none from `min` to `max`. */
export function wholeNumber(text: string | undefined, min: number, max: number, otherwise: number): number {
  const value = /^\d{1,9}$/.test(text ?? '') ? Number(text) : otherwise;
  return value >= min && value <= max ? value : otherwise;
}

/** The order that a sort text names: `-createdAt` is descending by createdAt; null for the list's own order. */
export function sortOf(sort: string): { id: string; desc: boolean } | null {
  if (sort === '') return null;
  return sort.startsWith('-') ? { id: sort.slice(1), desc: true } : { id: sort, desc: false };
}

/** The sort text of an order. */
export function sortText(sort: { id: string; desc: boolean }): string {
  return sort.desc ? `-${sort.id}` : sort.id;
}

/** The query of a list call: its page, and the search and the order where there are any. */
export function listQueryOf(search: ListSearch): {
  page: string;
  pageSize: string;
  search: string | undefined;
  sort: string | undefined;
} {
  return {
    page: String(search.page),
    pageSize: String(search.pageSize),
    search: search.search || undefined,
    sort: search.sort || undefined,
  };
}
