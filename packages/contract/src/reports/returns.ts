import * as z from 'zod/mini';
import { choice, period } from '../frame/list-filters.ts';
import { list } from '../frame/list.ts';
import { id, percentOfShare, points, role } from '../frame/primitives.ts';

/** What a return is said to be beside its 99 % band. */
export const STANDINGS = {
  above: 'Above its band',
  below: 'Below its band',
  within: 'Within its band',
  none: 'No draws with bets',
} as const;

/** What the report is narrowed to, by how a return stands. */
export const STANDING_FILTER = { above: 'outside', below: 'outside', within: 'inside', none: 'none' } as const;

const share = z.nullable(z.number());

/** What one game of one admin returned to its players. Returns are fractions: 0.9 is 90 %; null where there were no draws. */
export const returnsRow = z.object({
  /** The id of the pair, as `_id` of the game and admin pairs. */
  id,
  adminId: id,
  username: z.string(),
  gameId: z.string(),
  gameName: z.string(),
  /** The highest return among the game's bets before the booster, by the pays of now. */
  theoretical: z.number(),
  /** The win percentage of now, in percent; null where none is set. */
  winpercentage: z.nullable(z.number()),
  /** What the odds, the pays and the bets of these draws let expect. */
  expected: share,
  /** Wins ÷ stakes. */
  actual: share,
  /** Where 99 % of all returns lie that these draws could have had. */
  low: share,
  high: share,
  /** How actual stands to that. */
  standing: z.enum(['above', 'below', 'within', 'none']),
  /** How many draws: settled, generated, with bets. */
  draws: z.number(),
  /** What was staked on them and won, in points. */
  playPoints: points,
  winPoints: points,
});
/** What one game of one admin returned to its players. */
export type ReturnsRow = z.infer<typeof returnsRow>;

/** A column of a return, in percent in files. */
function returnColumn<const Name extends 'theoretical' | 'expected' | 'actual' | 'low' | 'high'>(
  name: Name,
  header: string,
  width: number,
) {
  const value = (row: ReturnsRow) => (row[name] === null ? null : percentOfShare(row[name]));
  const inFiles = { header: `${header} %`, width: 14, value };
  return { name, kind: 'percent', header, width, sort: true, export: inFiles } as const;
}

/** `GET reports/returns`: what each game of each admin returned, by the server's days that begin within [startDate, endDate]. */
export const returnsReport = list({
  path: 'reports/returns',
  summary:
    'The theoretical, the set and the actual return of each game and admin, with the 99 % band of its draws. Days are those of the server’s time zone that begin within the period.',
  access: ['superadmin', 'admin'],
  row: returnsRow,
  columns: [
    { name: 'gameName', kind: 'text', header: 'Game', width: 140, sort: true, yields: -1, export: { width: 30 } },
    { name: 'username', kind: 'text', header: 'Admin', width: 112, sort: true, export: { width: 30 } },
    returnColumn('theoretical', 'Theoretical', 106),
    {
      name: 'winpercentage',
      kind: 'percent',
      header: 'Set',
      width: 88,
      sort: true,
      export: { header: 'Set %', width: 14 },
    },
    { ...returnColumn('expected', 'Expected', 104), yields: 1 },
    { ...returnColumn('actual', 'Actual', 160), priority: true },
    returnColumn('low', '99 % from', 102),
    returnColumn('high', '99 % to', 90),
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
    choice('standing', 'Band', { outside: 'Outside its band', inside: 'Within its band', none: 'No draws with bets' }),
  ],
  search: 'Search by game or admin',
  extra: {
    /** The caller's. */
    role,
    /** The time zone whose days are summed. */
    timeZone: z.string(),
    /** How many lie outside their bands, whatever the list is narrowed to. */
    outside: z.number(),
  },
  order: 'gameName',
  file: { name: 'ReturnsReport', sheet: 'Returns', numbered: true },
});
