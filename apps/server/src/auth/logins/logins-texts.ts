import { PERMISSION_NAMES } from '@drawhouse/contract/logins/login-texts';

export const LOGIN_TEXTS = {
  rightsApart: 'More rights need an approval here. Add the login as Reports, then change its role.',
  added: (name: string): string => `${name} can sign in now.`,
  changed: (name: string): string => `The login of ${name} is changed.`,
  removed: (name: string): string => `The login of ${name} is removed.`,
  signedOut: (name: string): string => `${name} is signed out.`,
  wrongAddress: 'This login may not be used from here. Ask the owner of the account.',
  wrongAddressOfNetwork: 'Staff of this network may not sign in from here. Ask its admin.',
  wrongHoursOfNetwork: 'Staff of this network may not sign in at this time. Ask its admin.',
  placesSaved: 'Saved. It applies to all staff of the network from their next call.',
  shutOutByAddress: (ip: string): string => `You are at ${ip}. This would shut you out, so add that address.`,
  shutOutByHours: 'It is now outside these hours. This would shut you out, so choose hours that include now.',
  noAdmin: 'Choose the admin of the network',
  namesTaken: (names: string): string => `These usernames of logins are taken here: ${names}. Choose another for each.`,
  wrongHours: 'This login may not be used at this time. Ask the owner of the account.',
  nameTaken: 'This account already has a login of this name',
  usernameTaken: 'This username is taken',
  notFound: 'This account has no such login.',
  tooMany: (most: number): string => `An account can have at most ${most} logins. Remove one that nobody needs.`,
  lastDecider:
    'A house rule requires a second person to approve wider logins, and no other login may approve them. ' +
    `First give another login “${PERMISSION_NAMES.settings}”, or lift the rule.`,
  numbersUsed: 'This account has reached its maximum number of logins.',
} as const;

export const LOGIN_SUBJECTS = {
  places: (username: string): string => `Changed where and when staff of ${username} may sign in`,
  added: (name: string, account: string): string => `Added login ${name} of ${account}`,
  invited: (name: string, account: string): string => `Invited login ${name} of ${account}`,
  changed: (name: string, account: string): string => `Changed login ${name} of ${account}`,
  removed: (name: string, account: string): string => `Removed login ${name} of ${account}`,
  signedOut: (name: string, account: string): string => `Signed out login ${name} of ${account}`,
} as const;
