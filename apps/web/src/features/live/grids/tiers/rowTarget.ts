import { arrowTarget } from '../gridKeys.ts';

/** Counts among the rows of a list, and among the buttons of one of them. */
interface RowCounts {
  row: number;
  button: number;
}

/** Where an arrow key leads, by its index: up and down from number to number, sideways among the buttons of a row; null where it leads nowhere. */
export function rowTarget(
  key: string,
  at: RowCounts,
  count: RowCounts,
): { among: 'numbers' | 'buttons'; index: number } | null {
  const sideways = key === 'ArrowLeft' || key === 'ArrowRight';
  const of = sideways ? 'button' : 'row';
  const index = arrowTarget(key, at[of], count[of], 1);
  return index === null ? null : { among: sideways ? 'buttons' : 'numbers', index };
}
