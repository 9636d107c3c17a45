import * as z from 'zod/mini';
import { transferFields } from '../credit/credit-fields.ts';
import {
  amount,
  BULK_MAX,
  bulkRows,
  day,
  hundredthsOf,
  id,
  points,
  STAFF_ROLES,
  success,
  time,
} from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { paymentFields, PAYMENT_DIRECTIONS, weekNote, type PaymentDirection } from './week-payments.ts';
import { WEEK_CONTRACT_TEXTS } from './weeks-texts.ts';

const oneOf = <const Name extends string>(names: Readonly<Record<Name, string>>, error: string) =>
  z.enum(Object.keys(names) as Name[], { error });

export const CREDIT_ACTIONS = WEEK_CONTRACT_TEXTS.creditActions;
export type CreditAction = keyof typeof CREDIT_ACTIONS;

const line = z.object({
  accountId: id,
  /** Balance as the caller saw it. A week that has changed is not closed. */
  expectedBalance: z
    .number({ error: WEEK_CONTRACT_TEXTS.wrongBalance })
    .check(z.refine((value) => hundredthsOf(Math.abs(value)) !== null, { error: WEEK_CONTRACT_TEXTS.wrongBalance })),
  /** Paid while closing; counts in today's week. */
  payment: z.optional(
    z.object({
      direction: oneOf<PaymentDirection>(PAYMENT_DIRECTIONS, WEEK_CONTRACT_TEXTS.wrongDirection),
      sum: amount,
      method: paymentFields.method,
      reference: paymentFields.reference,
    }),
  ),
});

export const closeWeeks = route({
  method: 'POST',
  path: 'weeks/close',
  summary:
    'Closes a week of accounts directly below the caller, and the open weeks before it, all or none: records payments, ' +
    'moves the credit that is wanted, and carries the rest. A closed week never changes.',
  access: STAFF_ROLES,
  permission: 'adjustments',
  approval: ['week', 'payment', 'credit'],
  sensitive: 'asks',
  bodyLimit: 384 * BULK_MAX + 4096,
  body: z.object({
    day,
    lines: bulkRows(line, ({ accountId }) => accountId),
    credit: z._default(oneOf<CreditAction>(CREDIT_ACTIONS, WEEK_CONTRACT_TEXTS.wrongCredit), 'stay'),
    /** Credit of each account after a `refill`. */
    refillTo: z.optional(amount),
    password: transferFields.password,
    userId: transferFields.userId,
    note: z.optional(weekNote),
  }),
  response: z.object({
    ...success,
    results: z.array(
      z.object({
        accountId: id,
        /** Of the closed week, and what the account owes of it after the payment and the moved credit. */
        balance: points,
        left: points,
        /** Given; negative: taken back. */
        credit: points,
      }),
    ),
  }),
  errors: [
    'NOT_FOUND',
    'WRONG_PASSWORD',
    'INSUFFICIENT_CREDIT',
    'TARGET_INACTIVE',
    'IDEMPOTENCY_CONFLICT',
    'IDENTITY_MISMATCH',
  ],
});

export const NOTE_KINDS = WEEK_CONTRACT_TEXTS.noteKinds;
export type NoteKind = keyof typeof NOTE_KINDS;

export const DISPUTED = WEEK_CONTRACT_TEXTS.disputed;

export const weekNoteRow = z.object({
  _id: id,
  at: time,
  by: z.string(),
  kind: z.enum(Object.keys(NOTE_KINDS) as NoteKind[]),
  about: z.string(),
  note: z.string(),
});

export const addWeekNote = route({
  method: 'POST',
  path: 'weeks/notes',
  summary:
    'Adds a note to a week of the caller or of an account below it, disputes a line of it, or answers the dispute. ' +
    'A disputed week cannot be closed.',
  access: STAFF_ROLES,
  permission: 'credit',
  sensitive: false,
  body: z.object({
    accountId: z.optional(id),
    day,
    kind: oneOf<NoteKind>(NOTE_KINDS, WEEK_CONTRACT_TEXTS.wrongKind),
    about: z.optional(oneOf(DISPUTED, WEEK_CONTRACT_TEXTS.wrongAbout)),
    note: z
      .string({ error: WEEK_CONTRACT_TEXTS.notText })
      .check(
        z.trim(),
        z.minLength(1, { error: WEEK_CONTRACT_TEXTS.notText }),
        z.maxLength(500, { error: WEEK_CONTRACT_TEXTS.noteTooLong }),
      ),
  }),
  response: z.object({ ...success, noteId: id }),
  errors: ['NOT_FOUND', 'RULE_REFUSED'],
});
