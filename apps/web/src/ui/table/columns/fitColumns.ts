import type { DataColumn } from './dataColumn.ts';

/** Pixels. */
const LEAST_WIDTH = 120;

/** Minimum in pixels. */
export function widthOf<Row>(column: DataColumn<Row>): number {
  return column.width ?? LEAST_WIDTH;
}

/**
 * If some do not fit, keeps `reserve` pixels for the sheet button. Priority columns always stay, as does the first
 * unless it has `yields`.
 */
export function fitColumns<Row>(
  columns: readonly DataColumn<Row>[],
  width: number,
  reserve: number,
): readonly DataColumn<Row>[] {
  let missing = columns.reduce((sum, column) => sum + widthOf(column), 0) - width;
  if (missing <= 0) return columns;
  missing += reserve;
  const leaving = columns
    .filter((column, index) => !column.priority && (index > 0 || (column.yields ?? 0) > 0))
    .toReversed()
    .toSorted((a, b) => (b.yields ?? 0) - (a.yields ?? 0));
  const hidden = new Set<string>();
  for (const column of leaving) {
    if (missing <= 0) break;
    hidden.add(column.id);
    missing -= widthOf(column);
  }
  return columns.filter((column) => !hidden.has(column.id));
}
