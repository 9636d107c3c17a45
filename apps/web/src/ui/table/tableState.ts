import type { DataSort, CellValue, DataColumn } from './columns/dataColumn.ts';
import { ExactPoints } from '@drawhouse/contract/core/hundredths';
import { compareNames } from '../../lib/format/names.ts';

export interface TableState<Row> {
  readonly of: readonly Row[];
  readonly sort: DataSort | null;
  /** Counted from 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** Sorts ascending first, then toggles. */
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

/** Sorts stably. Without a sort, keeps the order. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly DataColumn<Row>[],
  sort: DataSort | null,
): readonly Row[] {
  const column = columns.find(({ id }) => id === sort?.id);
  if (!sort || !column) return rows;
  const valueOf = (row: Row): CellValue => column.accessor?.(row) ?? null;
  const sign = sort.desc ? -1 : 1;
  return rows.toSorted((a, b) => sign * compareCells(valueOf(a), valueOf(b)));
}

/** Puts empty values last. */
function compareCells(a: CellValue, b: CellValue): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  if (isNumber(a) && isNumber(b)) return a - b;
  return compareNames(String(a), String(b));
}

function isNumber(value: CellValue): value is number {
  return typeof value === 'number' || (value as unknown) instanceof ExactPoints;
}
