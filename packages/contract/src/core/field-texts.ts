/** Shown beside the field's name, so none ends with a full stop. */
export const CORE_TEXTS = {
  noText: 'Send text',
  tooLong: (most: number): string => `Use at most ${most} characters`,
  wrongId: 'An id looks like 0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d',
  noAccounts: 'Send a list of accounts',
  chooseAccounts: 'Choose at least one account',
  tooManyAccounts: (most: number): string => `Choose at most ${most} accounts at once`,
  accountTwice: 'Name each account once',
  wrongAddress: 'Enter an IP address such as 203.0.113.7, or a network such as 203.0.113.0/24',
  wrongTime: 'Enter a time such as 2026-01-31T18:30:00.000Z',
  wrongTimeZone: 'Enter an IANA time zone, such as Asia/Kolkata',
  wrongDay: 'Enter a date such as 2026-01-31',
  wrongDayOrTime: 'Enter a date such as 2026-01-31, or a time such as 2026-01-31T18:30:00.000Z',
  plainAmount: 'Enter an amount above 0 in plain digits with at most 2 decimals, such as 12.50',
  numberAmount: 'Enter an amount above 0 as a number, such as 12.50',
  wrongPercentage: 'Enter a percentage from 0 to 100',
  exactPercentage: 'Enter a percentage from 0 to 100 with at most 2 decimals',
  oneOf: (name: string, values: readonly string[]): string => `${name} must be one of ${values.join(', ')}`,
  searchTooLong: (most: number): string => `Search for at most ${most} characters`,
  wrongSortField: 'Sort by a field name, with - in front for descending order',
  wholeNumber: (min: number, max: number): string => `Enter a whole number from ${min} to ${max}`,
  noUpdates: 'Updates must be a list of rows',
  fewUpdates: 'Change at least one row',
  manyUpdates: (most: number): string => `Change at most ${most} rows at once`,
  passwordMissing: 'Password is required',
  invisible: 'Remove invisible characters, such as zero-width spaces and direction marks',
  mixedScripts: (word: string): string =>
    `Use one script in “${word}”: it mixes Latin letters with Greek or Cyrillic ones`,
  wrongCaller: 'Send the signed-in account as sign-in returned it, or its id',
  wrongPoints: 'Enter an amount in plain digits with at most 2 decimals, such as 12.50',
  maximumTooLow: 'The maximum is less than the minimum',
  endBeforeStart: 'The end is before the start',
  periodTooLong: (years: number): string => `The end is more than ${years} years after the start`,
  wrongAfter: 'Use the value that the last page returned',
  onlyFirstPage:
    'Only the first page has a number: send page=1, or send before with the value that the last page returned as older',
  wrongSort: (names: readonly string[]): string =>
    `Sort by one of ${names.join(', ')}, with - in front for descending order`,
  searchNamesAndReferences: 'Search by username or reference',
  searchNames: 'Search by username',
  trueOrFalse: 'Send true or false',
  wrongAction: 'The action must be activate or deactivate',
  noGames: 'Games must be a list of game ids',
  tooManyGames: (most: number): string => `Choose at most ${most} games`,
  tooMany: (most: number): string => `Use at most ${most}`,
  noFile: 'Send a file, or an empty value to remove it',
  gameMissing: 'Game is required',
} as const;

export const ACTIVITY_FIELD_TEXTS = {
  subjectMissing: 'Describe the action in subject',
  wrongMethod: 'Enter an HTTP method, such as GET',
} as const;

export const API_KEY_FIELD_TEXTS = {
  wrongTickets: (most: number): string => `Enter a whole number from 1 to ${most}, or leave it out for no limit`,
  wrongPermission: 'Choose from the rights that a key may have',
  nameMissing: 'Name is required',
  noAddresses: 'Addresses must be a list of IP addresses',
  tooManyAddresses: (most: number): string => `Enter at most ${most} addresses`,
} as const;

export const BACKUP_FIELD_TEXTS = {
  folderMissing: 'Send the folder of a backup, as listed by backup/list-backups',
  wrongRenames: 'Send renames as a JSON object of old and new usernames, such as {"anita":"anita2"}',
} as const;

export const FIRST_STEPS_FIELD_TEXTS = {
  fewGames: 'Choose at least one game',
} as const;

export const REPORT_FIELD_TEXTS = {
  wrongShow: 'Show must be online or all',
  wrongStatus: 'Choose completed or transit',
  noTicketData: 'No ticket data available.',
  searchMissing: 'Search text is required',
  searchReturns: 'Search by game or admin',
} as const;

/** Those about amounts are from docs/spec/accounts-and-credit.md §5. */
export const CREDIT_FIELD_TEXTS = {
  wrongWallet: 'The wallet must be credit, commission or winnings',
  amountMissing: 'Amount is required',
  wrongTransfer: 'Invalid transfer amount. Please enter a valid number.',
  notAboveZero: 'Amount must be greater than 0',
  noteNotText: 'Note must be text',
  wrongTransactionType: 'Transaction type must be credit or debit',
  wrongAdjustment: 'Invalid adjustment amount. Please enter a valid number.',
} as const;
