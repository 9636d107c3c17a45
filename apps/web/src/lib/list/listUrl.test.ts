import { id, points, time } from '@drawhouse/contract/core/primitives';
import { list } from '@drawhouse/contract/core/list';
import {
  periodFilter,
  idFilter,
  choiceFilter,
  onDay,
  period,
  pointsBetween,
} from '@drawhouse/contract/core/list-filters';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  withChange,
  clearFiltersChange,
  hrefOf,
  listQueryOf,
  activeFilters,
  readListState,
  viewOf,
  pagingLinks,
} from './listUrl.ts';
import { TODAY } from '../format/periods.ts';

const ID = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';
const NOW = '2026-11-20';
const row = z.object({ _id: id, at: time, stake: points });
const columns = [
  { name: 'at', kind: 'time', header: 'Time', width: 150, sort: true },
  { name: 'stake', kind: 'points', header: 'Stake', width: 120, sort: true },
] as const;
const bets = list({
  path: 'bets',
  summary: 'Bets.',
  access: 'session',
  query: { shop: z.optional(id), book: z._default(z.enum(['day', 'night']), 'day') },
  row,
  columns,
  filters: [
    choiceFilter('state', 'State', { won: 'Won', lost: 'Lost' }),
    idFilter('drawId', 'Draw'),
    pointsBetween('stake', 'Stake'),
    periodFilter('placed', 'Placed'),
    onDay('settled', 'Settled', ['since', 'until']),
  ],
  search: 'Search by player',
  order: '-at',
});
const report = list({
  path: 'report',
  summary: 'A report.',
  access: 'session',
  row,
  columns,
  filters: [period],
  order: '-at',
  paging: 'keyset',
});
const KEPT = ['shop', 'book'];
const read = (search: Record<string, unknown>) => readListState(bets, search, KEPT);
const query = (search: Record<string, unknown>) => listQueryOf(bets, read(search), NOW, TODAY, true);

const WHOLE = {
  page: '3',
  pageSize: '50',
  search: 'a b',
  sort: 'stake',
  shop: ID,
  book: 'night',
  state: 'won',
  drawId: ID,
  stakeFrom: '9',
  stakeTo: '12.50',
  placedFrom: '2026-01-01',
  placedTo: '2026-01-31',
  settled: '2026-02-01',
};

describe('a list URL', () => {
  test('is read as written', () => {
    expect(read(WHOLE)).toEqual(WHOLE);
    expect(Object.fromEntries(new URL(`x:${hrefOf('/p', read(WHOLE))}`).searchParams)).toEqual(WHOLE);
  });
  test("is empty for a list's initial state", () => {
    expect(read({ page: '1', pageSize: '25', sort: '-at', search: '' })).toEqual({});
    expect(hrefOf('/p', {})).toBe('/p');
  });
  test.each([
    { page: '0' },
    { page: 'x', pageSize: '9999' },
    { sort: 'at;drop' },
    { sort: '-player' },
    { state: 'open' },
    { drawId: '7' },
    { stakeFrom: '1e3' },
    { stakeFrom: '10', stakeTo: '9.99' },
    { placedFrom: '2026-02-31' },
    { placedFrom: '2026-02-02', placedTo: '2026-02-01' },
    { placedFrom: '1970-01-01', placedTo: '1975-01-01' },
    { settled: 'today' },
    { book: 'noon', before: ID, other: 'x' },
  ])('falls back on invalid input: %o', (wrong) => {
    expect(read(wrong)).toEqual({});
  });
  test('keeps a search as typed, up to 100 characters', () => {
    expect(read({ search: `ann ${'x'.repeat(200)}` })['search']).toHaveLength(100);
    expect(read({ search: 'ann ' })).toEqual({ search: 'ann ' });
  });
  test('of a report has a period, by number or days', () => {
    const days = { startDate: '2026-01-01', endDate: '2026-01-31' };
    expect(readListState(report, { period: '8', ...days })).toEqual({ period: '8', ...days });
    expect(readListState(report, { period: '4' })).toEqual({ period: '4' });
    expect(readListState(report, { period: '4', startDate: '2026-02-01', endDate: '2026-01-01' })).toEqual({});
    expect(readListState(report, { startDate: 'x', endDate: '2026-01-01' })).toEqual({});
    expect(readListState(report, { startDate: '2020-01-01', endDate: '2025-01-01' })).toEqual({});
    expect(readListState(report, { startDate: '2020-01-01', endDate: '2024-12-31' })).not.toEqual({});
  });
  test('of a keyset list has one neighbor', () => {
    expect(readListState(report, { before: ID, after: '0', page: '2' })).toEqual({ before: ID });
    expect(readListState(report, { before: '%', after: '0', no: '26' })).toEqual({ after: '0', no: '26' });
    expect(readListState(report, { before: ID, no: '0' })).toEqual({ before: ID });
    expect(readListState(report, { no: '26' })).toEqual({});
    expect(listQueryOf(report, { before: ID, no: '26' }, NOW, TODAY, true)).not.toHaveProperty('no');
  });
});

describe('the list call', () => {
  test('requests what the URL shows, with its days as instants', () => {
    const { placedFrom, placedTo, settled, ...same } = WHOLE;
    expect(query(WHOLE)).toEqual({
      ...same,
      placedFrom: new Date(`${placedFrom}T00:00:00.000`).toISOString(),
      placedTo: new Date(`${placedTo}T23:59:59.999`).toISOString(),
      since: new Date(`${settled}T00:00:00.000`).toISOString(),
      until: new Date(`${settled}T23:59:59.999`).toISOString(),
    });
  });
  test('always has a page, exports never', () => {
    expect(query({ search: '  ' })).toEqual({ page: '1', pageSize: '25' });
    expect(listQueryOf(bets, read({ page: '2', state: 'won' }), NOW, TODAY, false)).toEqual({ state: 'won' });
  });
  test('may have one end only', () => {
    expect(query({ placedTo: '2026-01-31' })).toEqual({
      page: '1',
      pageSize: '25',
      placedTo: new Date('2026-01-31T23:59:59.999').toISOString(),
    });
  });
  test('of a report always has a period', () => {
    const today = { startDate: new Date('2026-11-20T00:00:00').toISOString() };
    expect(listQueryOf(report, {}, NOW, TODAY, true)).toMatchObject(today);
    expect(listQueryOf(report, {}, NOW, TODAY, true)).not.toHaveProperty('period');
  });
});

describe('a change of the list', () => {
  test('returns to the first page, except a page change', () => {
    expect(withChange({ page: '3', sort: 'at', pageSize: '50' }, { state: 'won' })).toEqual({
      sort: 'at',
      pageSize: '50',
      state: 'won',
    });
    expect(withChange({ before: ID, no: '26' }, { pageSize: 50 })).toEqual({ pageSize: '50' });
    expect(withChange({ page: '3', state: 'won' }, { page: 4 })).toEqual({ page: '4', state: 'won' });
  });
  test('keeps the order when clearing', () => {
    const { page: _, sort, pageSize, shop, book } = WHOLE;
    expect(withChange(read(WHOLE), clearFiltersChange(bets))).toEqual({ sort, pageSize, shop, book });
  });
});

describe('steps of a keyset list', () => {
  const answer = { rows: 25, total: 60, totalIsMore: false, older: 'old', newer: 'new' };
  test("follow the list's order and count on", () => {
    expect(pagingLinks(report, { no: '26', before: 'x' }, answer)).toEqual({
      descending: true,
      first: {},
      back: { after: 'new', no: 1 },
      next: { before: 'old', no: 51 },
      last: { after: '0', no: 36 },
    });
    expect(pagingLinks(report, { sort: 'at' }, { ...answer, older: null })).toMatchObject({
      descending: false,
      first: null,
      next: { after: 'new', no: 26 },
      last: { before: '0', no: 36 },
    });
  });
  test('have no number if nothing was counted', () => {
    expect(pagingLinks(report, {}, { ...answer, newer: null, totalIsMore: true }).last).toEqual({ after: '0' });
    expect(pagingLinks(report, { after: '0' }, { ...answer, older: null })).toMatchObject({
      next: null,
      last: null,
      back: { after: 'new' },
    });
  });
});

test('a view contains filters and order, but no page', () => {
  const { page: _, pageSize: __, ...rest } = WHOLE;
  expect(viewOf(read(WHOLE))).toEqual(rest);
  expect(activeFilters(bets, read(WHOLE))).toEqual(['search', 'state', 'drawId', 'stake', 'placed', 'settled']);
  expect(activeFilters(bets, read({ search: ' ', sort: 'at', shop: ID }))).toEqual([]);
});

const anyText = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '1',
    '25',
    '0',
    '-1',
    '2026-01-31',
    '2026-01-01T00:00:00Z',
    'at',
    '-at',
    'won',
    ID,
    '8',
    '12.50',
    '99999999999999.99',
  ),
  fc.nat().map(String),
  fc
    .date({ min: new Date('1960-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
);
const NAMES = [...Object.keys(WHOLE), 'before', 'after', 'no', 'period', 'startDate', 'endDate', 'since', 'date'];
const anyUrl = fc.dictionary(fc.constantFrom(...NAMES), anyText, { maxKeys: NAMES.length });

test.each([
  ['pages', bets],
  ['keyset', report],
])('any list URL by %s survives a round trip and yields a valid call', (_, of) => {
  fc.assert(
    fc.property(anyUrl, (search) => {
      const state = readListState(of, search, KEPT);
      const again = new URL(`x:${hrefOf('/p', state)}`).searchParams;
      expect(readListState(of, Object.fromEntries(again), KEPT)).toEqual(state);
      const asked = listQueryOf(of, state, NOW, TODAY, true);
      expect(of.route.query!.safeParse(asked)).toMatchObject({ success: true });
      expect(Object.keys(asked).filter((name) => !(name in of.route.query!.shape))).toEqual([]);
    }),
  );
});
