import type { Role } from '@drawhouse/contract/core/primitives';

/** Null only for an unset percentage. */
type Percent = string | null;

export const ACCOUNT_TEXTS = {
  noneAtOrBelow: 'Choose yourself or an account below you',
  noNetwork: 'You have no such network. Send the id of its admin',
  commissionApart: 'A commission needs an approval here. Enter 0, then change the commission of the account.',
  created: 'User created successfully!',
  updated: 'User updated successfully!',
  toggled: (uniqueId: string, action: 'activate' | 'deactivate'): string =>
    `User ${uniqueId} has been successfully ${action}d.`,
  dailyLimitSet: (accounts: string): string => `Daily limit of ${accounts} saved.`,
  rowsRight: 'All rows are correct.',
  rowsWrong: 'Some rows are wrong.',
  importRefused: 'Some rows are wrong. Nothing was created.',
  noParent: (role: Role | null, username: string): string => `There is no ${role} ${username} below you`,
  nameTwice: 'This name is listed twice. Use each name once',
  wrongCommission: 'Enter a percentage from 0 to 100, such as 2.5',
  wrongStatus: 'Enter Active or Deactive, or leave it empty for Active',
  noSuperadmins: "Superadmins can't be created here.",
  referenceMissing: 'Reference is required',
  notOwnParent: (role: string): string => `Choose one of your ${role}s`,
  networkMoving: 'The network of this admin is being moved here. Wait until the move is complete',
  nameTaken: 'This username is taken. Names of deleted accounts stay taken',
  notBelow: (account: string): string => `Choose ${account} below you`,
  nameReserved: 'This username is reserved. Choose another',
  nameLikeStaff: "This username looks like a staff account's. Choose another",
  noSignUp: "You can't sign up here. Ask your retailer for an account.",
  onlyAdminsGames: 'Only admins have games',
  onlyAdminsLine: 'Only admins have a table line',
  playersNoLimit: "Players don't pass credit on, so they have no daily limit",
  onlyOnAdmin: 'Set this on the admin of the network',
  hasBets: 'This network already has bets. Create another one instead',
  staysInNetwork: "An account stays in its admin's network",
  betsBeforeMove: 'This account already has bets, so moving it would distort the reports. Create a new account instead',
  onlyAdminsCeiling: 'Only admins have a commission ceiling',
  earnMoreBelow: (most: Percent, names: string): string =>
    `Accounts below have more than ${most}: ${names}. Lower theirs first`,
  earnsMore: (username: string, own: Percent, most: Percent, above: string): string =>
    `${username} earns ${own}, more than the ${most} of ${above}. Lower it first`,
  atMostAbove: (most: Percent, above: string): string =>
    `At most ${most}, the commission of ${above}, unless an admin sets it`,
  chainsAbove: (names: string): string => ` Chains above it: ${names}.`,
  lowerTheirs: 'Lower theirs first',
  chooseLower: 'Choose a lower commission',
  aboveSomeCeiling: (names: string, end: string): string =>
    `The commissions of one chain would exceed the network's ceiling.${names} ${end}`,
  aboveCeiling: (by: Percent, ceiling: Percent, names: string, end: string): string =>
    `The commissions of one chain would be ${by} above the network's ceiling of ${ceiling}.${names} ${end}`,
  openDrawsAbove: (names: string): string =>
    `Open draws pay the commissions set when they opened, and on this chain those exceed the ceiling: ${names}. ` +
    'Try again after these draws',
  alreadyHere: (username: string): string =>
    `The network of ${username} already exists here, or was deleted here. Restore it from a backup taken here instead.`,
  livesElsewhere: (username: string, cell: string) => `The network of ${username} lives in ${cell} of this group.`,
  renamedMeanwhile: 'A username in this backup was taken in the meantime. Please start again.',
  namesTaken: (names: string): string => `These usernames are taken: ${names}. Choose others`,
  wrongIdentity: 'Leave it out, or send the value of the signed-in account',
} as const;

export const ACCOUNT_SUBJECTS = {
  keyEnded: (name: string, username: string): string => `Ended API key ${name} of ${username}`,
  createdToMove: (username: string): string => `Created admin ${username} to move its network here`,
  activated: (username: string): string => `Activated admin ${username}, as in the cell that its network came from`,
  settingsRestored: (username: string): string =>
    `Gave admin ${username} back the settings from before its network was moved`,
  created: (role: string, username: string): string => `Created ${role} ${username}`,
  deleted: (role: string, username: string): string => `Deleted ${role} ${username}`,
  keptInactive: (role: string, username: string): string => `Kept ${role} ${username} inactive`,
  keptCommission: (role: string, username: string, commission: Percent): string =>
    `Kept the commission of ${role} ${username} at ${commission}`,
  keptDeleted: (role: string, username: string): string => `Kept ${role} ${username} deleted`,
  signedUp: 'Signed up',
} as const;
