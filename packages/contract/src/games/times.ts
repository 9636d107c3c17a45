import * as z from 'zod/mini';
import { list } from '../core/list.ts';
import { done, id, integer, success, time } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { GAME_FIELD_TEXTS } from './game-texts.ts';

export const TIME_SECONDS = { min: 5, max: 86_400 } as const;

/** `draws`: true if this is the game's first time, which sets its interval. */
const userOfTime = { _id: id, gameId: z.string(), gameName: z.string(), draws: z.boolean() };

export const drawTime = z.object({ _id: id, timecount: z.number(), games: z.array(z.object(userOfTime)) });
export type DrawTime = z.infer<typeof drawTime>;

export const timeList = list({
  path: 'time/timelist',
  summary: 'Lists the draw intervals in seconds, with the games of each.',
  access: 'session',
  permission: null,
  row: drawTime,
  columns: [
    { name: '_id', kind: 'code', header: 'Time ID', width: 300, yields: 1, export: { width: 40 } },
    {
      name: 'timecount',
      kind: 'count',
      header: 'Time in sec',
      width: 110,
      sort: true,
      priority: true,
      export: { width: 12 },
    },
    {
      name: 'games',
      kind: 'text',
      header: 'Games',
      width: 260,
      priority: true,
      value: ({ games }) => games.map(({ gameName }) => gameName).join(', '),
      export: { width: 60 },
    },
  ],
  order: 'timecount',
  file: { name: 'TimesList', sheet: 'Times', numbered: true },
});

export const timeFields = z.object({
  timecount: integer(TIME_SECONDS.min, TIME_SECONDS.max, GAME_FIELD_TEXTS.wrongSeconds),
});

const params = { id };
const TOP = ['superadmin'] as const;

export const oneTime = route({
  method: 'GET',
  path: 'time/:id',
  summary: 'A draw interval with its games, and when their running draws end. Changes apply from then on.',
  access: TOP,
  permission: 'settings',
  params,
  response: z.object({
    ...success,
    data: z.object({
      ...drawTime.shape,
      /** `runsUntil`: latest end of its running draws across admins. */
      games: z.array(z.object({ ...userOfTime, runsUntil: z.nullable(time) })),
    }),
    serverTime: time,
  }),
  errors: ['NOT_FOUND'],
});

const changed = z.object({ ...done.shape, data: drawTime });

export const addTime = route({
  method: 'POST',
  path: 'time',
  inFirstCell: true,
  summary: 'Adds a draw interval of 5 to 86,400 whole seconds.',
  access: TOP,
  permission: 'settings',
  sensitive: false,
  body: timeFields,
  status: 201,
  response: changed,
  errors: ['TIME_TAKEN'],
});

export const changeTime = route({
  method: 'PUT',
  path: 'time/:id',
  inFirstCell: true,
  summary: 'Changes a draw interval. Its games use the new one once their running draws have ended.',
  access: TOP,
  permission: 'settings',
  sensitive: false,
  params,
  body: timeFields,
  response: changed,
  errors: ['NOT_FOUND', 'TIME_TAKEN'],
});

export const deleteTime = route({
  method: 'DELETE',
  path: 'time/:id',
  inFirstCell: true,
  summary: 'Deletes a draw interval that no game uses.',
  access: TOP,
  permission: 'settings',
  sensitive: false,
  params,
  response: done,
  errors: ['NOT_FOUND', 'TIME_IN_USE'],
});
