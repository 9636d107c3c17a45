import * as z from 'zod/mini';
import { choiceFilter, period } from '../core/list-filters.ts';
import { list, withFreshness } from '../core/list.ts';
import { id, percentOfShare, points, role } from '../core/primitives.ts';
import { REPORT_FIELD_TEXTS } from '../core/field-texts.ts';

export const STANDINGS = {
  above: 'Above its band',
  below: 'Below its band',
  within: 'Within its band',
  none: 'No draws with bets',
} as const;

export const STANDING_FILTER = { above: 'outside', below: 'outside', within: 'inside', none: 'none' } as const;

const share = z.nullable(z.number());

/** Returns are fractions: 0.9 is 90 %. Null without draws. */
export const returnsRow = z.object({
  id,
  adminId: id,
  username: z.string(),
  gameId: z.string(),
  gameName: z.string(),
  /** Highest of the game's bets under current pays, before the booster. */
  theoretical: z.number(),
  winpercentage: z.nullable(z.number()),
  expected: share,
  /** Wins ÷ stakes. */
  actual: share,
  /** 99 % band. */
  low: share,
  high: share,
  standing: z.enum(['above', 'below', 'within', 'none']),
  /** Settled, generated draws with bets. */
  draws: z.number(),
  playPoints: points,
  winPoints: points,
});
export type ReturnsRow = z.infer<typeof returnsRow>;

function returnColumn<const Name extends 'theoretical' | 'expected' | 'actual' | 'low' | 'high'>(
  name: Name,
  header: string,
  width: number,
) {
  const value = (row: ReturnsRow) => (row[name] === null ? null : percentOfShare(row[name]));
  const inFiles = { header: `${header} %`, width: 14, value };
  return { name, kind: 'percent', header, width, sort: true, export: inFiles } as const;
}

export const returnsReport = list({
  path: 'reports/returns',
  summary:
    'The theoretical, set and actual return of each game and admin, with the 99 % band of its draws. Days are those ' +
    'of the server’s time zone that begin within the period.',
  access: ['superadmin', 'admin'],
  permission: 'reports',
  row: returnsRow,
  columns: [
    {
      name: 'gameName',
      kind: 'text',
      header: 'Game',
      width: 140,
      sort: true,
      yields: -1,
      about: (row) => ({ kind: 'game', id: row.gameId, adminId: row.adminId, username: row.username }),
      export: { width: 30 },
    },
    {
      name: 'username',
      kind: 'text',
      header: 'Admin',
      width: 112,
      sort: true,
      about: (row) => ({ kind: 'account', id: row.adminId, role: 'admin' }),
      export: { width: 30 },
    },
    returnColumn('theoretical', 'Theoretical', 106),
    {
      name: 'winpercentage',
      kind: 'percent',
      header: 'Set',
      width: 88,
      sort: true,
      export: { header: 'Set %', width: 14 },
    },
    { ...returnColumn('expected', 'Expected', 104), yields: 3 },
    { ...returnColumn('actual', 'Actual', 176), priority: true },
    { ...returnColumn('low', '99 % from', 102), yields: 4 },
    { ...returnColumn('high', '99 % to', 90), yields: 4 },
    {
      name: 'standing',
      kind: 'text',
      header: 'Standing',
      width: 130,
      onPage: false,
      value: (row) => STANDINGS[row.standing],
      export: { width: 20 },
    },
    { name: 'draws', kind: 'count', header: 'Draws', width: 76, sort: true, export: { width: 10 } },
    {
      name: 'playPoints',
      kind: 'points',
      header: 'Play Points',
      width: 112,
      sort: true,
      total: true,
      yields: 2,
      export: { width: 16 },
    },
    {
      name: 'winPoints',
      kind: 'points',
      header: 'Win Points',
      width: 112,
      sort: true,
      total: true,
      yields: 2,
      export: { width: 16 },
    },
  ],
  filters: [
    period,
    choiceFilter('standing', 'Band', {
      outside: 'Outside its band',
      inside: 'Within its band',
      none: 'No draws with bets',
    }),
  ],
  search: REPORT_FIELD_TEXTS.searchReturns,
  extra: {
    ...withFreshness,
    role,
    timeZone: z.string(),
    /** Ignores filters. */
    outside: z.number(),
  },
  order: 'gameName',
  file: { name: 'ReturnsReport', sheet: 'Returns', numbered: true },
});
