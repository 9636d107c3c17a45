import type { CellValue } from './dataColumn.ts';

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Orders two cell values: numbers by size, texts as people read them, nothing last. */
export function compareCells(a: CellValue, b: CellValue): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return collator.compare(String(a), String(b));
}
