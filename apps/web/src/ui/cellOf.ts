import type { ReactNode } from 'react';
import type { DataColumn } from './dataColumn.ts';

export function cellOf<Row>(column: DataColumn<Row>, row: Row): ReactNode {
  if (column.cell) return column.cell(row);
  const value = column.accessor?.(row) ?? null;
  return value === null ? '' : String(value);
}
