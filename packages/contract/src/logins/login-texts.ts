import type { Permission } from '../core/permissions.ts';

export const PERMISSION_NAMES: Readonly<Record<Permission, string>> = {
  lists: 'See accounts and statements',
  reports: 'See reports, tickets and the log',
  exports: 'Export files',
  notices: 'See and hide notices',
  accounts: 'Create and change accounts',
  credit: 'Give credit',
  adjustments: 'Take credit back, reverse, pay commission, fund tables',
  panels: 'Open live panels',
  results: 'Declare results and void draws',
  settings: 'Change games, limits and settings',
  backups: 'Back up, restore and clear history',
  keys: 'Manage API keys',
  logins: 'Manage logins',
};

export const LOGIN_FIELD_TEXTS = {
  nameMissing: 'Name is required',
  wrongPermissions: 'Permissions must be a list of known permissions',
  wrongGames: 'Games must be a list of ids',
  wrongClock: 'Enter a time of day such as 09:30',
  bothHours: 'Enter both times, or neither',
  noAddresses: 'Addresses must be a list of IP addresses',
  tooManyAddresses: (most: number): string => `Enter at most ${most} addresses`,
} as const;
