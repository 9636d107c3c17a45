import type { Role } from '@drawhouse/contract/frame/primitives';

/** The turnover report's texts: the specification's to the letter, then ours. */
export const turnoverTexts = {
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
export const courseTexts = {
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
