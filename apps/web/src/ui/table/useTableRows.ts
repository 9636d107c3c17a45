import { useMemo, useState } from 'react';
import { ExactPoints } from '@drawhouse/contract/core/hundredths';
import { compareNames } from '../../lib/format/format.ts';
import type { DataColumn, DataPager, DataSort, CellValue } from './columns/dataColumn.ts';

interface TableState<Row> {
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

interface TableRowsProps<Row> {
  rows: readonly Row[] | undefined;
  columns: readonly DataColumn<Row>[];
  sort?: DataSort | null;
  onSort?: (sort: DataSort) => void;
  pager?: DataPager;
  firstNumber?: number | null;
  pageSize?: number;
  keepsPage?: boolean;
}

export interface TableRows<Row> {
  readonly all: readonly Row[];
  readonly page: readonly Row[];
  readonly sort: DataSort | null;
  readonly sortBy: (id: string) => void;
  readonly pager: DataPager | undefined;
  readonly before: number;
}

const NO_ROWS: readonly never[] = [];

/** New rows (without `keepsPage`) and a new sort return to the first page. */
export function useTableRows<Row>(props: TableRowsProps<Row>): TableRows<Row> {
  const { rows = NO_ROWS, columns, onSort, firstNumber = 1 } = props;
  const [own, setOwn] = useState<TableState<Row>>({
    of: rows,
    sort: null,
    page: 1,
    pageSize: props.pageSize ?? 0,
  });
  const pagesHere = !props.pager && props.pageSize !== undefined;
  if (pagesHere && own.of !== rows) setOwn(props.keepsPage ? onSamePage(own, rows) : fromFirstPage(own, { of: rows }));
  const ownSort = onSort ? null : own.sort;
  const ordered = useMemo(() => sortRows(rows, columns, ownSort), [rows, columns, ownSort]);
  const sort = onSort ? (props.sort ?? null) : ownSort;
  const sortBy = (id: string): void => {
    const next = nextSort(sort, id);
    if (onSort) onSort(next);
    else setOwn((now) => fromFirstPage(now, { sort: next }));
  };
  if (!pagesHere) {
    const { pager } = props;
    const before = pager ? (pager.page - 1) * pager.pageSize : (firstNumber ?? 1) - 1;
    return { all: ordered, page: ordered, sort, sortBy, pager, before };
  }
  const { page, pageSize } = own;
  return {
    all: ordered,
    ...pageOf(ordered, own),
    sort,
    sortBy,
    pager: {
      page,
      pageSize,
      total: ordered.length,
      onPage: (next) => setOwn((now) => ({ ...now, page: next })),
      onPageSize: (size) => setOwn((now) => fromFirstPage(now, { pageSize: size })),
    },
  };
}
