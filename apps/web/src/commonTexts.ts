import type { Role } from '@drawhouse/contract/core/roles';
import { firstTexts, SOMETHING_WENT_WRONG } from './firstTexts.ts';

export type Level = Exclude<Role, 'superadmin'>;

/**
 * Texts of the spec, verbatim including odd spellings, since users know them. Features keep their own texts beside
 * their pages.
 */
export const commonTexts = {
  ...firstTexts,
  testNetwork: 'Test',
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
    addChild: {
      admin: 'Add Admin',
      superdistributor: 'Add Superdistributer',
      distributor: 'Add Distributer',
      retailer: 'Add retailers',
      user: 'Add User',
    } satisfies Record<Level, string>,
    lastLogin: 'Last Login',
    online: 'Online',
    offline: 'Offline',
    active: 'Active',
    deactive: 'Deactive',
    submit: 'Submit',
    submitting: 'Submitting...',
    editLabel: 'Edit',
    cancel: 'Cancel',
    toggle: {
      activate: { label: 'Activate', title: 'Activate Confirmation' },
      deactivate: { label: 'Deactivate', title: 'Deactivate Confirmation' },
    },
    confirmToggle: (action: 'activate' | 'deactivate', username: string) =>
      `Are you sure you want to ${action} ${username}?`,
    toggled: (action: 'activate' | 'deactivate', { uniqueId }: { uniqueId: string }) =>
      `User ${uniqueId} has been successfully ${action}d.`,
    keptOut: 'Can’t sign in',
    keptOutBy: (ancestor: string) => `Can’t sign in: ${ancestor} is not active`,
    toggleFailed: 'Failed to update user status.',
    remove: { label: 'Delete', title: 'Delete Confirmation' },
    confirmRemove: (username: string) => `Are you sure you want to delete ${username}?`,
    removeFailed: {
      admin: 'Failed to delete admin.',
      superdistributor: 'Failed to delete SuperDistributors.',
      distributor: 'Failed to delete SuperDistributors.',
      retailer: 'Failed to delete SuperRetailerss.',
      user: SOMETHING_WENT_WRONG,
    } satisfies Record<Level, string>,
    forceLogout: { label: 'Logout', title: 'Logout Confirmation' },
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
    adjust: 'Credit Adjust',
    ownAdjust: 'Issue / Retire credit',
    password: 'Password',
    passwordRequired: 'Password is required',
    passwordHint: 'Your own password, to confirm it’s you.',
    unanswered: 'No answer. We don’t know whether it went through. Send it again unchanged; it won’t be done twice.',
    unclear: 'We don’t know whether it went through. Send it again unchanged; it won’t be done twice.',
    notSent: 'No connection. Nothing was sent. What you typed is still here.',
  },
  statement: {
    title: 'Statement',
    totalIn: 'Total in',
    totalOut: 'Total out',
    /** Actor of automatic movements at draws. */
    system: 'System',
    phone: { movement: 'Movement', amount: 'Amount' },
  },
  period: {
    dateRange: 'Date Range',
    singleDate: 'Single date',
    fromDate: 'From Date',
    toDate: 'To Date',
    getSummary: 'Get Summary',
    fromMissing: 'Choose the first day.',
    toMissing: 'Choose the last day.',
    toBeforeFrom: 'The last day is before the first.',
  },
  exports: { menu: 'Export', xls: 'Export XLS', csv: 'Export CSV', print: 'Print' },
  activity: {
    title: 'Log Activities',
    footer: (shown: string, total: string) => `Showing ${shown} of ${total} entries`,
    person: 'Person',
    signIns: 'Show sign-ins',
    thisPerson: 'This account',
    phone: { done: 'Subject', when: 'When' },
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
