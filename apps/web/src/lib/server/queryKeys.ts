/** First part of every query key. Mutations invalidate by it. */
export const queryKeys = {
  session: 'session',
  credit: 'credit',
  accounts: 'accounts',
  counts: 'counts',
  games: 'games',
  house: 'house',
  live: 'live',
  reports: 'reports',
  activity: 'activity',
  notices: 'notices',
  backups: 'backups',
  networkWork: 'networkWork',
  clearing: 'clearing',
  protection: 'protection',
  apiKeys: 'apiKeys',
  approvals: 'approvals',
} as const;
