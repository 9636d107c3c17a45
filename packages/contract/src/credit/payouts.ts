import * as z from 'zod/mini';
import { transferFields } from './credit-fields.ts';
import { amount, id, points, STAFF_ROLES, success } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';

/** The most accounts that one call pays: as many as the largest page of a list has. */
export const MOST_PAYOUTS = 500;

/** What became of the pay-out to one account. */
export const payoutResult = z.object({
  toUserId: id,
  /** Null where there is no such account below the caller. */
  username: z.nullable(z.string()),
  /** 0 where it was refused. */
  paid: points,
  /** What the account has left to be paid, and its credit, after it; null where it was refused. */
  commissionPoint: z.nullable(points),
  receiverWallet: z.nullable(points),
  transferId: z.nullable(id),
  /** Why nothing was paid; null where it was. */
  refused: z.nullable(z.object({ code: z.string(), message: z.string() })),
});
/** What became of the pay-out to one account. */
export type PayoutResult = z.infer<typeof payoutResult>;

/** `POST credit/commission-payouts`: commission of many accounts into their credit at once, each paid or refused by itself. */
export const payCommissions = route({
  method: 'POST',
  path: 'credit/commission-payouts',
  summary:
    'Pays the commission of accounts below the caller into their credit. Each is paid or refused by itself, and the answer says which.',
  access: STAFF_ROLES,
  sensitive: 'asks',
  bodyLimit: 96 * MOST_PAYOUTS + 4096,
  body: z.object({
    /** Without an amount all that an account has pending. */
    payouts: z.array(z.object({ toUserId: id, amount: z.optional(amount) }), { error: 'Payouts is a list' }).check(
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
    /** All that was paid, together. */
    paid: points,
    /** In the order of the request. */
    results: z.array(payoutResult),
  }),
  errors: ['WRONG_PASSWORD', 'IDEMPOTENCY_CONFLICT', 'IDENTITY_MISMATCH'],
});
