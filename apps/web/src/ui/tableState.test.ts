import { expect, test } from 'vitest';
import { fromFirstPage, nextSort, onSamePage, pageOf } from './tableState.ts';

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
