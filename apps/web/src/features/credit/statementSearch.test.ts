import { expect, test } from 'vitest';
import { readStatementSearch, statementHref } from './statementSearch.ts';

test('what is shared is read again as it was', () => {
  const search = { period: '8', startDate: '2026-01-01', endDate: '2026-01-31', wallet: 'commission', before: '17' };
  const read = readStatementSearch(search);
  expect(Object.fromEntries(new URL(`x:${statementHref('/p', read)}`).searchParams)).toEqual(search);
});

test('a fresh statement is the credit, newest first, and says nothing in its address', () => {
  const fresh = readStatementSearch({});
  expect(fresh).toEqual({ wallet: 'credit', pageSize: 25 });
  expect(statementHref('/p', fresh)).toBe('/p');
});

test('nonsense falls back', () => {
  expect(readStatementSearch({ wallet: 'escrow', period: '9', before: 'x', after: '-1', pageSize: '0' })).toEqual({
    wallet: 'credit',
    pageSize: 25,
  });
});
