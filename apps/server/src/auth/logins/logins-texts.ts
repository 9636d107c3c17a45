/** Answers of the calls about logins. */
export const LOGIN_TEXTS = {
  rightsApart: 'More rights need an approval here. Add the login as Reports, then change its role.',
  added: (name: string): string => `${name} can sign in now.`,
  changed: (name: string): string => `The login of ${name} is changed.`,
  removed: (name: string): string => `The login of ${name} is removed.`,
  signedOut: (name: string): string => `${name} is signed out.`,
  wrongAddress: 'This login may not be used from here. Ask the owner of the account.',
  wrongHours: 'This login may not be used at this time. Ask the owner of the account.',
  nameTaken: 'This account already has a login of this name',
  usernameTaken: 'This username is taken',
  notFound: 'This account has no such login.',
  tooMany: (most: number): string => `An account can have at most ${most} logins. Remove one that nobody needs.`,
  numbersUsed: 'This account has reached its maximum number of logins.',
} as const;

/** Subjects of log rows. */
export const LOGIN_SUBJECTS = {
  added: (name: string, account: string): string => `Added login ${name} of ${account}`,
  changed: (name: string, account: string): string => `Changed login ${name} of ${account}`,
  removed: (name: string, account: string): string => `Removed login ${name} of ${account}`,
  signedOut: (name: string, account: string): string => `Signed out login ${name} of ${account}`,
} as const;
