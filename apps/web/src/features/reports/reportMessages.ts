import type { Role } from '@drawhouse/contract/primitives';

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
} as const;
