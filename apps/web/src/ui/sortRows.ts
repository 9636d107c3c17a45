import { ExactPoints } from '@drawhouse/contract/frame/hundredths';
import type { CellValue, DataColumn, DataSort } from './dataColumn.ts';

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Stable. Without a sort, keeps the order. */
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

/** Numbers by size, texts by locale, empty values last. */
function compareCells(a: CellValue, b: CellValue): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  if (isNumber(a) && isNumber(b)) return a - b;
  return collator.compare(String(a), String(b));
}

function isNumber(value: CellValue): value is number {
  return typeof value === 'number' || (value as unknown) instanceof ExactPoints;
}
