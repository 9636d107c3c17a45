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
  it('orders texts as people read them', () => {
    expect(namesBy('name', false)).toBe('Apple, Élan, game 9, Game 10');
  });

  it('orders amounts by size, nothing last, and leaves those that are alike as they are', () => {
    expect(namesBy('amount', false)).toBe('Game 10, Apple, Élan, game 9');
  });

  it('turns all but those that are alike', () => {
    expect(namesBy('amount', true)).toBe('game 9, Élan, Game 10, Apple');
  });

  it('leaves the rows as they are without an order, and for a column that there is not', () => {
    expect(sortRows(ROWS, COLUMNS, null)).toBe(ROWS);
    expect(sortRows(ROWS, COLUMNS, { id: 'gone', desc: false })).toBe(ROWS);
  });
});
