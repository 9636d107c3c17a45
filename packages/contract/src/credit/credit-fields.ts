import * as z from 'zod/mini';
import { ownAccount, ownId, amountOf, NOTE_MAX, ownPassword } from '../core/primitives.ts';
import type { ErrorCode } from '../core/errors.ts';
import { CORE_TEXTS, CREDIT_FIELD_TEXTS } from '../core/field-texts.ts';

const note = z
  .string({ error: CREDIT_FIELD_TEXTS.noteNotText })
  .check(z.trim(), z.maxLength(NOTE_MAX, { error: CORE_TEXTS.tooLong(NOTE_MAX) }));

/** `userId` and `authUser` name the caller. */
export const transferFields = {
  transferAmount: amountOf({
    missing: CREDIT_FIELD_TEXTS.amountMissing,
    notNumber: CREDIT_FIELD_TEXTS.wrongTransfer,
    notAboveZero: CREDIT_FIELD_TEXTS.wrongTransfer,
  }),
  password: ownPassword,
  userId: ownId,
  authUser: ownAccount,
  note: z.optional(note),
};

export const transactionType = z._default(
  z.enum(['credit', 'debit'], { error: CREDIT_FIELD_TEXTS.wrongTransactionType }),
  'credit',
);

/** At least 1 point; `credit` gives, `debit` takes back. */
export const adjustFields = {
  adjustAmount: amountOf({
    missing: CREDIT_FIELD_TEXTS.amountMissing,
    notNumber: CREDIT_FIELD_TEXTS.wrongAdjustment,
    notAboveZero: CREDIT_FIELD_TEXTS.notAboveZero,
  }).check(z.gte(1, { error: CREDIT_FIELD_TEXTS.notAboveZero })),
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
  'TARGET_INACTIVE',
  'IDEMPOTENCY_CONFLICT',
  'IDENTITY_MISMATCH',
];
