import type { ReactNode } from 'react';

/** What a column sorts by, and shows when it has no cell of its own. */
export type CellValue = string | number | boolean | null;

/** One column of a {@link DataTable}, as data. */
export interface DataColumn<Row> {
  /** Names the column; on a server-sorted table the field that the server sorts by. */
  id: string;
  header: string;
  accessor?: (row: Row) => CellValue;
  /** What stands in the cell; the accessor's value when there is none. */
  cell?: (row: Row) => ReactNode;
  align?: 'left' | 'right' | 'center';
  /** In px, the least that it needs; columns without one share what is left. */
  width?: number;
  sortable?: boolean;
  /** What stands in the totals row. */
  footer?: ReactNode;
  /** Stays on a phone, and wherever not all columns fit; the others open in the row sheet. */
  priority?: boolean | undefined;
  /** Where not all columns fit, the highest goes into the row sheet first; 0 by default, and of equals the one further right. */
  yields?: number | undefined;
  /** Stands on a phone only, for what several of the others say together. */
  phoneOnly?: boolean;
}

/** The order of a table. */
export interface DataSort {
  id: string;
  desc: boolean;
}

/** A page of a server list, and how to ask for another. */
export interface DataPager {
  /** From 1. */
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
  onPageSize: (pageSize: number) => void;
}
