import * as z from 'zod/mini';
import { transferFields } from '../credit/credit-fields.ts';
import { clockTime, weekdaySet, weekdaysText } from '../games/schedules.ts';
import { list } from '../core/list.ts';
import { choiceFilter, idFilter } from '../core/list-filters.ts';
import {
  amount,
  done,
  hundredthsIn,
  id,
  namedAccount,
  points,
  pointsText,
  STAFF_ROLES,
  success,
  time,
} from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { accountColumn } from '../weeks/week-payments.ts';
import { STANDING_ORDER_NAMES, STANDING_ORDER_TERMS } from './standing-order-texts.ts';

const keysOf = <const Name extends string>(names: Readonly<Record<Name, string>>) => Object.keys(names) as Name[];

/**
 * `temporary` gives credit and takes it back at a set time. `refill` tops an account up at a clock time. `floor` stops
 * bets below an account while its credit or debt is beyond the amount.
 */
export const STANDING_ORDER_KINDS = STANDING_ORDER_NAMES.kinds;
export type StandingOrderKind = keyof typeof STANDING_ORDER_KINDS;
export const FLOOR_MEASURES = STANDING_ORDER_NAMES.measures;
export type FloorMeasure = keyof typeof FLOOR_MEASURES;
const STATES = STANDING_ORDER_NAMES.states;
export type StandingOrderState = keyof typeof STATES;

const kind = z.enum(keysOf<StandingOrderKind>(STANDING_ORDER_KINDS), { error: STANDING_ORDER_NAMES.wrongKind });
const measure = z.enum(keysOf<FloorMeasure>(FLOOR_MEASURES), { error: STANDING_ORDER_NAMES.wrongMeasure });

export const standingOrder = z.object({
  _id: id,
  account: namedAccount,
  /** The account above, which gives the credit. */
  giver: namedAccount,
  kind,
  amount: points,
  clock: z.nullable(z.string()),
  weekdays: z.nullable(z.array(z.number())),
  measure: z.nullable(measure),
  madeAt: time,
  /** Null for floors and ended orders. */
  nextAt: z.nullable(time),
  /** Moved by the last run. */
  last: z.nullable(z.object({ at: time, amount: points })),
  /** Why the last run moved nothing. */
  skipped: z.nullable(z.string()),
  /** Bets below the account are refused since then. */
  stoppedAt: z.nullable(time),
  ended: z.nullable(z.object({ at: time, by: z.nullable(z.string()), reason: z.string() })),
  mayEnd: z.boolean(),
});
export type StandingOrder = z.infer<typeof standingOrder>;

type Terms = Pick<StandingOrder, 'kind' | 'amount' | 'clock' | 'weekdays' | 'measure'>;

export function standingOrderTerms({ kind: what, amount: sum, clock, weekdays: days, measure: by }: Terms): string {
  const inPoints = pointsText(hundredthsIn(sum));
  if (what === 'temporary') return STANDING_ORDER_TERMS.temporary(inPoints);
  if (what === 'floor') return STANDING_ORDER_TERMS[by!](inPoints);
  return STANDING_ORDER_TERMS.refill(inPoints, clock!, weekdaysText(days!));
}

export function stateOf({ ended, stoppedAt, skipped }: StandingOrder): StandingOrderState {
  if (ended) return 'ended';
  if (stoppedAt !== null) return 'stopped';
  return skipped === null ? 'active' : 'skipped';
}

export const standingOrders = list({
  path: 'standing-orders',
  summary:
    'Standing orders about accounts at and below the caller: temporary credit, refills, and floors that stop bets.',
  access: STAFF_ROLES,
  permission: 'lists',
  row: standingOrder,
  columns: [
    accountColumn,
    {
      name: 'giver',
      kind: 'text',
      header: 'By',
      width: 130,
      yields: 3,
      value: (row) => row.giver.username,
      about: (row) => ({ kind: 'account', id: row.giver.id, role: row.giver.role }),
      export: { width: 30 },
    },
    {
      name: 'kind',
      kind: 'text',
      header: 'Order',
      width: 140,
      under: 'account',
      value: (row) => STANDING_ORDER_KINDS[row.kind],
      export: { width: 18 },
    },
    {
      name: 'terms',
      kind: 'text',
      header: 'Terms',
      width: 210,
      yields: -1,
      value: standingOrderTerms,
      export: { width: 44 },
    },
    { name: 'nextAt', kind: 'time', header: 'Next', width: 150, sort: true, yields: 1, export: { width: 22 } },
    {
      name: 'lastAt',
      kind: 'time',
      header: 'Last run',
      width: 150,
      yields: 2,
      value: (row) => row.last?.at ?? null,
      export: { width: 22 },
    },
    {
      name: 'moved',
      kind: 'points',
      header: 'Moved',
      width: 100,
      yields: 2,
      value: (row) => row.last?.amount ?? null,
      export: { width: 16 },
    },
    {
      name: 'state',
      kind: 'text',
      header: 'State',
      width: 140,
      yields: -1,
      value: (row) => STATES[stateOf(row)],
      export: { width: 16 },
    },
    {
      name: 'reason',
      kind: 'text',
      header: 'Reason',
      width: 220,
      yields: 2,
      value: (row) => row.ended?.reason ?? row.skipped ?? '',
      export: { width: 50 },
    },
    { name: 'madeAt', kind: 'time', header: 'Made', width: 150, sort: true, yields: 4, export: { width: 22 } },
  ],
  filters: [
    choiceFilter('state', 'State', { active: 'Active', ended: 'Ended' }),
    choiceFilter('kind', 'Order', STANDING_ORDER_KINDS),
    idFilter('accountId', 'Account'),
  ],
  order: '-madeAt',
  file: { name: 'StandingOrders', sheet: 'Standing orders' },
});

export const makeStandingOrder = route({
  method: 'POST',
  path: 'standing-orders',
  summary:
    'Makes a standing order about an account directly below the caller. Temporary credit is given at once. A run that ' +
    'lacks credit is skipped entirely; an order ends automatically when the account moves or the caller may no longer give credit.',
  access: STAFF_ROLES,
  permission: 'adjustments',
  sensitive: 'asks',
  approval: ['credit'],
  body: z.object({
    accountId: id,
    kind,
    /** Amount given, credit after a refill, or the floor. */
    sum: amount,
    takeBackAt: z.optional(time),
    clock: z.optional(clockTime),
    weekdays: z.optional(weekdaySet),
    measure: z.optional(measure),
    password: transferFields.password,
    userId: transferFields.userId,
  }),
  status: 201,
  response: z.object({ ...success, data: standingOrder }),
  errors: [
    'NOT_FOUND',
    'WRONG_PASSWORD',
    'INSUFFICIENT_CREDIT',
    'TARGET_INACTIVE',
    'IDEMPOTENCY_CONFLICT',
    'IDENTITY_MISMATCH',
  ],
});

export const endStandingOrder = route({
  method: 'POST',
  path: 'standing-orders/:orderId/end',
  summary: 'Ends a standing order about an account below the caller. Temporary credit then stays where it is.',
  access: STAFF_ROLES,
  permission: 'adjustments',
  sensitive: false,
  params: { orderId: id },
  response: done,
  errors: ['NOT_FOUND', 'RULE_REFUSED'],
});
