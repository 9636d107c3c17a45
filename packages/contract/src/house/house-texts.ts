export const HOUSE_FIELD_TEXTS = {
  controlCharacters: 'Remove control characters',
  notText: (name: string): string => `Enter the ${name} as text`,
  wrongColor: 'Enter a color as # and six hex digits, such as #0b5a56, or leave it empty',
  helpMissing: (what: string): string => `Enter the ${what} of each help line`,
  helpTooLong: (most: number, what: string): string => `Use at most ${most} characters for the ${what} of a help line`,
  wrongHelp: 'Send a list of help lines with country, name and contact',
  wrongCountry: 'Enter each country as two letters, such as IN',
  tooMuchHelp: (most: number): string => `Enter at most ${most} help lines`,
  nameMissing: 'Name is required',
} as const;
