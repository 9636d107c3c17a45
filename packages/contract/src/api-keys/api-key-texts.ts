/** Field messages. */
export const API_KEY_FIELD_TEXTS = {
  wrongTickets: (most: number): string => `Enter a whole number from 1 to ${most}, or leave it out for no limit`,
  nameMissing: 'Name is required',
  wrongAddress: 'Enter an IP address such as 203.0.113.7, or a network such as 203.0.113.0/24',
  noAddresses: 'Addresses must be a list of IP addresses',
  tooManyAddresses: (most: number): string => `Enter at most ${most} addresses`,
} as const;
