/** Acts that can need a second person, with their names in settings and lists. */
export const APPROVAL_KINDS = {
  issue: 'Issuing and retiring credit',
  credit: 'Credit transfers and adjustments',
  payment: 'Payments between accounts',
  week: 'Closing weeks',
  void: 'Voiding draws',
  pays: 'Pays and unit prices of games',
  commission: 'Commission rates',
  lines: 'Commission ceilings and table lines',
  clear: 'Clearing history',
  restore: 'Restores that undo settled draws',
  export: 'Downloads and transfers of backups',
  rules: 'Weakening approvals',
} as const;
export type ApprovalKind = keyof typeof APPROVAL_KINDS;

/** Kinds whose rule has an amount. The others are switched on for every act. */
export const AMOUNT_KINDS: readonly ApprovalKind[] = ['issue', 'credit', 'payment', 'void'];

export const APPROVAL_STATES = {
  waiting: 'Waiting',
  running: 'Running',
  approved: 'Approved',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
} as const;
export type ApprovalState = keyof typeof APPROVAL_STATES;

/** Hours until a waiting request expires, and for which an approved export may be downloaded. */
export const APPROVAL_HOURS = 24;

/** Field messages. */
export const APPROVAL_FIELD_TEXTS = {
  wrongAbove: 'Enter points with at most 2 decimals, 0 for all amounts, or null for no approval',
  noRules: 'Send the rules to change',
  ruleTwice: 'Send each kind once',
  search: 'Search by act or username',
} as const;
