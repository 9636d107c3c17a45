import { useMemo, useState } from 'react';
import type { DataColumn, DataPager, DataSort } from './columns/dataColumn.ts';
import { sortRows, fromFirstPage, nextSort, onSamePage, pageOf } from './tableState.ts';
import type { TableState } from './tableState.ts';

interface TableRowsProps<Row> {
  /** Undefined while loading. Keep it stable between renders. */
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
  /** In order. */
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
