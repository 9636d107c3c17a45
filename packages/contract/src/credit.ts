import * as z from 'zod/mini';
import { account } from './accounts.ts';
import { ownId } from './caller.ts';
import { CREDIT_ERRORS, transferFields } from './credit-fields.ts';
import { CSV_TYPE, XLSX_TYPE } from './media-types.ts';
import {
  amount,
  id,
  listQuery,
  period,
  periodInOrder,
  points,
  role,
  STAFF_ROLES,
  success,
  time,
  timeZone,
} from './primitives.ts';
import { route } from './route.ts';

/** `GET credit/loadcredit`: the caller's own spendable credit, the "Hierarchy Credit" of the credit screens. */
export const loadCredit = route({
  method: 'GET',
  path: 'credit/loadcredit',
  summary: "The caller's own credit, and how much of its daily limit is left today.",
  access: 'session',
  query: z.object({ id: ownId }),
  response: z.object({
    ...success,
    data: z.array(
      z.object({
        _id: id,
        walletBalance: points,
        /** What the caller may still pass on today; null without a limit. */
        leftToday: z.nullable(points),
      }),
    ),
  }),
  errors: ['IDENTITY_MISMATCH'],
});

/** `POST credit/commission-payout`: from a child's commission wallet into its credit wallet. */
export const payCommission = route({
  method: 'POST',
  path: 'credit/commission-payout',
  summary: 'Pays the commission of an account below the caller into its credit: the amount, or all of it.',
  access: STAFF_ROLES,
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
  errors: [...CREDIT_ERRORS, 'RULE_REFUSED'],
});

/** Why credit moved, with the words for it. */
export const TRANSFER_KINDS = {
  issue: 'Credit issued',
  retire: 'Credit retired',
  credit: 'Credit transfer',
  debit: 'Credit taken back',
  'table-add': 'Game balance added',
  'table-reset': 'Game balance reset',
  stake: 'Bet',
  refund: 'Bet given back',
  collect: 'Bets collected',
  win: 'Win',
  commission: 'Commission earned',
  payout: 'Commission paid out',
  return: 'Returned on deletion',
} as const;
/** One reason for which credit moves. */
export type TransferKind = keyof typeof TRANSFER_KINDS;

/** One movement of a statement. Either `credit` (into the wallet) or `debit` (out of it) is above zero. */
export const movement = z.object({
  _id: id,
  at: time,
  kind: z.enum(Object.keys(TRANSFER_KINDS) as [TransferKind, ...TransferKind[]]),
  /** The other side: an account, a game, the commission of the account itself, or the source of all credit. */
  counterpart: z.string(),
  /** The account behind the other side, where it is another one. */
  counterpartId: z.nullable(id),
  counterpartRole: z.nullable(role),
  /** Who moved it; null where the product did, at a draw. */
  actor: z.nullable(z.string()),
  note: z.nullable(z.string()),
  credit: points,
  debit: points,
  /** The wallet after it. */
  balance: points,
});
/** One movement of a statement. */
export type Movement = z.infer<typeof movement>;

/** A place in a wallet's history: the number of a movement in it, from 1. For clients it is a text to give back. */
export const statementPlace = z
  .string()
  .check(z.regex(/^\d{1,15}$/, { error: 'A place in a statement is what an earlier page gave' }));

const statementQuery = {
  /** The account; the caller itself where it is left out. */
  id: z.optional(id),
  wallet: z._default(z.enum(['credit', 'commission'], { error: 'The wallet is credit or commission' }), 'credit'),
  ...period,
};

/** `GET credit/statement`: what went into and out of a wallet in the instants [startDate, endDate], newest first. */
export const statement = route({
  method: 'GET',
  path: 'credit/statement',
  summary: 'Opening balance, every movement, and closing balance of an account between two instants; newest first.',
  access: 'session',
  query: z
    .object({
      ...statementQuery,
      /** Keeps the movements older than this place. */
      before: z.optional(statementPlace),
      /** Keeps those newer than this one: the page that ends just above it. */
      after: z.optional(statementPlace),
      pageSize: listQuery.pageSize,
    })
    .check(periodInOrder),
  response: z.object({
    ...success,
    account: z.object({ _id: id, username: z.string(), role }),
    opening: points,
    closing: points,
    /** Everything that went in and out between them. */
    credit: points,
    debit: points,
    total: z.number(),
    data: z.array(movement),
    /** What to give as `before` for the next page, as `after` for the one before; null at the ends. */
    older: z.nullable(statementPlace),
    newer: z.nullable(statementPlace),
  }),
  errors: ['NOT_FOUND'],
});
/** One page of a statement. */
export type Statement = z.infer<(typeof statement)['response']>;

function statementFile(format: 'xlsx' | 'csv', mediaType: string) {
  return route({
    method: 'GET',
    path: `credit/statement/${format}`,
    summary: `The whole statement as a file (${format}), oldest first, with opening and closing balance.`,
    access: 'session',
    query: z
      .object({
        ...statementQuery,
        /** Of the times in the file; the server's where it is left out. */
        timeZone: z.optional(timeZone),
      })
      .check(periodInOrder),
    file: mediaType,
    response: z.unknown(),
    errors: ['NOT_FOUND'],
  });
}

/** The statement as a file, by its format. */
export const statementFiles = {
  xlsx: statementFile('xlsx', XLSX_TYPE),
  csv: statementFile('csv', CSV_TYPE),
};
