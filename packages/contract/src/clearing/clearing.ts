import * as z from 'zod/mini';
import { day, points, success, time } from '../core/primitives.ts';
import { route, type RouteAnswer } from '../core/route.ts';
import { networkWork } from '../network-work/network-work.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';
import { CLEARING_ORDER, CLEARING_TEXTS, KEEP_REASONS, type KeepReason } from './clearing-texts.ts';

const model = z.enum(CLEARING_ORDER, { error: CORE_TEXTS.oneOf('A model', CLEARING_ORDER) });

const date = z.union([day, time], {
  error: ({ input }) =>
    input === undefined || input === null || input === '' ? CLEARING_TEXTS.dates : CORE_TEXTS.wrongDayOrTime,
});

/** Inclusive, in the server's time zone. */
const choice = z.object({
  startDate: date,
  endDate: date,
  models: z
    .array(model, { error: CLEARING_TEXTS.models })
    .check(
      z.minLength(1, { error: CLEARING_TEXTS.models }),
      z.maxLength(CLEARING_ORDER.length, { error: CLEARING_TEXTS.modelTwice }),
    ),
});
export type ClearingChoice = z.infer<typeof choice>;

const cleared = z.object({
  model,
  rows: z.number(),
  /** Approximate, with indexes. The database reuses the space before the disk regains it. */
  bytes: z.number(),
  points: z.nullable(points),
  left: z.array(
    z.object({ rows: z.number(), why: z.enum(Object.keys(KEEP_REASONS) as [KeepReason, ...KeepReason[]]) }),
  ),
});
export type Cleared = z.infer<typeof cleared>;

const found = {
  days: z.nullable(z.object({ first: z.string(), last: z.string() })),
  /** Null: no requested day was left out. */
  daysLeft: z.nullable(z.string()),
  models: z.array(cleared),
};

export const countRecords = route({
  method: 'POST',
  path: 'backup/countrecords',
  summary:
    "Previews clearing the caller's network between two days: what would be removed, and what would stay and why.",
  access: ['admin'],
  permission: 'backups',
  sensitive: false,
  body: choice,
  response: z.object({ ...success, ...found }),
});
export type Counted = Omit<RouteAnswer<typeof countRecords>, 'success' | 'message'>;

const clearing = z.object({
  ...found,
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
  permission: 'backups',
  approval: ['clear'],
  takesMinutes: true,
  sensitive: 'recent',
  body: choice,
  response: z.object({ ...success, message: z.string(), ...clearing.shape }),
  errors: ['WORK_UNDER_WAY'],
});

const past = z.object({ first: z.string(), last: z.string(), models: z.array(model), by: z.string(), at: time });

export const clearingState = route({
  method: 'GET',
  path: 'backup/clearing',
  summary:
    "Progress of a clearing of the caller's network, the outcome of the last one, and everything cleared so far.",
  access: ['admin'],
  permission: 'backups',
  response: z.object({
    ...success,
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
    /** Null if the latest work was not a clearing. */
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
    /** Days protected from clearing, without today. */
    retentionDays: z.number(),
    timeZone: z.string(),
  }),
});
export type ClearingState = RouteAnswer<typeof clearingState>;
