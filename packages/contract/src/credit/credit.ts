import * as z from 'zod/mini';
import { account } from '../accounts/accounts.ts';
import { CREDIT_ERRORS, transferFields } from './credit-fields.ts';
import { amount, id, points, role, STAFF_ROLES, success, time } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';

/** `POST credit/commission-payout`: from a child's commission wallet into its credit wallet. */
export const payCommission = route({
  method: 'POST',
  path: 'credit/commission-payout',
  summary: 'Pays the commission of an account below the caller into its credit: the amount, or all of it.',
  access: STAFF_ROLES,
  sensitive: 'asks',
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
export const MOVEMENT_KINDS = {
  issue: 'Credit issued',
  retire: 'Credit retired',
  credit: 'Credit transfer',
  debit: 'Credit taken back',
  'table-add': 'Game balance added',
  'table-reset': 'Game balance reset',
  cover: 'Cover of a declared result',
  stake: 'Bet',
  refund: 'Bet given back',
  collect: 'Bets collected',
  win: 'Win',
  commission: 'Commission earned',
  payout: 'Commission paid out',
  claim: 'Win claimed',
  restore: 'Made up for by a restore',
  return: 'Returned on deletion',
} as const;
/** One reason for which credit moves. */
export type MovementKind = keyof typeof MOVEMENT_KINDS;

/** What a line of a statement is: a movement of some kind, all that was cleared between two of them, or a restore of the network. */
export const STATEMENT_KINDS = {
  ...MOVEMENT_KINDS,
  cleared: 'Cleared until here',
  restored: 'Restored from a backup',
} as const;
/** What one line of a statement is. */
export type StatementKind = keyof typeof STATEMENT_KINDS;

/** What a line of a statement is, as calls name it. */
export const statementKind = z.enum(Object.keys(STATEMENT_KINDS) as [StatementKind, ...StatementKind[]]);

/**
 * One movement of a statement. Either `credit` (into the wallet) or `debit` (out of it) is above zero. Where history was cleared, one line stands
 * for all that was between two movements, with what came in and what went out. A restore of the network is one line too, which moves nothing.
 */
export const movement = z.object({
  _id: id,
  /** Of what was cleared, when the last of it was made. */
  at: time,
  kind: statementKind,
  /**
   * The other side: an account, a game, the commission of the account itself, or the source of all credit. Of what was cleared, how many movements
   * it was; its note says of which days.
   */
  counterpart: z.string(),
  /** The account behind the other side, where it is another one. */
  counterpartId: z.nullable(id),
  counterpartRole: z.nullable(role),
  /** Who moved it; null where the product did, at a draw. */
  actor: z.nullable(z.string()),
  /** The number of the ticket of a bet, a win, a claim or a bet that was given back, as people read it. */
  ticket: z.nullable(z.string()),
  note: z.nullable(z.string()),
  credit: points,
  debit: points,
  /** The wallet after it. */
  balance: points,
});
/** One movement of a statement. */
export type Movement = z.infer<typeof movement>;
