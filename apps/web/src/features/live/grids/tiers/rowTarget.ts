import { arrowTarget } from '../gridKeys.ts';

interface RowCounts {
  row: number;
  button: number;
}

/** Vertical arrows change rows, horizontal ones the button. Null if there is no target. */
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
