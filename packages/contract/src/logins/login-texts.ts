export const LOGIN_FIELD_TEXTS = {
  nameMissing: 'Name is required',
  wrongPermissions: 'Permissions must be a list of known permissions',
  wrongGames: 'Games must be a list of ids',
  wrongClock: 'Enter a time of day such as 09:30',
  bothHours: 'Enter both times, or neither',
  noAddresses: 'Addresses must be a list of IP addresses',
  tooManyAddresses: (most: number): string => `Enter at most ${most} addresses`,
} as const;
