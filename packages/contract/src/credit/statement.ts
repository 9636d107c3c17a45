import * as z from 'zod/mini';
import { movement, MOVEMENT_KINDS, STATEMENT_KINDS, statementKind } from './credit.ts';
import { list } from '../frame/list.ts';
import { checked, choice, period } from '../frame/list-filters.ts';
import { id, points, role, success, time } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';
import type { RouteAnswer } from '../frame/route.ts';

/** A place in a wallet's history: the number of a movement in it, from 1. For clients it is a text to give back. */
export const statementCursor = z
  .string()
  .check(z.regex(/^\d{1,15}$/, { error: 'A place in a statement is what an earlier page gave' }));

/** Of whom, and of which of their wallets. */
const whose = {
  /** The account; the caller itself where it is left out. */
  id: z.optional(id),
  /** Winnings are what a player has won and not claimed yet; nobody else has any. */
  wallet: z._default(
    z.enum(['credit', 'commission', 'winnings'], { error: 'The wallet is credit, commission or winnings' }),
    'credit',
  ),
};

/** `GET credit/statement`: what went into and out of a wallet in the instants [startDate, endDate], newest first; files have the oldest first. */
export const statement = list({
  path: 'credit/statement',
  summary: 'Opening balance, every movement, and closing balance of an account between two instants; newest first.',
  access: 'session',
  query: whose,
  row: movement,
  columns: [
    { name: 'at', kind: 'time', header: 'Date & Time', width: 180, export: { width: 22 } },
    {
      name: 'kind',
      kind: 'text',
      header: 'Type',
      width: 140,
      yields: 2,
      value: (row) => STATEMENT_KINDS[row.kind],
      export: { width: 24 },
    },
    // On the page its number leads to the ticket where others have their note.
    {
      name: 'ticket',
      kind: 'code',
      header: 'Ticket',
      width: 128,
      onPage: false,
      export: { width: 18, value: (row) => row.ticket ?? '' },
    },
    { name: 'counterpart', kind: 'text', header: 'Counterpart', width: 128, yields: 1, export: { width: 30 } },
    { name: 'note', kind: 'text', header: 'Note', width: 128, yields: 1, export: { width: 40 } },
    {
      name: 'actor',
      kind: 'text',
      header: 'By',
      width: 130,
      yields: 4,
      export: { width: 20, value: (row) => row.actor ?? 'System' },
    },
    // Each movement is on one side only; the other side stays empty. What was cleared may be on both.
    {
      name: 'credit',
      kind: 'points',
      header: 'Credit',
      width: 122,
      value: (row) => row.credit || null,
      export: { width: 15 },
    },
    {
      name: 'debit',
      kind: 'points',
      header: 'Debit',
      width: 122,
      value: (row) => row.debit || null,
      export: { width: 15 },
    },
    { name: 'balance', kind: 'points', header: 'Balance', width: 124, export: { width: 18 } },
  ],
  filters: [period, choice('kind', 'Type', MOVEMENT_KINDS)],
  order: '-at',
  paging: 'keyset',
  cursor: statementCursor,
  extra: {
    account: z.object({ _id: id, username: z.string(), role }),
    opening: points,
    closing: points,
  },
  errors: ['NOT_FOUND'],
  file: {
    name: 'Statement',
    sheet: 'Statement',
    columns: ['at', 'kind', 'ticket', 'counterpart', 'actor', 'note', 'credit', 'debit', 'balance'],
    order: 'at',
    namesZone: true,
  },
});
/** One page of a statement. */
export type Statement = RouteAnswer<(typeof statement)['route']>;

/** The names of the first and the last line of a statement's file, which have the balances. */
export const STATEMENT_ENDS = { opening: 'Opening balance', closing: 'Closing balance' } as const;

/** What went through a wallet by one kind of movement, or was cleared; null where there were too many to be added up. */
const kindSum = z.object({
  kind: statementKind,
  count: z.number(),
  credit: z.nullable(points),
  debit: z.nullable(points),
});

/** `GET credit/statement/summary`: what the movements of the same query come to. */
export const statementSummary = route({
  method: 'GET',
  path: 'credit/statement/summary',
  summary:
    'What went into and out of a wallet between two instants, by the kind of movement, and its balance over that time.',
  access: 'session',
  query: checked(z.object({ ...whose, ...period.fields }), [period]),
  response: z.object({
    ...success,
    opening: points,
    closing: points,
    /** Everything that went in and out between them; null where there was too much to be added up. */
    credit: z.nullable(points),
    debit: z.nullable(points),
    kinds: z.array(kindSum),
    /** The balance after each movement or, of many, after every so many of them. */
    balances: z.array(z.object({ at: time, balance: points })),
    movements: z.number(),
  }),
  errors: ['NOT_FOUND', 'REPORT_STOPPED'],
});
/** What the movements of a statement come to. */
export type StatementSummary = RouteAnswer<typeof statementSummary>;
