import type { Role } from '@drawhouse/contract/core/roles';
import { SOMETHING_WENT_WRONG } from '../../../firstTexts.ts';
import { commonTexts } from '../../../commonTexts.ts';
import type { Level } from '../../../commonTexts.ts';

export const accountFormTexts = {
  ...commonTexts.accounts,
  edit: {
    admin: 'Edit Admin',
    superdistributor: 'Edit SuperDistributors',
    distributor: 'Edit Distributors',
    retailer: 'Edit Retailer',
    user: 'Edit Users',
  } satisfies Record<Level, string>,
  noParents: {
    superadmin: 'No superadmins available',
    admin: 'No admins available',
    superdistributor: 'No superSuperDistributorss available',
    distributor: 'No distributorss available',
    retailer: 'No retailerss available',
  } satisfies Record<Exclude<Role, 'user'>, string>,
  fields: {
    username: 'Username',
    password: 'Password',
    commission: 'Commission',
    commissionCeiling: 'Commission ceiling',
    note: 'Note',
    reference: 'Reference',
    dailyLimit: 'Daily limit',
    tableLine: 'Table line',
    tokenSessions: 'Let programs act without confirming the password',
    factorRoles: 'Roles that need a second factor',
    passwordFirst: 'Own password before anything else',
    testNetwork: 'Test network',
    status: 'Status',
    games: 'Games',
  },
  commissionHint: 'A new rate applies from the next draw.',
  tableLineHint: 'How far one game table may fall below zero. Leave empty to use the credit given to the network.',
  beacons: 'Beacons of its games',
  commissionCeilingHint: 'Maximum total of commissions along one chain of the network.',
  dailyLimitHint: 'Points it may give per day. Leave empty for no limit.',
  tokenSessionsHint:
    'With this on, a program that signs in without asking for elevation can create accounts, save ' +
    'results and restore backups with its token alone. Turn it off when no such program is in use.',
  factorRolesHint:
    'Who has none is led to adding one at the next sign-in, and can change nothing that concerns credit before.',
  passwordFirstHint:
    'Whoever signs in with a password that somebody else set can see and do nothing before choosing an own one. With this ' +
    'off, only sensitive changes wait.',
  testNetworkHint:
    'For trying things out, also with simulated players. It is shown as a test everywhere. The first bet fixes the choice.',
  defaultNote: 'add notes',
  updating: 'Updating...',
  created: 'User created successfully!',
  updated: 'User updated successfully!',
  createFailed: {
    admin: 'Failed to create admin.',
    superdistributor: 'Failed to create superdistributors.',
    distributor: 'Failed to create superdistributors.',
    retailer: 'Failed to create superdistributors.',
    user: SOMETHING_WENT_WRONG,
  } satisfies Record<Level, string>,
  updateFailed: 'server error',
  unchanged: 'Nothing to save: no field was changed.',
  commissionRequired: 'Commission is required',
  noteRequired: 'Note is required',
  referenceRequired: 'Reference is required',
  leaveEmptyKeepCurrent: 'Leave empty to keep the current password. A new one signs the account out.',
  firstPasswordHint: 'For the first sign-in within 7 days. The person then chooses an own one.',
  commissionsAddUpAlong: (commission: string | number, names: string | number) =>
    `Commissions add up to ${commission} % along one chain. With them, bets in these games return 100 % or more: ` +
    `${names} (before commissions). The network earns nothing on them, or loses.`,
  withThisCommissionAlone: (commission: string | number, names: string | number) =>
    `With this commission of ${commission} % alone, bets in these games return 100 % or more: ${names} (before commissions).`,
  accountsFromAdminPlayer: 'Accounts from admin to player',
  accountsWereNotCreated: 'The accounts were not created.',
  createAccounts: 'Create accounts',
  firstPassword: 'First password',
  forAllFiveAccounts: 'For all five accounts. Each person chooses an own one at the first sign-in.',
  creditAdmin: 'Credit of the admin',
  coversItsTables: 'Covers its tables.',
  creditPlayer: 'Credit of the player',
  youHaveTheseTwo: (balance: string | number, needed: string | number) =>
    `You have ${balance}; these two take ${needed}.`,
  thisIsTestNetwork: 'This is a test network',
  simulatedPlayersMayBet:
    'Simulated players may bet in it. It is shown as a test everywhere, and the first bet fixes the choice.',
  accountsCreated: 'Accounts created',
  credit: (walletBalance: string | number) => `, ${walletBalance} credit`,
  playersSignInAt: 'Players sign in at',
  next: 'Next',
  noGamesChosen: 'No games chosen',
  thisAdminWillHave: 'This admin will have no tables until you give it a game.',
  createWithoutGames: 'Create without games',
  createdAccount: (trim: string | number) => `${trim} created.`,
  severalAtOnce: 'Several at once? {link}',
  createAnother: 'Create another',
  keepsFormAndClears: 'Keeps the form, and clears username and password.',
  found: (count: string | number) => ` ${count} found`,
  searchGames: 'Search games',
  selectNone: 'Select none',
  selectNoneOf: (which: string) => `Select none of${which}`,
  selectAll: (which: string | number) => `Select all${which}`,
  gamesChoose: 'Games to choose',
  catalogueHasNoGames: 'The catalogue has no games yet.',
  noGamesMatch: 'No games match.',
  chosen: (count: string | number, count2: string | number) => `${count} of ${count2} chosen`,
  chooseAccount: 'Choose an account',
  searching: 'Searching…',
  importThemFromFile: 'Import them from a file',
} as const;
