import type { TurnoverRow } from '@drawhouse/contract/reports';
import { describe, expect, test } from 'vitest';
import { readCount, readSort, sortedRows, sortText, totalsOf } from './turnoverRows.ts';

const row = (username: string, points: Partial<TurnoverRow> = {}): TurnoverRow => ({
  id: username,
  role: 'admin',
  username,
  playPoints: 0,
  winPoints: 0,
  endPoints: 0,
  supercom: 0,
  distcom: 0,
  retailcom: 0,
  usercom: 0,
  net: 0,
  ...points,
});

describe('totals', () => {
  test('are exact where floats are not', () => {
    const rows = Array.from({ length: 10 }, (_, i) => row(`a${i}`, { playPoints: 0.1, winPoints: 0.2, net: -0.1 }));
    expect(totalsOf(rows)).toMatchObject({ playPoints: 1, winPoints: 2, net: -1, supercom: 0 });
  });
  test('of nothing are zero', () => {
    expect(totalsOf([]).net).toBe(0);
  });
});

describe('order', () => {
  const rows = [row('b2', { net: -5 }), row('B10', { net: 7 }), row('a', { net: 7 })];
  const names = (sort: string) => sortedRows(rows, readSort(sort)).map((each) => each.username);
  test('names as people read them', () => {
    expect(names('username')).toEqual(['a', 'b2', 'B10']);
    expect(names('-username')).toEqual(['B10', 'b2', 'a']);
  });
  test('points by size, losses first, equal ones keep their order', () => {
    expect(names('net')).toEqual(['b2', 'B10', 'a']);
    expect(names('-net')).toEqual(['B10', 'a', 'b2']);
  });
  test.each(['', '-', 'password', undefined, 5])('%s is no order', (text) => {
    expect(readSort(text)).toBeNull();
  });
  test('reads back as written', () => {
    expect(readSort(sortText({ id: 'net', desc: true }))).toEqual({ id: 'net', desc: true });
  });
});

test.each([
  [2, 2],
  ['3', 3],
  [0, 1],
  [-1, 1],
  [1.5, 1],
  ['x', 1],
  [undefined, 1],
])('page %s is %d', (value, page) => {
  expect(readCount(value, 1)).toBe(page);
});
