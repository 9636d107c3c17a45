import * as z from 'zod/mini';
import {
  ownId,
  clearedNote,
  dayOrInstant,
  id,
  namedAccount,
  points,
  role,
  STAFF_ROLES,
  success,
  time,
} from '../core/primitives.ts';
import { MOVEMENT_KINDS, type MovementKind } from '../credit/credit.ts';
import { list, type ObjectRef } from '../core/list.ts';
import { choiceFilter, onDay } from '../core/list-filters.ts';
import { activity } from '../activity/activity.ts';
import { route, type RouteAnswer } from '../core/route.ts';
import { CORE_TEXTS, REPORT_FIELD_TEXTS } from '../core/field-texts.ts';

/** Microseconds of Unix time, then the key. */
export const timedCursor = z.string().check(
  z.regex(/^(0|\d{1,17}_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/, {
    error: CORE_TEXTS.wrongAfter,
  }),
);

/** Transfers are atomic, so only credit for another cell is not completed at once. That cell may refuse it. */
export const TRANSACTION_STATUS = { completed: 'Completed', transit: 'In transit', refused: 'Refused' } as const;

/** Moves stakes between both sides of a game. */
const { collect: _, ...KINDS } = MOVEMENT_KINDS;

/** Without bets, wins, commissions and game balances. */
export const CREDIT_KINDS = ['issue', 'retire', 'credit', 'debit', 'return'] as const;

/** An account, a game, or the source of all credit. */
const side = {
  name: z.string(),
  /** Null unless the account is the caller or below it. */
  id: z.nullable(id),
  role: z.nullable(role),
};

/** Exactly one of `credit` and `debit` is positive, as seen from the requested account, else from the lower one. */
export const transaction = z.object({
  _id: id,
  kind: z.enum(Object.keys(KINDS) as [keyof typeof KINDS, ...(keyof typeof KINDS)[]]),
  user: z.object(side),
  recipient: z.object(side),
  credit: points,
  debit: points,
  message: z.string(),
  ticketId: z.nullable(z.string()),
  status: z.enum(Object.keys(TRANSACTION_STATUS) as (keyof typeof TRANSACTION_STATUS)[]),
  createdAt: time,
});
export type Transaction = z.infer<typeof transaction>;

/** Null for wallets that the caller does not see. */
const sideWithBalance = z.object({
  ...side,
  wallet: z.enum(['credit', 'commission', 'winnings', 'table', 'escrow', 'issuance', 'boundary']),
  before: z.nullable(points),
  after: z.nullable(points),
});

export const transactionDetails = z.extend(transaction, {
  amount: points,
  from: sideWithBalance,
  to: sideWithBalance,
  note: z.nullable(z.string()),
  actor: z.nullable(z.object(side)),
  /** Set for payments by a draw that belong to no single ticket. */
  drawId: z.nullable(id),
});
export type TransactionDetails = z.infer<typeof transactionDetails>;

const linkedTransfer = z.nullable(z.object({ _id: id, createdAt: time }));

export const transactionOf = route({
  method: 'GET',
  path: 'reports/transaction/:id',
  summary:
    'One transfer below the caller: both accounts with their balances, who made it, and its rows in the log. Also shows ' +
    'credit that is asked back from another cell.',
  access: STAFF_ROLES,
  permission: 'lists',
  params: { id },
  response: z.object({
    ...success,
    data: transactionDetails,
    reverses: linkedTransfer,
    reversedBy: linkedTransfer,
    /** Credit would move from `payer` to `receiver`. Null if the caller cannot reverse it. */
    reversible: z.nullable(
      z.object({
        payer: z.object({ name: z.string(), balance: points }),
        receiver: z.object({ name: z.string(), balance: points }),
      }),
    ),
    log: z.array(activity),
  }),
  errors: ['NOT_FOUND', 'REPORT_STOPPED'],
});
export type TransactionPage = RouteAnswer<typeof transactionOf>;

export function aboutSide({
  id: accountId,
  role: ofRole,
}: Pick<TransactionDetails['from'], 'id' | 'role'>): ObjectRef | null {
  return accountId === null ? null : { kind: 'account', id: accountId, role: ofRole };
}

export const transactionReport = list({
  path: 'reports/transactionreport',
  summary: 'The transfers of one account, or of the caller and everyone below it, newest first; today by default.',
  access: STAFF_ROLES,
  permission: 'reports',
  query: {
    id: z.optional(id),
    role: z.optional(z.string()),
    currentid: ownId,
    /** A day, or an instant from clients in other zones. Instants take precedence. */
    date: z.optional(dayOrInstant),
    status: z.optional(
      z.enum(Object.keys(TRANSACTION_STATUS) as (keyof typeof TRANSACTION_STATUS)[], {
        error: REPORT_FIELD_TEXTS.wrongStatus,
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
      yields: 6,
      value: (row) => row._id,
      about: (row) => ({ kind: 'transaction', id: row._id }),
      export: { width: 40 },
    },
    {
      name: 'user',
      kind: 'text',
      header: 'User',
      width: 120,
      value: (row) => row.user.name,
      about: (row) => aboutSide(row.user),
      export: { width: 34 },
    },
    {
      name: 'recipient',
      kind: 'text',
      header: 'Recipient',
      width: 150,
      yields: 4,
      under: 'user',
      value: (row) => row.recipient.name,
      about: (row) => aboutSide(row.recipient),
      export: { width: 34 },
    },
    {
      name: 'credit',
      kind: 'points',
      header: 'Credit',
      width: 88,
      yields: -1,
      value: (row) => row.credit || null,
      export: { width: 15 },
    },
    {
      name: 'debit',
      kind: 'points',
      header: 'Debit',
      width: 88,
      yields: -1,
      value: (row) => row.debit || null,
      export: { width: 15 },
    },
    {
      name: 'message',
      kind: 'text',
      header: 'Transaction Message',
      width: 174,
      grows: true,
      yields: 2,
      export: { width: 60 },
    },
    {
      name: 'status',
      kind: 'text',
      header: 'Status',
      width: 112,
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
      // Narrow screens hide the id.
      about: (row) => ({ kind: 'transaction', id: row._id }),
      export: { width: 22 },
    },
  ],
  filters: [
    onDay('date', 'Date', ['startDate', 'endDate']),
    choiceFilter('type', 'Type', { between: 'Credit between accounts', ...KINDS }),
  ],
  order: '-createdAt',
  paging: 'keyset',
  cursor: timedCursor,
  countUpTo: 10_000,
  extra: {
    role,
    account: z.nullable(namedAccount),
    ...clearedNote,
  },
  errors: ['NOT_FOUND', 'IDENTITY_MISMATCH'],
  file: { name: 'TransactionsList', sheet: 'Transactions', numbered: true },
});

export type TransactionKind = Exclude<MovementKind, 'collect'>;

export interface MessageParts {
  kind: TransactionKind;
  inTransit: boolean;
  game: string | null;
  ticketId: string | null;
  by: string | null;
  note: string | null;
}

export function transactionMessage({ kind, inTransit, game, ticketId, by, note }: MessageParts): string {
  const what = inTransit ? `${KINDS[kind]} in transit` : KINDS[kind];
  const about = [game === null ? '' : ` on ${game}`, ticketId === null ? '' : `, ticket ${ticketId}`].join('');
  const hand = ['stake', 'claim'].includes(kind) || by === null ? '' : ` by ${by}`;
  return `${what}${about}${hand}${note === null ? '' : `: ${note}`}`;
}

/** Splits a `transactionMessage` around its ticket; null if it names none. */
export function splitAtTicket({
  kind,
  message,
  ticketId,
}: Pick<Transaction, 'kind' | 'message' | 'ticketId'>): { what: string; onGame: string; after: string } | null {
  const at = ticketId === null ? -1 : message.indexOf(ticketId);
  const what = KINDS[kind];
  if (ticketId === null || at < 0 || !message.startsWith(what)) return null;
  return { what, onGame: message.slice(what.length, at), after: message.slice(at + ticketId.length) };
}
