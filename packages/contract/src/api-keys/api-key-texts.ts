export const API_KEY_FIELD_TEXTS = {
  wrongTickets: (most: number): string => `Enter a whole number from 1 to ${most}, or leave it out for no limit`,
  wrongPermission: 'Choose from the rights that a key may have',
  nameMissing: 'Name is required',
  noAddresses: 'Addresses must be a list of IP addresses',
  tooManyAddresses: (most: number): string => `Enter at most ${most} addresses`,
} as const;
