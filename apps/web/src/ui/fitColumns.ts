import type { DataColumn } from './dataColumn.ts';

/** What a column without a width of its own takes at least, in px. */
const LEAST_WIDTH = 120;

/** What a column takes at least, in px. */
export function widthOf<Row>(column: DataColumn<Row>): number {
  return column.width ?? LEAST_WIDTH;
}

/**
 * The columns that fit into a width in px, in their order. Where not all of them do, `reserve` px are kept free for what opens
 * the others; those with priority stay in any case, and so does the first column unless it says that it yields.
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
  const gone = new Set<string>();
  for (const column of leaving) {
    if (missing <= 0) break;
    gone.add(column.id);
    missing -= widthOf(column);
  }
  return columns.filter((column) => !gone.has(column.id));
}
