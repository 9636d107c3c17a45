import type { LoginRole } from '@drawhouse/contract/core/permissions';
import { PERMISSION_NAMES } from '@drawhouse/contract/logins/login-texts';

const roles: Readonly<Record<LoginRole, string>> = {
  owner: 'Owner',
  manager: 'Manager',
  cashier: 'Cashier',
  table: 'Table',
  reports: 'Reports',
  custom: 'Custom',
};

const meanings: Readonly<Record<LoginRole, string>> = {
  owner: 'Everything.',
  manager: 'Everything but logins, settings and API keys.',
  cashier: 'Gives credit to accounts below and sees lists and statements.',
  table: 'Opens live panels, and declares results if you allow it.',
  reports: 'Sees lists and reports, and exports them if you allow it.',
  custom: 'What you choose here.',
};

export const loginTexts = {
  title: 'Logins',
  add: 'Add login',
  meaning:
    'Each person who works for this account signs in with their own login. The log names the person for every ' +
    'action. Your own username and password stay the owner’s.',
  emptyTitle: 'No further logins',
  emptyText: 'Only the owner can sign in to this account now.',
  search: 'Search by name or username',
  noMatches: 'No logins match this search.',
  actions: { change: 'Change', invite: 'Invite', devices: 'Devices', remove: 'Remove' },
  invite: {
    title: 'Invite',
    label: 'Make link',
    question: (name: string) => `Make a link that lets ${name} choose a password?`,
    consequence:
      'It works once, within 7 days. The current password and earlier links stop working, and the person is signed out.',
  },
  remove: {
    title: 'Remove login',
    label: 'Remove login',
    question: (name: string) => `Remove the login of ${name}?`,
    consequence: 'The person is signed out at once and can no longer sign in. The log keeps the name.',
  },
  roles,
  meanings,
  permissions: PERMISSION_NAMES,
  login: (name: string) => `Login of ${name}`,
  name: 'Name',
  nameHint: 'The person. Shown in the log as account / name.',
  username: 'Username',
  usernameHint: 'To sign in. It can’t be changed later.',
  password: 'Password',
  passwordHint:
    'For the first sign-in within 7 days. The person then chooses their own. Leave empty to get an invitation link instead.',
  newPassword: 'New password',
  newPasswordHint: 'Leave empty to keep the password. A new one signs the person out.',
  role: 'Role',
  rights: 'Rights',
  mayAlso: 'May also',
  games: 'Games',
  gamesHint: 'Choose none for all.',
  dailyLimit: 'Credit a day',
  dailyLimitHint: 'The most it may give in a day, in points. Leave empty for no limit.',
  from: 'Works from',
  to: 'until',
  hoursHint: 'Leave both empty for any time.',
  places: {
    title: 'Where staff may sign in',
    meaning:
      'For all staff of the network, its admin and owners included, besides what each login allows. Players are not affected. ' +
      'A setting that would shut you out is refused.',
    network: 'Network',
    save: 'Save',
    loading: 'Loading the setting',
  },
  active: 'May sign in',
  save: 'Save login',
  create: 'Add login',
  status: 'Status',
  on: 'Active',
  off: 'Inactive',
  lastLogin: 'Last sign-in',
  devices: 'Devices',
  any: 'Any',
  created: 'Created',
  loading: 'Loading',
  noDevices: 'Not signed in anywhere.',
  signOut: 'Sign out',
  signOutAll: 'Sign out everywhere',
  isSignedOut: (device: string) => `${device} is signed out.`,
  enterPoints: 'Enter points with at most 2 decimals, e.g. 5000, or leave empty for no limit',
} as const;
