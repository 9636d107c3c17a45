import { expect, test } from 'vitest';
import { listSearchParts, parseListSearch, sortOf, sortText } from './listSearch.ts';

test('a search survives the way through its URL', () => {
  const search = { page: 3, pageSize: 50, search: 'a b', sort: '-createdAt', parentId: 'x', date: '2026-01-31' };
  expect(parseListSearch(listSearchParts(search))).toEqual(search);
});

test('what makes no sense falls back', () => {
  const wrong = { page: '0', pageSize: '9999', sort: 'a;b', date: 'today' };
  expect(parseListSearch(wrong)).toEqual(parseListSearch({}));
  expect(parseListSearch({ date: '2026-02-31' }).date).toBe('');
});

test('a search at its start leaves the URL clean', () => {
  const set = Object.values(listSearchParts(parseListSearch({}))).filter((part) => part !== undefined);
  expect(set).toEqual([]);
});

test.each(['username', '-username'])('%s is read and written alike', (text) => {
  const sort = sortOf(text);
  expect(sort && sortText(sort)).toBe(text);
});
