import * as z from 'zod/mini';
import { list } from '../core/list.ts';
import { day, done, id, integer, success, time, updatesOf, UPDATES_BODY_BYTES } from '../core/primitives.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';
import { requiredName } from '../core/names.ts';
import { route } from '../core/route.ts';
import { GAME_FIELD_TEXTS } from './game-texts.ts';

/** Enough for one draw every five minutes. */
export const MOST_CLOCK_TIMES = 288;
const MOST_DAYS = 366;
const MOST_HOURS = 10;
const MOST_GAMES = 200;
export const CLOSES_BEFORE_MINUTES = { min: 0, max: 720 } as const;
const NAME_MAX = 60;
const SOURCE_MAX = 40;
export const VOID_AFTER_HOURS = { min: 1, max: 168, usual: 24 } as const;
const SATURDAY = 6;

export const clockTime = z
  .string({ error: GAME_FIELD_TEXTS.wrongClock })
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: GAME_FIELD_TEXTS.wrongClock }));

function setOf<S extends z.ZodMiniType<string | number, unknown>>(item: S, most: number, error: string) {
  return z.pipe(
    z.array(item, { error }).check(z.maxLength(most, { error: CORE_TEXTS.tooMany(most) })),
    z.transform((items: z.output<S>[]) => [...new Set(items)].toSorted((a, b) => (a < b ? -1 : 1))),
  );
}

const days = setOf(day, MOST_DAYS, GAME_FIELD_TEXTS.wrongDays);

const sourceNames = z
  .record(
    clockTime,
    z
      .string({ error: GAME_FIELD_TEXTS.wrongSources })
      .check(
        z.trim(),
        z.minLength(1, { error: GAME_FIELD_TEXTS.wrongSources }),
        z.maxLength(SOURCE_MAX, { error: CORE_TEXTS.tooLong(SOURCE_MAX) }),
      ),
    { error: GAME_FIELD_TEXTS.wrongSources },
  )
  .check(
    z.refine((sources) => Object.keys(sources).length <= MOST_CLOCK_TIMES, {
      error: CORE_TEXTS.tooMany(MOST_CLOCK_TIMES),
    }),
  );

/** 0 is Sunday. */
export const weekdaySet = setOf(
  integer(0, SATURDAY, GAME_FIELD_TEXTS.wrongWeekdays),
  SATURDAY + 1,
  GAME_FIELD_TEXTS.wrongWeekdays,
);

const fields = {
  /** Times in the server's time zone. */
  times: z.pipe(
    setOf(clockTime, MOST_CLOCK_TIMES, GAME_FIELD_TEXTS.wrongClocks),
    z.array(z.string()).check(z.minLength(1, { error: GAME_FIELD_TEXTS.clocksMissing })),
  ),
  weekdays: weekdaySet,
  daysOff: days,
  daysOn: days,
  /** Null: with the previous draw. */
  opensAt: z.nullable(clockTime),
  /** Minutes before the draw; 0: five seconds. */
  closesBefore: integer(CLOSES_BEFORE_MINUTES.min, CLOSES_BEFORE_MINUTES.max, GAME_FIELD_TEXTS.wrongClose),
  /** Public lotteries by clock time. A change without this field keeps them. */
  sources: z.optional(sourceNames),
  /** Voids a draw this many hours after its draw time if its outside result is missing. */
  voidAfter: z.optional(integer(VOID_AFTER_HOURS.min, VOID_AFTER_HOURS.max, GAME_FIELD_TEXTS.wrongVoidAfter)),
};

export const schedulePlan = z.object(fields);

/** Plan as stored, possibly by another version. */
const storedPlan = {
  times: z.array(z.string()),
  weekdays: z.array(z.number()),
  daysOff: z.array(z.string()),
  daysOn: z.array(z.string()),
  opensAt: z.nullable(z.string()),
  closesBefore: z.number(),
  sources: z.record(z.string(), z.string()),
  voidAfter: z.number(),
};

export const schedule = z.object({
  _id: id,
  name: z.string(),
  ...storedPlan,
  games: z.array(z.object({ _id: id, gameId: z.string(), gameName: z.string() })),
});
export type Schedule = z.infer<typeof schedule>;

type Frozen<T> = { readonly [K in keyof T]: Readonly<T[K]> };

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

export function weekdaysText(weekdays: readonly number[]): string {
  if (weekdays.length === WEEKDAYS.length) return 'Every day';
  return weekdays.map((weekday) => WEEKDAYS[weekday]).join(', ');
}

const plan = z.object(storedPlan);

interface Outside {
  readonly sources?: Readonly<Record<string, string>> | undefined;
  readonly voidAfter?: number | undefined;
}
type AnyPlan = Omit<Frozen<z.infer<typeof plan>>, keyof Outside> & Outside;

export function planOf({ opensAt, closesBefore, sources = {}, voidAfter, ...lists }: AnyPlan): z.infer<typeof plan> {
  const { times, weekdays, daysOff, daysOn } = lists;
  return {
    times: [...times],
    weekdays: [...weekdays],
    daysOff: [...daysOff],
    daysOn: [...daysOn],
    opensAt,
    closesBefore,
    sources: Object.fromEntries(Object.entries(sources).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    voidAfter: voidAfter ?? VOID_AFTER_HOURS.usual,
  };
}

const TOP = ['superadmin'] as const;

export const scheduleList = list({
  path: 'schedule/list',
  summary: 'Lists the schedules, with the games that draw by each.',
  access: TOP,
  permission: 'settings',
  row: schedule,
  columns: [
    { name: 'name', kind: 'text', header: 'Schedule', width: 200, sort: true, priority: true, export: { width: 30 } },
    {
      name: 'times',
      kind: 'text',
      header: 'Draws at',
      width: 180,
      priority: true,
      value: ({ times }) => times.join(', '),
      export: { width: 60 },
    },
    {
      name: 'weekdays',
      kind: 'text',
      header: 'Days',
      width: 160,
      yields: 1,
      value: ({ weekdays }) => weekdaysText(weekdays),
      export: { width: 30 },
    },
    {
      name: 'games',
      kind: 'text',
      header: 'Games',
      width: 180,
      value: ({ games }) => games.map(({ gameName }) => gameName).join(', '),
      export: { width: 60 },
    },
  ],
  order: 'name',
  file: { name: 'SchedulesList', sheet: 'Schedules', numbered: true },
});

/** Takes place whatever the schedule becomes. */
const aheadDraw = z.object({ gameId: id, gameName: z.string(), opensAt: time, drawsAt: time });
export type AheadDraw = z.infer<typeof aheadDraw>;

const params = { id };
export const scheduleFields = z.object({
  name: requiredName(GAME_FIELD_TEXTS.scheduleNameMissing, NAME_MAX),
  ...fields,
  /** Replaces the games that use this schedule. */
  games: z
    .array(id, { error: GAME_FIELD_TEXTS.wrongGames })
    .check(z.maxLength(MOST_GAMES, { error: CORE_TEXTS.tooMany(MOST_GAMES) })),
});
export type ScheduleFields = z.output<typeof scheduleFields>;
const changed = z.object({ ...done.shape, data: schedule });

export const oneSchedule = route({
  method: 'GET',
  path: 'schedule/:id',
  summary: 'A schedule with the games that draw by it, and the coming draws of all games that were opened for tickets.',
  access: TOP,
  permission: 'settings',
  params,
  response: z.object({ ...success, data: schedule, ahead: z.array(aheadDraw) }),
  errors: ['NOT_FOUND'],
});

/** Like the result mode of a game. */
const SENSITIVE = { level: 'result', fields: { sources: 'elevation' } } as const;

export const addSchedule = route({
  method: 'POST',
  path: 'schedule',
  inFirstCell: true,
  summary:
    'Adds a schedule: clock times in the time zone of the server, weekdays, single days off and on. Its games draw by ' +
    'it once their running draws have ended.',
  access: TOP,
  permission: 'settings',
  sensitive: SENSITIVE,
  body: scheduleFields,
  status: 201,
  response: changed,
  errors: ['SCHEDULE_TAKEN'],
});

export const changeSchedule = route({
  method: 'PUT',
  path: 'schedule/:id',
  inFirstCell: true,
  summary:
    'Changes a schedule and its games. Each change starts after the running draw; games taken out use their time.',
  access: TOP,
  permission: 'settings',
  sensitive: SENSITIVE,
  params,
  body: scheduleFields,
  response: changed,
  errors: ['NOT_FOUND', 'SCHEDULE_TAKEN'],
});

export const deleteSchedule = route({
  method: 'DELETE',
  path: 'schedule/:id',
  inFirstCell: true,
  summary: 'Deletes a schedule that no game uses.',
  access: TOP,
  permission: 'settings',
  sensitive: false,
  params,
  response: done,
  errors: ['NOT_FOUND', 'SCHEDULE_IN_USE'],
});

export const gameClosures = z.object({
  /** Pair id. */
  id,
  gameId: z.string(),
  gameName: z.string(),
  /** No effect if there is a schedule. */
  seconds: z.number(),
  schedule: z.nullable(plan),
  days: z.array(z.string()),
  hours: z.array(z.object({ from: z.string(), to: z.string() })),
});
export type GameClosures = z.infer<typeof gameClosures>;

/** `hours`: until before the second; past midnight if that is not later. */
export const closureFields = {
  days,
  hours: z
    .array(
      z
        .object({ from: clockTime, to: clockTime })
        .check(z.refine(({ from, to }) => from !== to, { error: GAME_FIELD_TEXTS.sameHours, path: ['to'] })),
      { error: GAME_FIELD_TEXTS.wrongHours },
    )
    .check(z.maxLength(MOST_HOURS, { error: CORE_TEXTS.tooMany(MOST_HOURS) })),
};

const OPERATORS = ['superadmin', 'admin'] as const;

export const listClosures = route({
  method: 'GET',
  path: 'closures/:adminId',
  summary: 'Days and hours without draws of each game of an admin.',
  access: OPERATORS,
  permission: 'settings',
  params: { adminId: id },
  response: z.object({ ...success, data: z.array(gameClosures) }),
  errors: ['NOT_FOUND'],
});

export const setClosures = route({
  method: 'PUT',
  path: 'closures/:adminId',
  summary:
    "Closes an admin's games on days and between hours, all or none. Draws whose draw time is in one are left out; the " +
    'running draw still finishes.',
  access: OPERATORS,
  permission: 'settings',
  sensitive: false,
  params: { adminId: id },
  body: z.object({
    updates: updatesOf(
      z.object({
        id,
        ...closureFields,
      }),
    ),
  }),
  bodyLimit: UPDATES_BODY_BYTES,
  response: z.object({ ...done.shape, data: z.array(gameClosures) }),
  errors: ['NOT_FOUND', 'CLOSED_WITH_TICKETS'],
});
