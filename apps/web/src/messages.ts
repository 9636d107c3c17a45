import { ERRORS } from '@drawhouse/contract/errors';
import type { Role } from '@drawhouse/contract/primitives';

/** A role that is created by others: all but the superadmin. */
export type Level = Exclude<Role, 'superadmin'>;

/** Said of what failed without a word, where the spec has no other sentence. */
const SOMETHING_WENT_WRONG = 'Something went wrong';

/**
 * The texts that people read, the spec's to the letter, its odd spellings too: they are what its users know.
 * Features may keep their own words beside their pages; what the spec words is here.
 */
export const messages = {
  product: 'Drawhouse',
  errors: {
    somethingWentWrong: SOMETHING_WENT_WRONG,
    noResponse: 'An unexpected error occurred',
    /** Beside the sentence of the spec: what is so. */
    noConnection: 'There is no connection to the server.',
    mayBeDone: 'No answer came, so it may have been done all the same. Look before you send it again.',
  },
  auth: {
    username: 'Username',
    password: 'Password',
    rememberMe: 'Remember me',
    login: 'Login',
    loggingIn: 'Logging in...',
    success: 'Login successful!',
    failed: 'Login failed.',
    error: 'An error occurred during login.',
    signUp: 'Sign Up',
    sessionEnded: 'Your session has ended. Please sign in again.',
    sessionReplaced: ERRORS.SESSION_REPLACED.message,
    logout: 'Log Out',
    logoutFailed: 'Logout failed.',
    editProfile: 'Edit Profile',
  },
  dashboard: {
    title: 'Welcome to Dashboard',
    label: 'Dashboard',
    cards: {
      admin: 'Admins',
      superdistributor: 'Super Distributors',
      distributor: 'Distributors',
      retailer: 'Retailers',
      user: 'Users',
    } satisfies Record<Level, string>,
  },
  accounts: {
    titles: {
      admin: 'Admin',
      superdistributor: 'Super Distributor',
      distributor: 'Distributor',
      retailer: 'Retailer',
      user: 'Player',
    } satisfies Record<Level, string>,
    add: {
      admin: 'Add Admin',
      superdistributor: 'Add Super Distributor',
      distributor: 'Add Distributer',
      retailer: 'Add Retailer',
      user: 'Add Users',
    } satisfies Record<Level, string>,
    edit: {
      admin: 'Edit Admin',
      superdistributor: 'Edit SuperDistributors',
      distributor: 'Edit Distributors',
      retailer: 'Edit Retailer',
      user: 'Edit Users',
    } satisfies Record<Level, string>,
    /** The button over the table of children on a details page, by the children's level. */
    addChild: {
      admin: 'Add Admin',
      superdistributor: 'Add Superdistributer',
      distributor: 'Add Distributer',
      retailer: 'Add retailers',
      user: 'Add User',
    } satisfies Record<Level, string>,
    /** What the reference select says when there is no parent to choose, by the parents' role. */
    noParents: {
      superadmin: 'No superadmins available',
      admin: 'No admins available',
      superdistributor: 'No superSuperDistributorss available',
      distributor: 'No distributorss available',
      retailer: 'No retailerss available',
    } satisfies Record<Exclude<Role, 'user'>, string>,
    lastLogin: 'Last Login',
    online: 'Online',
    offline: 'Offline',
    active: 'Active',
    deactive: 'Deactive',
    fields: {
      username: 'Username',
      password: 'Password',
      commission: 'Commission',
      note: 'Note',
      reference: 'Reference',
      dailyLimit: 'Daily limit',
      status: 'Status',
      games: 'Games',
    },
    dailyLimitHint: 'How many points it may give on a day. Empty for no limit.',
    defaultNote: 'add notes',
    submit: 'Submit',
    submitting: 'Submitting...',
    updating: 'Updating...',
    editLabel: 'Edit',
    cancel: 'Cancel',
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
    toggle: {
      activate: { label: 'Activate', title: 'Activate Confirmation', confirm: 'Confirm activation' },
      deactivate: { label: 'Deactivate', title: 'Deactivate Confirmation', confirm: 'Confirm deactivation' },
    },
    confirmToggle: (action: 'activate' | 'deactivate', username: string) =>
      `Are you sure you want to ${action} ${username}?`,
    /** The id is the one that people read, with the name after it. */
    toggled: (action: 'activate' | 'deactivate', { uniqueId, username }: { uniqueId: string; username: string }) =>
      `User ${uniqueId} (${username}) has been successfully ${action}d.`,
    /** In a list, where the sentence has no room. */
    keptOut: 'Kept out',
    keptOutBy: (ancestor: string) => `Cannot sign in: ${ancestor} is not active`,
    toggleFailed: 'Failed to update user status.',
    remove: { label: 'Delete', title: 'Delete Confirmation', confirm: 'Confirm deletion' },
    confirmRemove: (username: string) => `Are you sure you want to delete ${username}?`,
    removeFailed: {
      admin: 'Failed to delete admin.',
      superdistributor: 'Failed to delete SuperDistributors.',
      distributor: 'Failed to delete SuperDistributors.',
      retailer: 'Failed to delete SuperRetailerss.',
      user: SOMETHING_WENT_WRONG,
    } satisfies Record<Level, string>,
    forceLogout: { label: 'Logout', title: 'Logout Confirmation', confirm: 'Confirm logout' },
    confirmForceLogout: (username: string) => `Are you sure you want to logout ${username}?`,
    forcedLogout: (username: string) => `${username} has been signed out.`,
    details: {
      role: 'Role details',
      credit: 'Credit',
      lastWeek: 'Last Week',
      thisWeek: 'This Week',
      roleName: 'Role',
      username: 'Username',
      name: 'Name (Unique ID)',
      wallet: 'Wallet balance',
      commission: 'Commission point',
      dailyLimit: 'Daily limit',
      noLimit: 'none',
      played: 'Total Played',
      won: 'Total Won',
      end: 'End Point',
    },
  },
  credit: {
    transfer: 'Credit Transfer',
    topUp: 'Top up',
    topUpOf: (username: string) => `Top up ${username}`,
    usualAmounts: 'Usual amounts',
    receiptRead: 'Done',
    adjust: 'Credit Adjust',
    ownAdjust: 'Issue / Retire credit',
    individual: 'Individual Credit',
    hierarchy: 'Hierarchy Credit',
    amount: 'Amount',
    note: 'Note',
    password: 'Password',
    cancel: 'Cancel',
    transactionType: 'Transaction type',
    amountRequired: 'Amount is required',
    passwordRequired: 'Password is required',
    amountTooSmall: 'Amount must be greater than 0',
    notSignedIn: 'User authentication is missing. Please log in again.',
    invalidTransfer: 'Invalid transfer amount. Please enter a valid number.',
    invalidAdjust: 'Invalid adjustment amount. Please enter a valid number.',
    transferPassword: 'Password is required for credit transfer.',
    adjustPassword: 'Password is required for credit adjustment.',
    noteHint: 'Optional. It stands in the statement.',
    passwordHint: 'Your own, to confirm that it is you.',
    leftToday: (left: string) => `Left to give today: ${left}`,
    tooMuchToGive: (left: string) => `You have only ${left} points to give.`,
    tooMuchToTake: (username: string, left: string) => `${username} has only ${left} points.`,
    dailyLimitLeft: (left: string) => `Your daily limit leaves ${left} points to give today.`,
    tooMuchToRetire: (left: string) => `You have only ${left} points.`,
    inactive: 'This account is not active: it can be given no credit. What it has can be taken back.',
    inactiveAbove: (ancestor: string) =>
      `${ancestor}, above this account, is not active: it can be given no credit. What it has can be taken back.`,
    alreadyMoved: 'This had already been done: the answer had not arrived. Nothing was moved again.',
    unanswered: 'No answer came, so it may have been done. Send it again as it stands: it is done only once.',
    notSent: 'There is no connection, so nothing was sent. What you have typed stays.',
    gave: (amount: string, username: string) => `${amount} given to ${username}.`,
    tookBack: (amount: string, username: string) => `${amount} taken back from ${username}.`,
    issued: (amount: string) => `${amount} issued.`,
    retired: (amount: string) => `${amount} retired.`,
    nowHave: (username: string, theirs: string, yours: string) => `${username} now has ${theirs}, you have ${yours}.`,
    youNowHave: (yours: string) => `You now have ${yours}.`,
    transferred: 'Credit transfer successful!',
    adjusted: 'Credit adjustment successful!',
    transferFailed: 'Unknown error occurred during credit transfer.',
    adjustFailed: 'An error occurred.',
  },
  statement: {
    title: 'Statement',
    totalIn: 'Total in',
    totalOut: 'Total out',
    /** Who moved it, where the product did, at a draw. */
    system: 'System',
    wallets: { credit: 'Credit', commission: 'Commission' },
    /** The columns of a phone, each for several. */
    phone: { movement: 'Movement', amount: 'Amount' },
  },
  period: {
    dateRange: 'Date Range',
    fromDate: 'From Date',
    toDate: 'To Date',
    getSummary: 'Get Summary',
    fromMissing: 'Choose the first day.',
    toMissing: 'Choose the last day.',
    toBeforeFrom: 'The last day is before the first.',
  },
  exports: { xls: 'Export XLS', csv: 'Export CSV' },
  activity: {
    title: 'Log Activities',
    footer: (shown: string, total: string) => `Showing ${shown} of ${total} entries`,
  },
  profile: {
    title: 'Profile',
    changePassword: 'Change Password',
    fields: { opass: 'Old password', npass: 'New password', cpass: 'Confirm password' },
    fillAll: '⚠️ Please fill all fields.',
    noMatch: '❌ New and confirm password do not match.',
    changed: '✅ Password changed successfully!',
  },
} as const;

/** How long a message stays before it clears, in milliseconds. */
export const MESSAGE_MS = { usual: 2000, credit: 3000 } as const;

/** How long a form shows its success before it leaves, in milliseconds: after sign-in, create and edit. */
export const LEAVE_AFTER_MS = 1000;
