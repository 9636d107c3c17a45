import * as z from 'zod/mini';
import { movement, MOVEMENT_KINDS, STATEMENT_KINDS, statementKind, type Movement } from './credit.ts';
import { list, type ObjectRef } from '../core/list.ts';
import type { Role } from '../core/roles.ts';
import { checked, choiceFilter, period } from '../core/list-filters.ts';
import { id, points, role, success, time } from '../core/primitives.ts';
import { route, type RouteAnswer } from '../core/route.ts';
import { CORE_TEXTS, CREDIT_FIELD_TEXTS } from '../core/field-texts.ts';

/** Number of a movement in its wallet, from 1. Opaque to clients. */
export const statementCursor = z.string().check(z.regex(/^\d{1,15}$/, { error: CORE_TEXTS.wrongAfter }));

const accountFields = {
  id: z.optional(id),
  /** `winnings`: unclaimed wins, players only. */
  wallet: z._default(z.enum(['credit', 'commission', 'winnings'], { error: CREDIT_FIELD_TEXTS.wrongWallet }), 'credit'),
};

/** Null for lines about cleared history and restores. */
export function aboutTransfer({ _id, kind }: Movement): ObjectRef | null {
  return kind === 'cleared' || kind === 'restored' ? null : { kind: 'transaction', id: _id };
}

export function aboutAccount(accountId: string | null, ofRole: Role | null): ObjectRef | null {
  return accountId === null ? null : { kind: 'account', id: accountId, role: ofRole };
}

/** Files are oldest first. */
export const statement = list({
  path: 'credit/statement',
  summary:
    'Statement of an account between two instants: opening balance, every movement, and closing balance; newest first.',
  access: 'session',
  permission: 'lists',
  query: accountFields,
  row: movement,
  // On narrow screens, what happened stays longest.
  columns: [
    {
      name: 'at',
      kind: 'time',
      header: 'Date & Time',
      width: 172,
      about: (row) => aboutTransfer(row),
      export: { width: 22 },
    },
    {
      name: 'kind',
      kind: 'text',
      header: 'Type',
      width: 150,
      yields: 1,
      value: (row) => STATEMENT_KINDS[row.kind],
      export: { width: 24 },
    },
    {
      name: 'ticket',
      kind: 'code',
      header: 'Ticket',
      width: 128,
      onPage: false,
      export: { width: 18, value: (row) => row.ticket ?? '' },
    },
    {
      name: 'counterpart',
      kind: 'text',
      header: 'Counterpart',
      width: 140,
      yields: 2,
      under: 'kind',
      about: (row) => aboutAccount(row.counterpartId, row.counterpartRole),
      export: { width: 30 },
    },
    {
      name: 'note',
      kind: 'text',
      header: 'Note',
      width: 152,
      grows: true,
      yields: 3,
      about: (row) => (row.ticket === null ? null : { kind: 'ticket', id: row.ticket }),
      export: { width: 40 },
    },
    {
      name: 'actor',
      kind: 'text',
      header: 'By',
      width: 124,
      yields: 4,
      about: (row) => aboutAccount(row.actorId, row.actorRole),
      export: { width: 20, value: (row) => row.actor ?? 'System' },
    },
    // Cleared history may fill both sides.
    {
      name: 'credit',
      kind: 'points',
      header: 'Credit',
      width: 110,
      value: (row) => row.credit || null,
      export: { width: 15 },
    },
    {
      name: 'debit',
      kind: 'points',
      header: 'Debit',
      width: 110,
      value: (row) => row.debit || null,
      export: { width: 15 },
    },
    { name: 'balance', kind: 'points', header: 'Balance', width: 110, export: { width: 18 } },
  ],
  filters: [period, choiceFilter('kind', 'Type', MOVEMENT_KINDS)],
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
export type Statement = RouteAnswer<(typeof statement)['route']>;

/** Lines of the file that contain the balances. */
export const STATEMENT_ENDS = { opening: 'Opening balance', closing: 'Closing balance' } as const;

const kindSum = z.object({
  kind: statementKind,
  count: z.number(),
  credit: z.nullable(points),
  debit: z.nullable(points),
});

export const statementSummary = route({
  method: 'GET',
  path: 'credit/statement/summary',
  summary: 'Movements of a wallet between two instants, summed by kind, and its balance over that time.',
  access: 'session',
  permission: 'lists',
  query: checked(z.object({ ...accountFields, ...period.fields }), [period]),
  response: z.object({
    ...success,
    opening: points,
    closing: points,
    /** Totals of the period. Null if too many to add up. */
    credit: z.nullable(points),
    debit: z.nullable(points),
    kinds: z.array(kindSum),
    /** Sampled at regular steps if there are many movements. */
    balances: z.array(z.object({ at: time, balance: points })),
    movements: z.number(),
  }),
  errors: ['NOT_FOUND', 'REPORT_STOPPED'],
});
export type StatementSummary = RouteAnswer<typeof statementSummary>;
