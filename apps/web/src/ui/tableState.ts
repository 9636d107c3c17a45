import type { DataSort } from './dataColumn.ts';

export interface TableState<Row> {
  readonly of: readonly Row[];
  readonly sort: DataSort | null;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** Ascending first, then toggles. */
export function nextSort(sort: DataSort | null, id: string): DataSort {
  return { id, desc: sort?.id === id && !sort.desc };
}

export function fromFirstPage<Row>(
  state: TableState<Row>,
  change: Partial<Omit<TableState<Row>, 'page'>>,
): TableState<Row> {
  return { ...state, ...change, page: 1 };
}

/** Falls back to the last page if rows have disappeared. */
export function onSamePage<Row>(state: TableState<Row>, rows: readonly Row[]): TableState<Row> {
  const last = Math.max(1, Math.ceil(rows.length / state.pageSize));
  return { ...state, of: rows, page: Math.min(state.page, last) };
}

export function pageOf<Row>(
  ordered: readonly Row[],
  { page, pageSize }: Pick<TableState<Row>, 'page' | 'pageSize'>,
): { page: readonly Row[]; before: number } {
  const before = (page - 1) * pageSize;
  return { page: ordered.slice(before, before + pageSize), before };
}
