import { expect, test, describe, it } from 'vitest';
import { fromFirstPage, nextSort, onSamePage, pageOf, sortRows } from './useTableRows.ts';
import type { DataColumn } from './columns/dataColumn.ts';

test('a column sorts ascending, descending, ascending; another starts ascending', () => {
  const up = nextSort(null, 'name');
  const down = nextSort(up, 'name');
  expect([up, down, nextSort(down, 'name')]).toEqual([
    { id: 'name', desc: false },
    { id: 'name', desc: true },
    { id: 'name', desc: false },
  ]);
  expect(nextSort(down, 'sum')).toEqual({ id: 'sum', desc: false });
});

test('a changed filter returns to the first page and keeps the rest', () => {
  const state = { of: [1, 2, 3, 4, 5], sort: { id: 'sum', desc: true }, page: 3, pageSize: 2 };
  expect(fromFirstPage(state, { of: [6, 7] })).toEqual({ ...state, of: [6, 7], page: 1 });
  expect(fromFirstPage(state, { sort: null })).toEqual({ ...state, sort: null, page: 1 });
  expect(fromFirstPage(state, { pageSize: 4 })).toEqual({ ...state, pageSize: 4, page: 1 });
});

test('a refresh stays on its page, or the last remaining one', () => {
  const state = { of: [1, 2, 3, 4, 5], sort: null, page: 3, pageSize: 2 };
  expect(onSamePage(state, [1, 2, 3, 4, 6])).toEqual({ ...state, of: [1, 2, 3, 4, 6] });
  expect(onSamePage(state, [1, 2, 3])).toEqual({ ...state, of: [1, 2, 3], page: 2 });
  expect(onSamePage(state, [])).toEqual({ ...state, of: [], page: 1 });
});

test('a page has its slice, the last the remainder, and one beyond it nothing', () => {
  const rows = ['a', 'b', 'c', 'd', 'e'];
  expect(pageOf(rows, { page: 1, pageSize: 2 })).toEqual({ page: ['a', 'b'], before: 0 });
  expect(pageOf(rows, { page: 3, pageSize: 2 })).toEqual({ page: ['e'], before: 4 });
  expect(pageOf(rows, { page: 4, pageSize: 2 })).toEqual({ page: [], before: 6 });
});

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
