import type { Role } from '../core/roles.ts';

export const ACCOUNT_FIELD_TEXTS = {
  usernameMissing: 'Username is required',
  wrongUsername: 'Use 3 to 32 letters from a to z, digits, dots, underscores or hyphens',
  passwordShort: (least: number): string => `Use at least ${least} characters`,
  passwordLong: (most: number): string => `Use at most ${most} characters`,
  passwordUniform: 'Use at least 3 different characters',
  noteMissing: 'Note is required',
  limitNumber: 'Enter a limit as a number, such as 500',
  limitDigits: 'Enter a limit in plain digits with at most 2 decimals, or leave it empty for no limit',
  lineNumber: 'Enter a line as a number, such as 500',
  lineDigits:
    'Enter a line in plain digits with at most 2 decimals, or leave it empty to use the credit given to the network',
  wrongStatus: 'Status must be true (active) or false',
  wrongRole: (role: string): string => `The role here must be ${role}`,
  commissionMissing: 'Commission is required',
  noRows: 'Send a list of rows',
  fewRows: 'Send at least one row',
  manyRows: (most: number): string => `Import at most ${most} accounts at once`,
  idList: 'Separate ids with commas',
  tooManyIds: (most: number): string => `Send at most ${most} ids`,
} as const;

/** docs/spec/accounts-and-credit.md §8, which has none for players. */
export const DELETED: Readonly<Record<Role, string>> = {
  superadmin: 'Superadmin deleted successfully.',
  admin: 'Admin deleted successfully.',
  superdistributor: 'SuperDistributors deleted successfully.',
  distributor: 'SuperDistributors deleted successfully.',
  retailer: 'SuperRetailerss deleted successfully.',
  user: 'User deleted successfully.',
};
