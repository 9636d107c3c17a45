import type { ApprovalKind } from '../core/permissions.ts';

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
