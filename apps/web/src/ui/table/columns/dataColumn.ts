import type { ReactNode } from 'react';

export type CellValue = string | number | boolean | null;

export interface DataColumn<Row> {
  /** On server-sorted tables, the sort field. */
  id: string;
  header: string;
  accessor?: (row: Row) => CellValue;
  cell?: (row: Row) => ReactNode;
  align?: 'left' | 'right' | 'center';
  /** Minimum in pixels. Columns without one share the rest. */
  width?: number;
  /** Takes the free width, so other columns keep their minimum. */
  grows?: boolean | undefined;
  sortable?: boolean;
  footer?: ReactNode;
  /** Always visible. Other columns may move to the row sheet. */
  priority?: boolean | undefined;
  /** Higher values move to the row sheet first; ties go right to left. Default: 0. */
  yields?: number | undefined;
  /** While hidden, its value appears below that of the column with this id. */
  under?: string | undefined;
  /** Combines several other columns. */
  phoneOnly?: boolean;
}

export interface DataSort {
  id: string;
  desc: boolean;
}

export interface DataPager {
  /** Counted from 1. */
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
  onPageSize: (pageSize: number) => void;
}

export function cellOf<Row>(column: DataColumn<Row>, row: Row): ReactNode {
  if (column.cell) return column.cell(row);
  const value = column.accessor?.(row) ?? null;
  return value === null ? '' : String(value);
}
