import * as z from 'zod/mini';
import { transferFields } from './credit-fields.ts';
import { amount, id, points, STAFF_ROLES, success } from '../core/primitives.ts';
import { route } from '../core/route.ts';

/** Matches the largest list page. */
export const MOST_PAYOUTS = 500;

export const payoutResult = z.object({
  toUserId: id,
  /** Null if no such account is below the caller. */
  username: z.nullable(z.string()),
  /** 0 if refused. */
  paid: points,
  /** Pending commission and credit after payment. Null if refused. */
  commissionPoint: z.nullable(points),
  receiverWallet: z.nullable(points),
  transferId: z.nullable(id),
  refused: z.nullable(z.object({ code: z.string(), message: z.string() })),
});
export type PayoutResult = z.infer<typeof payoutResult>;

/** Each payment succeeds or fails by itself. */
export const payCommissions = route({
  method: 'POST',
  path: 'credit/commission-payouts',
  summary:
    'Pays out the commission of accounts below the caller into their credit. Each payout succeeds or fails on its ' +
    'own; the answer says which.',
  access: STAFF_ROLES,
  sensitive: 'asks',
  bodyLimit: 96 * MOST_PAYOUTS + 4096,
  body: z.object({
    /** Without an amount, pays the full pending commission. */
    payouts: z.array(z.object({ toUserId: id, amount: z.optional(amount) }), { error: 'Payouts must be a list' }).check(
      z.minLength(1, { error: 'Choose at least one account' }),
      z.maxLength(MOST_PAYOUTS, { error: `Pay at most ${MOST_PAYOUTS} accounts at once` }),
      z.refine((payouts) => new Set(payouts.map(({ toUserId }) => toUserId)).size === payouts.length, {
        error: 'Name each account once',
      }),
    ),
    password: transferFields.password,
    userId: transferFields.userId,
    note: transferFields.note,
  }),
  response: z.object({
    ...success,
    paid: points,
    results: z.array(payoutResult),
  }),
  errors: ['WRONG_PASSWORD', 'IDEMPOTENCY_CONFLICT', 'IDENTITY_MISMATCH'],
});
