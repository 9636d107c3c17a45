import * as z from 'zod/mini';
import { clearedNote } from '../clearing/history-note.ts';
import { ownId } from '../frame/caller.ts';
import { MOVEMENT_KINDS } from '../credit/credit.ts';
import type { MovementKind } from '../credit/credit.ts';
import { list } from '../frame/list.ts';
import { choice, onDay } from '../frame/list-filters.ts';
import { dayOrInstant, id, points, role, STAFF_ROLES, time } from '../frame/primitives.ts';

/**
 * The cursor of a row in a keyset list by time and key (`time` of its source), as the answer gives it in `older` or `newer`: microseconds
 * of Unix time and the key.
 */
export const timedCursor = z
  .string()
  .check(
    z.regex(/^(0|\d{1,17}_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/, { error: 'Give what the last page answered' }),
  );

/** What a transfer can be: it moves credit as a whole or is not there, so every one that is shown is completed. */
export const TRANSACTION_STATUS = { completed: 'Completed' } as const;

/** The kinds of transfer that an account takes part in. The collecting of bets is between the two sides of a game. */
const { collect: _, ...KINDS } = MOVEMENT_KINDS;

/** One side of a transfer: an account, a game, or the source of all credit. */
const side = {
  name: z.string(),
  /** The account, where it is one that the caller manages, or the caller itself. */
  id: z.nullable(id),
  role: z.nullable(role),
};

/** One transfer of credit. Either `credit` or `debit` is above zero: of the account that was asked for, else of the lower of the two. */
export const transaction = z.object({
  _id: id,
  kind: z.enum(Object.keys(KINDS) as [keyof typeof KINDS, ...(keyof typeof KINDS)[]]),
  /** From whom the credit came. */
  user: z.object(side),
  /** To whom it went. */
  recipient: z.object(side),
  credit: points,
  debit: points,
  /** What it was for, in words. */
  message: z.string(),
  /** The number of the ticket that it was for. */
  ticketId: z.nullable(z.string()),
  status: z.enum(Object.keys(TRANSACTION_STATUS) as (keyof typeof TRANSACTION_STATUS)[]),
  createdAt: time,
});
/** One transfer of credit. */
export type Transaction = z.infer<typeof transaction>;

/** `GET reports/transactionreport`: the transfers of the caller and the accounts below it on one day, newest first. */
export const transactionReport = list({
  path: 'reports/transactionreport',
  summary:
    'The transfers of one account, or of the caller and everyone below it, newest first; of today unless another day is given.',
  access: STAFF_ROLES,
  query: {
    /** The account whose transfers these are. */
    id: z.optional(id),
    /** That of the account that `id` names, or of the caller. */
    role: z.optional(z.string()),
    currentid: ownId,
    /** A day of the server's time zone, or the one at an instant. Whoever means a day of its own says which instants that is, which then count. */
    date: z.optional(dayOrInstant),
    status: z.optional(
      z.enum(Object.keys(TRANSACTION_STATUS) as (keyof typeof TRANSACTION_STATUS)[], {
        error: 'Status is completed: a transfer is made as a whole, or not at all',
      }),
    ),
  },
  row: transaction,
  columns: [
    {
      name: 'transactionId',
      kind: 'code',
      header: 'Transaction ID',
      width: 124,
      yields: 4,
      value: (row) => row._id,
      export: { width: 40 },
    },
    {
      name: 'user',
      kind: 'text',
      header: 'User',
      width: 120,
      value: (row) => row.user.name,
      export: { width: 34 },
    },
    {
      name: 'recipient',
      kind: 'text',
      header: 'Recipient',
      width: 120,
      yields: 2,
      value: (row) => row.recipient.name,
      export: { width: 34 },
    },
    // Each transfer is on one side only; the other side stays empty.
    {
      name: 'credit',
      kind: 'points',
      header: 'Credit',
      width: 100,
      value: (row) => row.credit || null,
      export: { width: 15 },
    },
    {
      name: 'debit',
      kind: 'points',
      header: 'Debit',
      width: 100,
      value: (row) => row.debit || null,
      export: { width: 15 },
    },
    { name: 'message', kind: 'text', header: 'Transaction Message', width: 220, yields: 3, export: { width: 60 } },
    {
      name: 'status',
      kind: 'text',
      header: 'Status',
      width: 128,
      yields: 5,
      value: (row) => TRANSACTION_STATUS[row.status],
      export: { width: 12 },
    },
    {
      name: 'createdAt',
      kind: 'time',
      header: 'Created Date',
      width: 160,
      yields: 1,
      sort: true,
      export: { width: 22 },
    },
  ],
  filters: [onDay('date', 'Date', ['startDate', 'endDate']), choice('type', 'Type', KINDS)],
  order: '-createdAt',
  paging: 'keyset',
  cursor: timedCursor,
  countUpTo: 10_000,
  extra: {
    /** That of the account whose transfers these are, or of the caller. */
    role,
    /** The account that was asked for. */
    account: z.nullable(z.object({ id, username: z.string(), role })),
    ...clearedNote,
  },
  errors: ['NOT_FOUND', 'IDENTITY_MISMATCH'],
  file: { name: 'TransactionsList', sheet: 'Transactions', numbered: true },
});

/** A kind of transfer that an account takes part in. */
export type TransactionKind = Exclude<MovementKind, 'collect'>;

/** An account whose transfers can be asked for. */
export const reportUser = z.object({ _id: id, username: z.string(), role });
/** An account whose transfers can be asked for. */
export type ReportUser = z.infer<typeof reportUser>;

/** `GET reports/findallusers`: the caller and everyone below it, or one account and everyone below that. */
export const findAllUsers = list({
  path: 'reports/findallusers',
  summary: 'An account, or the caller, and everyone below it, by name.',
  access: STAFF_ROLES,
  query: { id: z.optional(id), role: z.optional(z.string()) },
  row: reportUser,
  columns: [
    { name: 'username', kind: 'text', header: 'Username', width: 160, sort: true },
    { name: 'role', kind: 'text', header: 'Role', width: 120, sort: true },
  ],
  search: 'Search username',
  extra: { role },
  errors: ['NOT_FOUND', 'IDENTITY_MISMATCH'],
});
