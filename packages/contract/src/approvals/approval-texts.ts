import type { ApprovalKind } from '../core/permissions.ts';

/** The rules of all other kinds apply to every action. */
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

/** Limits a pending request, and the download of an approved export. */
export const APPROVAL_HOURS = 24;

export const APPROVAL_FIELD_TEXTS = {
  wrongAbove: 'Enter points with at most 2 decimals, 0 for all amounts, or null for no approval',
  noRules: 'Send the rules to change',
  ruleTwice: 'Send each kind once',
  search: 'Search by action or username',
} as const;
