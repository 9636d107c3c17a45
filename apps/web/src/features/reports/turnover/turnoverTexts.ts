import type { Role } from '@drawhouse/contract/core/primitives';

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
  whose: 'End Point is play minus win. Net is what the house keeps after all commissions.',
  eachThemIsListed: 'Each of them is listed here with the play below it in the period.',
  chainAccounts: 'Chain of accounts',
} as const;

export const courseTexts = {
  series: { play: 'Play', win: 'Win', net: 'Net' },
  title: {
    hour: 'Play, win and net by the hour',
    day: 'Play, win and net by day',
    month: 'Play, win and net by month',
  },
  pick: {
    hour: 'Select an hour to see only its day',
    day: 'Select a day to see only that day',
    month: 'Select a month to see only that month',
  },
  empty: 'Nothing was played in this period.',
} as const;
