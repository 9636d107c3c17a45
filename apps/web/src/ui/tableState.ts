import type { DataSort } from './dataColumn.ts';

/** The order and the page of a table whose rows are all here. */
export interface TableState<Row> {
  /** The rows that it is of. */
  readonly of: readonly Row[];
  readonly sort: DataSort | null;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** The order by a column: upwards, and downwards where it is upwards already. */
export function nextSort(sort: DataSort | null, id: string): DataSort {
  return { id, desc: sort?.id === id && !sort.desc };
}

/** With other rows, in another order or on pages of another size it begins at the first page again. */
export function fromFirstPage<Row>(
  state: TableState<Row>,
  change: Partial<Omit<TableState<Row>, 'page'>>,
): TableState<Row> {
  return { ...state, ...change, page: 1 };
}

/** With the rows as they are by now it stays at its page, or at the last that there still is. */
export function onSamePage<Row>(state: TableState<Row>, rows: readonly Row[]): TableState<Row> {
  const last = Math.max(1, Math.ceil(rows.length / state.pageSize));
  return { ...state, of: rows, page: Math.min(state.page, last) };
}

/** The rows of its page, and how many stand before them. */
export function pageOf<Row>(
  ordered: readonly Row[],
  { page, pageSize }: Pick<TableState<Row>, 'page' | 'pageSize'>,
): { page: readonly Row[]; before: number } {
  const before = (page - 1) * pageSize;
  return { page: ordered.slice(before, before + pageSize), before };
}
