import { expect, test } from 'vitest';
import { readStatementSearch, statementHref } from './statementSearch.ts';

const ID = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';

test('what is shared is read again as it was', () => {
  const search = { period: '8', startDate: '2026-01-01', endDate: '2026-01-31', wallet: 'commission', before: ID };
  const read = readStatementSearch(search);
  expect(Object.fromEntries(new URL(`x:${statementHref('/p', read)}`).searchParams)).toEqual(search);
});

test('a fresh statement is the credit, newest first, and says nothing in its address', () => {
  const fresh = readStatementSearch({});
  expect(fresh).toEqual({ wallet: 'credit', pageSize: 25 });
  expect(statementHref('/p', fresh)).toBe('/p');
});

test('nonsense falls back', () => {
  expect(readStatementSearch({ wallet: 'escrow', period: '9', before: 'x', after: '1', pageSize: '0' })).toEqual({
    wallet: 'credit',
    pageSize: 25,
  });
});
