import * as z from 'zod/mini';
import { ownAccount, ownId } from '../core/caller.ts';
import type { ErrorCode } from '../core/errors.ts';
import { amountOf, NOTE_MAX, ownPassword } from '../core/primitives.ts';

const AMOUNT_REQUIRED = 'Amount is required';
const INVALID_TRANSFER = 'Invalid transfer amount. Please enter a valid number.';
export const ADJUSTMENT_TOO_SMALL = 'Amount must be greater than 0';

const note = z
  .string({ error: 'Note must be text' })
  .check(z.trim(), z.maxLength(NOTE_MAX, { error: `Use at most ${NOTE_MAX} characters` }));

/** Fields besides the target. `userId` and `authUser` name the caller. */
export const transferFields = {
  transferAmount: amountOf({
    missing: AMOUNT_REQUIRED,
    notNumber: INVALID_TRANSFER,
    notAboveZero: INVALID_TRANSFER,
  }),
  password: ownPassword,
  userId: ownId,
  authUser: ownAccount,
  note: z.optional(note),
};

export const transactionType = z._default(
  z.enum(['credit', 'debit'], { error: 'Transaction type must be credit or debit' }),
  'credit',
);

/** Fields besides the target. At least 1 point; `credit` gives, `debit` takes back. */
export const adjustFields = {
  adjustAmount: amountOf({
    missing: AMOUNT_REQUIRED,
    notNumber: 'Invalid adjustment amount. Please enter a valid number.',
    notAboveZero: ADJUSTMENT_TOO_SMALL,
  }).check(z.gte(1, { error: ADJUSTMENT_TOO_SMALL })),
  transactionType,
  password: ownPassword,
  userId: ownId,
  authUser: ownAccount,
  note: z.optional(note),
};

export const CREDIT_ERRORS: readonly ErrorCode[] = [
  'NOT_FOUND',
  'WRONG_PASSWORD',
  'INSUFFICIENT_CREDIT',
  'DAILY_LIMIT',
  'TARGET_INACTIVE',
  'IDEMPOTENCY_CONFLICT',
  'IDENTITY_MISMATCH',
];
