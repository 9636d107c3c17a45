import * as z from 'zod/mini';
import { CREDIT_ERRORS, transactionType, transferFields } from './credit-fields.ts';
import { amount, BULK_BODY_BYTES, bulkRows, done, id, points, STAFF_ROLES, success } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { CREDIT_FIELD_TEXTS } from '../core/field-texts.ts';

export const payoutResult = z.object({
  toUserId: id,
  /** Null if no such account is below the caller. */
  username: z.nullable(z.string()),
  paid: points,
  /** Pending commission and credit after payment. Null if refused. */
  commissionPoint: z.nullable(points),
  receiverWallet: z.nullable(points),
  transferId: z.nullable(id),
  refused: z.nullable(z.object({ code: z.string(), message: z.string() })),
});
export type PayoutResult = z.infer<typeof payoutResult>;

/** Payments succeed or fail independently. */
export const payCommissions = route({
  method: 'POST',
  path: 'credit/commission-payouts',
  summary:
    'Pays out the commission of accounts below the caller into their credit. Each payout succeeds or fails on its ' +
    'own; the answer says which.',
  access: STAFF_ROLES,
  permission: 'adjustments',
  approval: ['credit'],
  sensitive: 'asks',
  bodyLimit: BULK_BODY_BYTES,
  body: z.object({
    /** Default: all pending commission. */
    payouts: bulkRows(z.object({ toUserId: id, amount: z.optional(amount) }), ({ toUserId }) => toUserId),
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

export const transferToMany = route({
  method: 'POST',
  path: 'credit/bulk-transfer',
  summary:
    'Gives credit to up to 500 accounts below the caller, or takes it back: all or nothing, with one password. ' +
    'An error names the row that it is about.',
  access: STAFF_ROLES,
  permission: 'credit',
  approval: ['credit'],
  sensitive: 'asks',
  bodyLimit: BULK_BODY_BYTES,
  body: z
    .object({
      transfers: bulkRows(z.object({ toUserId: id, amount }), ({ toUserId }) => toUserId),
      transactionType,
      password: transferFields.password,
      userId: transferFields.userId,
      note: transferFields.note,
    })
    .check(
      z.superRefine(({ transfers, transactionType: type }, context) => {
        const nth = type === 'debit' ? transfers.findIndex((transfer) => transfer.amount < 1) : -1;
        if (nth >= 0)
          context.addIssue({
            code: 'custom',
            message: CREDIT_FIELD_TEXTS.notAboveZero,
            path: ['transfers', nth, 'amount'],
          });
      }),
    ),
  response: z.object({
    ...done.shape,
    moved: points,
    senderWallet: points,
    results: z.array(z.object({ toUserId: id, username: z.string(), receiverWallet: points, transferId: id })),
  }),
  errors: CREDIT_ERRORS,
});
