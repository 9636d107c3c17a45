import * as z from 'zod/mini';
import { list } from '../core/list.ts';
import { weekNoteRow } from './close-weeks.ts';
import { WEEK_CONTRACT_TEXTS } from './weeks-texts.ts';
import { weekTerms } from './week-terms.ts';
import { day, id, namedAccount, points, role, STAFF_ROLES, time } from '../core/primitives.ts';

/** In points. Of an account and everyone below it, seen by its parent. */
const weekFigures = {
  given: points,
  taken: points,
  play: points,
  win: points,
  /** All levels, as in the turnover report. */
  commission: points,
  net: points,
  /** Money from the account to its parent, and back. */
  received: points,
  paid: points,
  /** Owed to the parent at the end; negative: by the parent. */
  balance: points,
};

/** A week of the server's calendar. */
const week = z.object({
  from: day,
  to: day,
  today: day,
  /** Instants for the filters of other reports. */
  startDate: time,
  endDate: time,
});

/** Any day of the week; by default today. */
const ofDay = { day: z.optional(day) };

function figure<const Name extends string>(name: Name, header: string, width: number) {
  return { name, kind: 'points', header, width, sort: true, export: { width: 16 } } as const;
}

function sum<const Name extends string>(name: Name, header: string, width: number) {
  return { ...figure(name, header, width), total: true } as const;
}

export const WEEK_STATES = WEEK_CONTRACT_TEXTS.weekStates;
export type WeekState = keyof typeof WEEK_STATES;

export const weekSheetRow = z.object({
  id,
  username: z.string(),
  role,
  /** Before the week, with late changes of closed weeks. */
  carried: points,
  ...weekFigures,
  /** Null until the account has terms, a payment or a closed week. */
  since: z.nullable(day),
  terms: weekTerms,
  /** Of this moment, whatever the week. */
  credit: points,
  /** By the terms of today's week the account owes the credit it is given. */
  isCreditOwed: z.boolean(),
  /** Payments and credit after the week, up to now; below zero, to the account and back. */
  afterwards: z.object({ received: points, given: points }),
  state: z.enum(Object.keys(WEEK_STATES) as WeekState[]),
});
export type WeekSheetRow = z.infer<typeof weekSheetRow>;

export const weekSheet = list({
  path: 'weeks/sheet',
  summary: 'The week of each child of one account: credit, play, win, commission, net and balance.',
  access: STAFF_ROLES,
  permission: 'reports',
  query: { id: z.optional(id), ...ofDay },
  row: weekSheetRow,
  columns: [
    {
      name: 'username',
      kind: 'text',
      header: 'Account',
      width: 140,
      sort: true,
      priority: true,
      export: { width: 30 },
    },
    { ...sum('carried', 'Carried', 96), yields: 1 },
    { ...sum('given', 'Credit given', 112), yields: 1 },
    { ...sum('taken', 'Taken back', 104), yields: 3 },
    { ...sum('play', 'Play', 96), yields: 1 },
    { ...sum('win', 'Win', 96), yields: 1 },
    { ...sum('commission', 'Commission', 104), yields: 2 },
    sum('net', 'Net', 100),
    { ...sum('received', 'Received', 96), yields: 2 },
    { ...sum('paid', 'Paid', 90), yields: 3 },
    { ...sum('balance', 'Balance', 110), priority: true },
    {
      name: 'state',
      kind: 'text',
      header: 'State',
      width: 90,
      yields: -1,
      value: (row) => WEEK_STATES[row.state],
      export: { width: 12 },
    },
  ],
  search: 'Search username',
  extra: {
    week,
    /** From the caller down to the account whose children are listed. */
    parents: z.array(namedAccount),
  },
  errors: ['NOT_FOUND'],
  file: { name: 'WeekSheet', sheet: 'Week', numbered: true },
});

export const weekDayRow = z.object({ day, ...weekFigures });
export type WeekDayRow = z.infer<typeof weekDayRow>;

export const weekDays = list({
  path: 'weeks/days',
  summary: 'The week of one account, day by day, as its parent and the account itself see it.',
  access: STAFF_ROLES,
  permission: 'reports',
  query: { id: z.optional(id), ...ofDay },
  row: weekDayRow,
  columns: [
    { name: 'day', kind: 'day', header: 'Day', width: 140, sort: true, priority: true, export: { width: 14 } },
    sum('given', 'Credit given', 116),
    sum('taken', 'Taken back', 110),
    sum('play', 'Play', 100),
    sum('win', 'Win', 100),
    sum('commission', 'Commission', 110),
    sum('net', 'Net', 100),
    sum('received', 'Received', 100),
    sum('paid', 'Paid', 90),
    { ...figure('balance', 'Balance', 110), priority: true },
  ],
  extra: {
    week,
    account: namedAccount,
    /** Null for a superadmin, who has no sheet. */
    parent: z.nullable(namedAccount),
    sheet: z.nullable(
      z.object({
        carried: points,
        /** Changes to closed weeks since they closed, such as by a restore. */
        late: points,
        balance: points,
        terms: weekTerms,
        since: z.nullable(day),
        state: z.enum(Object.keys(WEEK_STATES) as WeekState[]),
        closed: z.nullable(z.object({ at: time, by: z.string(), note: z.string() })),
        notes: z.array(weekNoteRow),
      }),
    ),
  },
  errors: ['NOT_FOUND'],
  file: { name: 'AccountWeek', sheet: 'Week', numbered: true },
});
