import * as z from 'zod/mini';
import { account } from '../accounts/accounts.ts';
import { CREDIT_ERRORS, transferFields } from './credit-fields.ts';
import { amount, id, points, role, STAFF_ROLES, success, time } from '../core/primitives.ts';
import { route } from '../core/route.ts';

export const payCommission = route({
  method: 'POST',
  path: 'credit/commission-payout',
  summary: 'Pays out the commission of an account below the caller into its credit: the amount, or all of it.',
  access: STAFF_ROLES,
  permission: 'adjustments',
  approval: ['credit'],
  sensitive: 'asks',
  body: z.object({
    toUserId: id,
    amount: z.optional(amount),
    password: transferFields.password,
    userId: transferFields.userId,
    note: transferFields.note,
  }),
  response: z.object({
    ...success,
    paid: points,
    receiverWallet: points,
    commissionPoint: points,
    transferId: id,
    data: z.array(account),
  }),
  errors: CREDIT_ERRORS,
});

export const reverseTransfer = route({
  method: 'POST',
  path: 'credit/reverse',
  summary:
    'Reverses a credit transfer or a take-back, once, by a linked counter-entry. ' +
    'Allowed to the account that made it and to accounts above.',
  access: STAFF_ROLES,
  permission: 'adjustments',
  approval: ['credit'],
  sensitive: 'asks',
  body: z.object({
    transferId: id,
    password: transferFields.password,
    userId: transferFields.userId,
    note: transferFields.note,
  }),
  response: z.object({
    ...success,
    transferId: id,
  }),
  errors: [
    'NOT_FOUND',
    'WRONG_PASSWORD',
    'INSUFFICIENT_CREDIT',
    'TARGET_INACTIVE',
    'IDEMPOTENCY_CONFLICT',
    'IDENTITY_MISMATCH',
    'ALREADY_REVERSED',
  ],
});

export const MOVEMENT_KINDS = {
  issue: 'Credit issued',
  retire: 'Credit retired',
  credit: 'Credit transfer',
  debit: 'Credit taken back',
  'table-add': 'Game balance added',
  'table-reset': 'Game balance reset',
  cover: 'Cover of a declared result',
  correct: 'Correction of a result',
  stake: 'Bet',
  refund: 'Stake refunded',
  collect: 'Bets collected',
  win: 'Win',
  commission: 'Commission earned',
  payout: 'Commission paid out',
  claim: 'Win claimed',
  restore: 'Restore adjustment',
  return: 'Returned on deletion',
} as const;
export type MovementKind = keyof typeof MOVEMENT_KINDS;

/** Includes gaps left by clearing and by restores. */
export const STATEMENT_KINDS = {
  ...MOVEMENT_KINDS,
  cleared: 'History cleared',
  restored: 'Restored from a backup',
} as const;
export type StatementKind = keyof typeof STATEMENT_KINDS;

export const statementKind = z.enum(Object.keys(STATEMENT_KINDS) as [StatementKind, ...StatementKind[]]);

/**
 * Exactly one of `credit` (in) and `debit` (out) is positive. Cleared movements become one line with both sums. A
 * restore is a line without amounts.
 */
export const movement = z.object({
  _id: id,
  /** The latest time for cleared movements. */
  at: time,
  kind: statementKind,
  /**
   * An account, a game, the account's own commission, or the source of all credit. For cleared movements, their count;
   * `note` names their days.
   */
  counterpart: z.string(),
  /** Null for the owner itself. */
  counterpartId: z.nullable(id),
  counterpartRole: z.nullable(role),
  /** Null for movements by a draw. */
  actor: z.nullable(z.string()),
  /** Null unless the actor is the caller or below it. */
  actorId: z.nullable(id),
  actorRole: z.nullable(role),
  /** Set for bets, wins, claims and refunds. */
  ticket: z.nullable(z.string()),
  note: z.nullable(z.string()),
  credit: points,
  debit: points,
  balance: points,
});
export type Movement = z.infer<typeof movement>;
