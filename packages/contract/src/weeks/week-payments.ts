import * as z from 'zod/mini';
import { list, type ListColumn } from '../core/list.ts';
import { choiceFilter, idFilter, periodFilter } from '../core/list-filters.ts';
import { amount, id, namedAccount, NOTE_MAX, points, STAFF_ROLES, success, time } from '../core/primitives.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';
import { route } from '../core/route.ts';
import { WEEK_CONTRACT_TEXTS } from './weeks-texts.ts';

/** `in`: from the account to its parent. */
export const PAYMENT_DIRECTIONS = WEEK_CONTRACT_TEXTS.directions;
export type PaymentDirection = keyof typeof PAYMENT_DIRECTIONS;
export const PAYMENT_METHODS = WEEK_CONTRACT_TEXTS.methods;
export type PaymentMethod = keyof typeof PAYMENT_METHODS;

const REFERENCE_MAX = 100;

const text = (most: number) =>
  z
    .string({ error: WEEK_CONTRACT_TEXTS.notText })
    .check(z.trim(), z.maxLength(most, { error: CORE_TEXTS.tooLong(most) }));

export const weekNote = text(NOTE_MAX);

export const paymentMethod = z.enum(Object.keys(PAYMENT_METHODS) as PaymentMethod[], {
  error: CORE_TEXTS.oneOf('A method', Object.keys(PAYMENT_METHODS)),
});

export const paymentFields = {
  method: paymentMethod,
  reference: z.optional(text(REFERENCE_MAX)),
  note: z.optional(weekNote),
};

const direction = z.enum(Object.keys(PAYMENT_DIRECTIONS) as PaymentDirection[], {
  error: CORE_TEXTS.oneOf('A direction', Object.keys(PAYMENT_DIRECTIONS)),
});

export const weekPayment = z.object({
  _id: id,
  at: time,
  account: namedAccount,
  parent: z.string(),
  direction,
  amount: points,
  method: paymentMethod,
  reference: z.string(),
  note: z.string(),
  by: z.string(),
  /** The payment that this entry reverses. */
  reverses: z.nullable(id),
  isReversed: z.boolean(),
});
export type WeekPayment = z.infer<typeof weekPayment>;

/** Also of standing orders. */
export const accountColumn = {
  name: 'account',
  kind: 'text',
  header: 'Account',
  width: 140,
  value: (row: Pick<WeekPayment, 'account'>) => row.account.username,
  about: ({ account: { id: of, role: level } }: Pick<WeekPayment, 'account'>) => ({
    kind: 'account',
    id: of,
    role: level,
  }),
  sort: true,
  export: { width: 30 },
} as const satisfies ListColumn<Pick<WeekPayment, 'account'>>;

export const weekPayments = list({
  path: 'weeks/payments',
  summary: 'Payments between accounts and their parents, at and below the caller. They never change credit.',
  access: STAFF_ROLES,
  permission: 'reports',
  row: weekPayment,
  columns: [
    { name: 'at', kind: 'time', header: 'Time', width: 160, sort: true, export: { width: 20 } },
    accountColumn,
    { name: 'parent', kind: 'text', header: 'Settles with', width: 130, yields: 1, export: { width: 30 } },
    {
      name: 'direction',
      kind: 'text',
      header: 'Direction',
      width: 100,
      value: (row) => PAYMENT_DIRECTIONS[row.direction],
      export: { width: 12 },
    },
    { name: 'amount', kind: 'points', header: 'Amount', width: 110, sort: true, export: { width: 16 } },
    {
      name: 'method',
      kind: 'text',
      header: 'Method',
      width: 90,
      value: (row) => PAYMENT_METHODS[row.method],
      export: { width: 12 },
    },
    { name: 'reference', kind: 'text', header: 'Reference', width: 120, yields: 1, export: { width: 24 } },
    { name: 'note', kind: 'text', header: 'Note', width: 140, grows: true, yields: 2, export: { width: 40 } },
    { name: 'by', kind: 'text', header: 'Recorded by', width: 120, yields: 2, export: { width: 24 } },
    {
      name: 'state',
      kind: 'text',
      header: 'State',
      width: 100,
      value: (row) => WEEK_CONTRACT_TEXTS.states[row.reverses ? 'reversal' : row.isReversed ? 'reversed' : 'valid'],
      export: { width: 12 },
    },
  ],
  filters: [
    periodFilter('at', 'Time'),
    choiceFilter('direction', 'Direction', PAYMENT_DIRECTIONS),
    choiceFilter('method', 'Method', PAYMENT_METHODS),
    idFilter('accountId', 'Account'),
  ],
  order: '-at',
  file: { name: 'Payments', sheet: 'Payments', order: 'at' },
});

export const recordPayment = route({
  method: 'POST',
  path: 'weeks/payments',
  summary: 'Records money paid between an account below the caller and its parent. Credit does not change.',
  access: STAFF_ROLES,
  permission: 'credit',
  approval: ['payment'],
  sensitive: false,
  /** `sum` in money, not credit. */
  body: z.object({ accountId: id, direction, sum: amount, ...paymentFields }),
  response: z.object({ ...success, paymentId: id }),
  errors: ['NOT_FOUND', 'IDEMPOTENCY_CONFLICT'],
});

export const reversePayment = route({
  method: 'POST',
  path: 'weeks/payments/reverse',
  summary: 'Reverses a payment once, by a linked counter-entry at the present time.',
  access: STAFF_ROLES,
  permission: 'adjustments',
  approval: ['payment'],
  sensitive: false,
  body: z.object({ paymentId: id, note: z.optional(weekNote) }),
  response: z.object({ ...success, paymentId: id }),
  errors: ['NOT_FOUND', 'ALREADY_REVERSED', 'IDEMPOTENCY_CONFLICT'],
});
