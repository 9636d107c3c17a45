/** The first part of every query's key, by feature; a mutation invalidates the parts that it changed. */
export const queryKeys = {
  session: 'session',
  /** The own balance in the top bar. */
  credit: 'credit',
  accounts: 'accounts',
  counts: 'counts',
  games: 'games',
  live: 'live',
  reports: 'reports',
  activity: 'activity',
  notices: 'notices',
  backups: 'backups',
  /** What is under way with the own network. */
  networkWork: 'networkWork',
  clearing: 'clearing',
  /** Limits, breaks and exclusions of players. */
  protection: 'protection',
  /** The keys of programs that bet for players. */
  apiKeys: 'apiKeys',
} as const;
