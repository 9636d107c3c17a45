import * as z from 'zod/mini';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { list, valueOf, type ListRow } from './list.ts';
import { fileColumns } from './list-file.ts';
import { periodFilter, idFilter, checked, choiceFilter, period, pointsBetween } from './list-filters.ts';
import { id, points, time } from './primitives.ts';
import type { RouteAnswer, RouteInput } from './route.ts';

const bets = list({
  path: 'shops/:shopId/bets',
  summary: 'The bets of a shop.',
  access: ['admin'],
  params: { shopId: id },
  query: { shift: z.optional(z.string()) },
  row: z.object({ _id: id, at: time, stake: points, player: z.nullable(z.object({ username: z.string() })) }),
  columns: [
    { name: 'at', kind: 'time', header: 'Time', width: 150, sort: true, export: { width: 22 } },
    {
      name: 'player',
      kind: 'text',
      header: 'Player',
      width: 120,
      value: (row) => row.player?.username ?? 'N/A',
      sort: true,
      export: { header: 'UserName', width: 30 },
    },
    { name: 'stake', kind: 'points', header: 'Stake', width: 120, total: true, export: { width: 15 } },
    { name: '_id', kind: 'code', header: 'Id', width: 120 },
  ],
  filters: [
    choiceFilter('state', 'State', { won: 'Won', lost: 'Lost' }),
    idFilter('drawId', 'Draw'),
    pointsBetween('stake', 'Stake'),
    periodFilter('placed', 'Placed'),
    periodFilter('settled', 'Settled', ['since', 'until']),
  ],
  search: 'Search by player',
  order: '-at',
  extra: { shop: z.object({ name: z.string() }) },
  file: { name: 'Bets', sheet: 'Bets', columns: ['player', 'at', 'stake'], paths: { xlsx: 'shops/:shopId/export' } },
});

const query = (given: Record<string, string>) => {
  const parsed = bets.route.query!.safeParse(given);
  return parsed.success
    ? parsed.data
    : Object.fromEntries(parsed.error.issues.map((i) => [i.path.join('.'), i.message]));
};

describe('the query of a list', () => {
  test('has page, order, search, filters and its own fields', () => {
    const asked = { page: '2', pageSize: '50', search: ' ann ', sort: '-player', shift: 'late', state: 'won' };
    expect(query({ ...asked, stakeFrom: '5', stakeTo: '12.50' })).toEqual({
      ...asked,
      page: 2,
      pageSize: 50,
      search: 'ann',
      stakeFrom: 5,
      stakeTo: 12.5,
    });
  });
  test.each([
    [{ sort: 'stake' }, { sort: 'Sort by one of at, player, with - in front for descending order' }],
    [{ state: 'open' }, { state: 'State must be one of won, lost' }],
    [{ drawId: '7' }, { drawId: 'An id looks like 0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d' }],
    [{ stakeFrom: '1e3' }, { stakeFrom: 'Enter an amount in plain digits with at most 2 decimals, such as 12.50' }],
    [{ stakeFrom: '10', stakeTo: '9.99' }, { stakeTo: 'The maximum is less than the minimum' }],
    [
      { since: '2026-01-02T00:00:00.000Z', until: '2026-01-01T23:59:59.999Z' },
      { until: 'The end is before the start' },
    ],
    [
      { since: '2021-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' },
      { until: 'The end is more than 5 years after the start' },
    ],
  ])('refuses %o and names the field', (given, wrong) => {
    expect(query(given)).toEqual(wrong);
  });
  test('accepts five years across a clock change', () => {
    const years = { since: '2021-11-04T04:00:00.000Z', until: '2026-11-04T04:59:59.999Z' };
    expect(query(years)).toEqual(years);
  });
  test('accepts equal ends', () => {
    expect(query({ stakeFrom: '10', stakeTo: '10' })).toEqual({ stakeFrom: 10, stakeTo: 10 });
  });
  test('always has a period in a report', () => {
    const report = list({
      path: 'report',
      summary: 'A report.',
      access: 'session',
      row: z.object({ name: z.string() }),
      columns: [{ name: 'name', kind: 'text', header: 'Name', width: 100 }],
      filters: [period],
      paging: 'keyset',
    });
    expect(report.route.query!.safeParse({}).success).toBe(false);
    expect(Object.keys(report.route.query!.shape)).toEqual([
      'page',
      'before',
      'after',
      'pageSize',
      'startDate',
      'endDate',
    ]);
    expect(Object.keys(report.route.response.shape)).toEqual([
      'success',
      'message',
      'data',
      'total',
      'totalIsMore',
      'older',
      'newer',
    ]);
    expect(report.files).toEqual([]);
  });
});

describe('the answer of a list', () => {
  test('has rows, count, column totals and its own fields', () => {
    expect(Object.keys(bets.route.response.shape)).toEqual(['success', 'message', 'shop', 'data', 'total', 'totals']);
    expect(Object.keys(bets.route.response.shape.totals.shape)).toEqual(['stake']);
  });
  test('is typed', () => {
    expectTypeOf<RouteAnswer<typeof bets.route>['data'][number]>().toEqualTypeOf<ListRow<typeof bets>>();
    expectTypeOf<RouteAnswer<typeof bets.route>['shop']['name']>().toEqualTypeOf<string>();
    expectTypeOf<RouteInput<typeof bets.route>['params']['shopId']>().toEqualTypeOf<string>();
    expectTypeOf<NonNullable<RouteInput<typeof bets.route>['query']>['state']>().toEqualTypeOf<
      'won' | 'lost' | undefined
    >();
  });
});

describe('the files of a list', () => {
  test('take filters and order, but no page', () => {
    expect(bets.files.map(({ route }) => route.path)).toEqual(['shops/:shopId/export', 'shops/:shopId/bets/csv']);
    const shape = (bets.files[0]!.route.query as z.ZodMiniObject).shape;
    expect(Object.keys(shape)).toEqual(
      ['shift', 'search', 'sort', 'state', 'drawId', 'stakeFrom', 'stakeTo'].concat([
        'placedFrom',
        'placedTo',
        'since',
        'until',
        'timeZone',
      ]),
    );
  });
  test('contain exported columns in their own order', () => {
    expect(fileColumns(bets).map((column) => column.export!.header ?? column.header)).toEqual([
      'UserName',
      'Time',
      'Stake',
    ]);
  });
  test("take a column's value from its field or function", () => {
    const row = { _id: 'x', at: 'then', stake: 5, player: null };
    expect(bets.columns.map((column) => valueOf(column, row))).toEqual(['then', 'N/A', 5, 'x']);
  });
});

describe('a period', () => {
  const closed = checked(z.object({ wallet: z.optional(z.string()), ...period.fields }), [period]);
  const [early, late] = ['2026-03-09T18:30:00.000Z', '2026-03-10T18:29:59.999Z'];

  test.each([
    [closed, { startDate: early, endDate: late }],
    [closed, { startDate: late, endDate: late }],
    // As text, the second value would sort first.
    [closed, { startDate: '2026-03-09T18:30:00.5Z', endDate: '2026-03-09T18:30:00.500Z' }],
  ])('ends at or after its start', (schema, given) => expect(schema.safeParse(given).success).toBe(true));

  test('names its end if it precedes the start', () => {
    const { error } = closed.safeParse({ startDate: late, endDate: early });
    expect(error?.issues).toMatchObject([{ path: ['endDate'], message: 'The end is before the start' }]);
  });

  test('ignores order if an end is invalid', () => {
    const { error } = closed.safeParse({ startDate: late, endDate: 'x' });
    expect(error?.issues).toMatchObject([
      { path: ['endDate'], message: 'Enter a time such as 2026-01-31T18:30:00.000Z' },
    ]);
  });
});
