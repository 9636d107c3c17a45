import type { Role } from '@drawhouse/contract/frame/primitives';

/** The turnover report's texts: the specification's to the letter, then ours. */
export const REPORT = {
  title: 'Turnover Report',
  levels: {
    superadmin: 'Superadmins',
    admin: 'Admins',
    superdistributor: 'Super Distributors',
    distributor: 'Distributors',
    retailer: 'Retailers',
    user: 'Users',
  } satisfies Record<Role, string>,
  summary: {
    totalPlayPoints: 'Total PlayPoints',
    totalWinPoints: 'Total WinPoints',
    endPoint: 'End Point',
    totalCommission: 'Total Commission',
    net: 'Net',
  },
  back: 'Back',
  whose: 'End Point is play less win. Net is what the house keeps of it once all commissions are paid.',
} as const;

/** What is said of the course of a turnover over its period. */
export const COURSE = {
  series: { play: 'Play', win: 'Win', net: 'Net' },
  title: {
    hour: 'Play, win and net by the hour',
    day: 'Play, win and net by day',
    month: 'Play, win and net by month',
  },
  pick: {
    hour: 'Select an hour to see its day alone',
    day: 'Select a day to see it alone',
    month: 'Select a month to see it alone',
  },
  empty: 'Nothing was played in this period.',
} as const;

/** The texts of the returns report. */
export const RETURNS = {
  title: 'Returns',
  outside: (count: number) =>
    count === 0
      ? 'All games lie within their bands.'
      : `${count} ${count === 1 ? 'game lies outside its band' : 'games lie outside their bands'}.`,
  counted:
    'Only generated draws with bets are counted. In 99 of 100 cases chance alone keeps a return within its band: one outside it is worth a look.',
  days: (timeZone: string) => `Days are those of ${timeZone}.`,
  /** Beside a figure, of which they say how it stands to its band. */
  short: { above: 'Above', below: 'Below', none: '' },
  notSet: 'Not set',
  above100: 'In the long run, a bet of this game pays out more than is staked',
  empty: {
    title: 'No games yet',
    text: 'Each game of each admin has a row here, with what it should return to its players and what it did.',
  },
} as const;
