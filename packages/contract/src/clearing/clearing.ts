import * as z from 'zod/mini';
import { day, points, success, time } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { networkWork } from '../network-work/network-work.ts';
import type { RouteAnswer } from '../core/route.ts';

/**
 * Models by call name, in clearing order: each step frees rows for the next. Each has a title, names for one and
 * several rows, and a description.
 */
export const CLEARING_MODELS = {
  frequency: {
    title: 'Frequencies',
    row: 'result',
    rows: 'results',
    text: 'Outcome counts leave out the results of these days. The results themselves stay.',
  },
  usertransaction: {
    title: 'Player movements',
    row: 'movement',
    rows: 'movements',
    text: 'Bets, wins, claims and refunds in the statements of players. A line with their sums replaces them.',
  },
  refertransaction: {
    title: 'Credit transfers',
    row: 'movement',
    rows: 'movements',
    text: 'Credit given, taken back and paid out between an account and its parent. A line with their sums replaces them.',
  },
  commission: {
    title: 'Commission movements',
    row: 'movement',
    rows: 'movements',
    text: 'Commission that has been paid out. Pending commission stays.',
  },
  ticket: {
    title: 'Tickets',
    row: 'ticket',
    rows: 'tickets',
    text: 'Settled and void tickets with their lines and wins. Daily turnover stays.',
  },
  result: {
    title: 'Saved results',
    row: 'log entry',
    rows: 'log entries',
    text:
      'Saves, replacements and confirmations that led to a result. The result stays with its draw, and the superadmin ' +
      'still sees these entries.',
  },
  draw: {
    title: 'Draws',
    row: 'draw',
    rows: 'draws',
    text: 'Draws without tickets, and draws whose tickets are cleared. Their public proof is removed too.',
  },
  upcome: {
    title: 'Past settings',
    row: 'log entry',
    rows: 'log entries',
    text: 'Win percentages and limits that have since been replaced.',
  },
  userlog: {
    title: 'Activity log',
    row: 'log entry',
    rows: 'log entries',
    text: 'Sign-ins and changes. Entries that prove accounts or clearings stay.',
  },
  user: {
    title: 'Deleted accounts',
    row: 'account',
    rows: 'accounts',
    text: 'Names, notes and addresses of accounts deleted in these days. Their unique ids stay.',
  },
} as const;
export type ClearingModel = keyof typeof CLEARING_MODELS;
export const CLEARING_ORDER = Object.keys(CLEARING_MODELS) as [ClearingModel, ...ClearingModel[]];

export function rowsName(model: ClearingModel, count: number | bigint): string {
  const { row, rows } = CLEARING_MODELS[model];
  return Number(count) === 1 ? row : rows;
}

/** Reasons for keeping requested rows, shown after a count. */
export const KEEP_REASONS = {
  border: 'between networks, with the other half in another network’s books',
  unpaid: 'with commission that is not paid out yet',
  undrawn: 'of draws that have not ended',
  unclaimed: 'of wins that wait to be claimed',
  tickets: 'with tickets that are still there',
  newest: 'that are the newest of their game',
  together: 'opened and proved together with one that stays',
  clearing: 'about clearings',
  account: 'that prove accounts, their parents and their commission',
  last: 'of an account’s last sign-in',
  'in force': 'in force now',
  draws: 'that existing draws depend on',
  credit: 'with credit left',
} as const;
export type KeepReason = keyof typeof KEEP_REASONS;

const model = z.enum(CLEARING_ORDER, { error: `A model must be one of ${CLEARING_ORDER.join(', ')}` });

/** Messages from the specification. */
export const CLEARING_TEXTS = {
  dates: 'Please select start and end date.',
  models: 'Select at least one model to clear',
  failed: 'Failed to delete records',
} as const;

const date = z.union([day, time], {
  error: ({ input }) =>
    input === undefined || input === null || input === ''
      ? CLEARING_TEXTS.dates
      : 'Write a day as 2026-01-31, or a time as 2026-01-31T18:30:00.000Z',
});

/** First and last day (inclusive, server's time zone) plus models. */
const choice = z.object({
  startDate: date,
  endDate: date,
  models: z
    .array(model, { error: CLEARING_TEXTS.models })
    .check(
      z.minLength(1, { error: CLEARING_TEXTS.models }),
      z.maxLength(CLEARING_ORDER.length, { error: 'Name each model once' }),
    ),
});
export type ClearingChoice = z.infer<typeof choice>;

const cleared = z.object({
  model,
  rows: z.number(),
  /** Approximate size including indexes. Freed space is reused before the disk regains it. */
  bytes: z.number(),
  points: z.nullable(points),
  left: z.array(
    z.object({ rows: z.number(), why: z.enum(Object.keys(KEEP_REASONS) as [KeepReason, ...KeepReason[]]) }),
  ),
});
export type Cleared = z.infer<typeof cleared>;

const found = {
  /** First and last day cleared. Null if none qualifies. */
  days: z.nullable(z.object({ first: z.string(), last: z.string() })),
  /** Reason for excluding requested days. Null: all included. */
  daysLeft: z.nullable(z.string()),
  models: z.array(cleared),
};

export const countRecords = route({
  method: 'POST',
  path: 'backup/countrecords',
  summary:
    "Previews clearing the caller's network between two days: what would be removed, and what would stay and why.",
  access: ['admin'],
  sensitive: false,
  body: choice,
  response: z.object({ ...success, ...found }),
});
export type Counted = Omit<RouteAnswer<typeof countRecords>, 'success' | 'message'>;

const clearing = z.object({
  ...found,
  /** Folder of the safety backup. Null: no rows to clear. */
  backup: z.nullable(z.string()),
});
export type Clearing = z.infer<typeof clearing>;

export const deleteRecords = route({
  method: 'POST',
  path: 'backup/deleterecords',
  summary:
    "Backs up the caller's network, then clears its history of some models between two days, once a day. Continues " +
    'if the client disconnects.',
  access: ['admin'],
  takesMinutes: true,
  sensitive: 'recent',
  body: choice,
  response: z.object({ ...success, message: z.string(), ...clearing.shape }),
  errors: ['WORK_UNDER_WAY', 'RULE_REFUSED'],
});

const past = z.object({ first: z.string(), last: z.string(), models: z.array(model), by: z.string(), at: time });

export const clearingState = route({
  method: 'GET',
  path: 'backup/clearing',
  summary:
    "Progress of a clearing of the caller's network, the outcome of the last one, and everything cleared so far.",
  access: ['admin'],
  response: z.object({
    ...success,
    /** Clearing or other work. Null: idle. */
    running: z.nullable(
      z.object({
        kind: networkWork.shape.kind,
        step: z.string(),
        done: z.number(),
        total: z.number(),
        by: z.string(),
        startedAt: time,
      }),
    ),
    /** Outcome of the latest work. Null if that was no clearing. */
    last: z.nullable(
      z.object({
        at: time,
        by: z.string(),
        failure: z.nullable(z.string()),
        hasBegun: z.boolean(),
        answer: z.nullable(clearing),
      }),
    ),
    history: z.array(past),
    /** Days protected from clearing, today excluded. */
    retentionDays: z.number(),
    timeZone: z.string(),
  }),
});
export type ClearingState = RouteAnswer<typeof clearingState>;
