import { expect, test } from 'vitest';
import { readAllPages } from './readAllPages.ts';

const signal = new AbortController().signal;
const list = { route: {}, filters: [], search: undefined, order: 'no', rowsKey: 'data' } as const;
const ROWS = Array.from({ length: 1_203 }, (_, index) => index);

const numbered = async ({ page, pageSize }: Readonly<Record<string, string>>) => {
  const start = (Number(page) - 1) * Number(pageSize);
  return { data: ROWS.slice(start, start + Number(pageSize)), total: ROWS.length };
};

test('reads numbered pages to the last row', async () => {
  const rows = await readAllPages({ ...list, paging: 'pages' }, {}, { most: 10_000, signal }, numbered);
  expect(rows).toEqual(ROWS);
});

test('stops at the largest number of rows wanted', async () => {
  const rows = await readAllPages({ ...list, paging: 'pages' }, {}, { most: 700, signal }, numbered);
  expect(rows).toEqual(ROWS.slice(0, 700));
});

test('counts only wanted rows, and reads on for them', async () => {
  const isWanted = (row: number) => row % 2 === 1;
  const rows = await readAllPages({ ...list, paging: 'pages' }, {}, { most: 400, signal, isWanted }, numbered);
  expect(rows).toEqual(ROWS.filter(isWanted).slice(0, 400));
  const all = await readAllPages({ ...list, paging: 'pages' }, {}, { most: 10_000, signal, isWanted }, numbered);
  expect(all).toEqual(ROWS.filter(isWanted));
});

test('ends if rows disappear meanwhile', async () => {
  const shrinking = async ({ page }: Readonly<Record<string, string>>) => ({ data: page === '1' ? [1] : [], total: 9 });
  expect(await readAllPages({ ...list, paging: 'pages' }, {}, { most: 10, signal }, shrinking)).toEqual([1]);
});

test.each([
  ['ascending', 'no', 'newer', 'after'],
  ['descending', '-no', 'older', 'before'],
])('follows the cursor of a keyset list in %s order', async (_, sort, cursor, field) => {
  const rows = await readAllPages({ ...list, paging: 'keyset' }, { sort }, { most: 10_000, signal }, async (query) => {
    const start = Number(query[field] ?? 0);
    const end = start + Number(query['pageSize']);
    return {
      data: ROWS.slice(start, end),
      total: 100,
      older: null,
      newer: null,
      [cursor]: end < ROWS.length ? String(end) : null,
    };
  });
  expect(rows).toEqual(ROWS);
});
