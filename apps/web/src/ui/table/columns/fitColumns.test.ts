import { describe, expect, it } from 'vitest';
import type { DataColumn } from './dataColumn.ts';
import { fitColumns } from './tableLayout.ts';

const COLUMNS: readonly DataColumn<object>[] = [
  { id: 'name', header: 'Name', width: 100 },
  { id: 'note', header: 'Note', yields: 1 },
  { id: 'amount', header: 'Amount', width: 100, priority: true },
  { id: 'at', header: 'At', width: 100 },
  { id: 'by', header: 'By', width: 100 },
];
const RESERVE = 44;

function idsAt(width: number): string {
  return fitColumns(COLUMNS, width, RESERVE)
    .map(({ id }) => id)
    .join(' ');
}

describe('fitColumns', () => {
  it('keeps all columns that fit exactly', () => {
    expect(idsAt(520)).toBe('name note amount at by');
  });

  it('removes yielding columns first, then from the right, keeping room for the opener', () => {
    expect(idsAt(519)).toBe('name amount at by');
    expect(idsAt(444)).toBe('name amount at by');
    expect(idsAt(443)).toBe('name amount at');
    expect(idsAt(343)).toBe('name amount');
  });

  it('keeps the first column and priority columns at any width', () => {
    expect(idsAt(10)).toBe('name amount');
  });

  it('lets the first column yield if it says so', () => {
    const columns = [{ id: 'id', header: 'ID', width: 100, yields: 4 }, ...COLUMNS];
    const ids = fitColumns(columns, 619, RESERVE).map(({ id }) => id);
    expect(ids.join(' ')).toBe('name note amount at by');
  });
});
