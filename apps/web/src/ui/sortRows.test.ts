import { describe, expect, it } from 'vitest';
import type { DataColumn } from './dataColumn.ts';
import { sortRows } from './sortRows.ts';

interface Row {
  readonly name: string;
  readonly amount: number | null;
}

const COLUMNS: readonly DataColumn<Row>[] = [
  { id: 'name', header: 'Name', accessor: ({ name }) => name },
  { id: 'amount', header: 'Amount', accessor: ({ amount }) => amount },
];
const ROWS: readonly Row[] = [
  { name: 'Game 10', amount: 5 },
  { name: 'game 9', amount: null },
  { name: 'Élan', amount: 40 },
  { name: 'Apple', amount: 5 },
];

function namesBy(id: string, desc: boolean): string {
  return sortRows(ROWS, COLUMNS, { id, desc })
    .map(({ name }) => name)
    .join(', ');
}

describe('sortRows', () => {
  it('sorts text as people read it', () => {
    expect(namesBy('name', false)).toBe('Apple, Élan, game 9, Game 10');
  });

  it('sorts amounts, empty last, and is stable', () => {
    expect(namesBy('amount', false)).toBe('Game 10, Apple, Élan, game 9');
  });

  it('reverses all but ties', () => {
    expect(namesBy('amount', true)).toBe('game 9, Élan, Game 10, Apple');
  });

  it('keeps rows without an order or with an unknown column', () => {
    expect(sortRows(ROWS, COLUMNS, null)).toBe(ROWS);
    expect(sortRows(ROWS, COLUMNS, { id: 'gone', desc: false })).toBe(ROWS);
  });
});
