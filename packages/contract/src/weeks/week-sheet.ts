import * as z from 'zod/mini';
import { list } from '../core/list.ts';
import { day, id, points, role, STAFF_ROLES, time } from '../core/primitives.ts';

/** In points. Figures of an account and everyone below it, seen by its parent. */
const weekFigures = {
  /** Credit from above, and back. */
  given: points,
  taken: points,
  play: points,
  win: points,
  /** Of all levels, as in the turnover report. */
  commission: points,
  net: points,
  /** What the account owes its parent at the end; below zero, what the parent owes. */
  balance: points,
};

/** A week of the server's calendar. */
const week = z.object({
  from: day,
  /** Last day, inclusive. */
  to: day,
  today: day,
  /** First and last instant, for the filters of other reports. */
  startDate: time,
  endDate: time,
});

const weekAccount = z.object({ id, username: z.string(), role });

/** Any day of the week; by default today. */
const ofDay = { day: z.optional(day) };

function figure<const Name extends string>(name: Name, header: string, width: number) {
  return { name, kind: 'points', header, width, sort: true, export: { width: 16 } } as const;
}

function sum<const Name extends string>(name: Name, header: string, width: number) {
  return { ...figure(name, header, width), total: true } as const;
}

export const weekSheetRow = z.object({ id, username: z.string(), role, ...weekFigures });
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
    sum('given', 'Credit given', 116),
    sum('taken', 'Taken back', 110),
    sum('play', 'Play', 100),
    sum('win', 'Win', 100),
    sum('commission', 'Commission', 110),
    sum('net', 'Net', 100),
    { ...sum('balance', 'Balance', 110), priority: true },
  ],
  search: 'Search username',
  extra: {
    week,
    /** From the caller down to the account whose children are listed. */
    parents: z.array(weekAccount),
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
  /** Default: the caller. */
  query: { id: z.optional(id), ...ofDay },
  row: weekDayRow,
  columns: [
    { name: 'day', kind: 'day', header: 'Day', width: 120, sort: true, priority: true, export: { width: 14 } },
    sum('given', 'Credit given', 116),
    sum('taken', 'Taken back', 110),
    sum('play', 'Play', 100),
    sum('win', 'Win', 100),
    sum('commission', 'Commission', 110),
    sum('net', 'Net', 100),
    { ...figure('balance', 'Balance', 110), priority: true },
  ],
  extra: {
    week,
    account: weekAccount,
    /** Null for a superadmin. */
    parent: z.nullable(weekAccount),
  },
  errors: ['NOT_FOUND'],
  file: { name: 'AccountWeek', sheet: 'Week', numbered: true },
});
