import * as z from 'zod/mini';
import { limits } from './game-pair.ts';
import { done, exactPoints, id, points, success, updatesOf, UPDATES_BODY_BYTES } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { GAME_FIELD_TEXTS } from './game-texts.ts';

export const LIMITS = {
  perNumber: 'On one number',
  perTicket: 'On one ticket',
  perPlayer: 'By one player on one draw',
} as const;
export type LimitName = keyof typeof LIMITS;

export const gameLimits = z.object({
  id,
  gameId: z.string(),
  gameName: z.string(),
  unitPrice: points,
  ...limits.shape,
});
export type GameLimits = z.infer<typeof gameLimits>;

export const listLimits = route({
  method: 'GET',
  path: 'limits/:adminId',
  summary: 'Stake limits of each game of an admin: on one number, on one ticket, by one player on one draw.',
  access: ['superadmin', 'admin'],
  permission: 'settings',
  params: { adminId: id },
  response: z.object({ ...success, data: z.array(gameLimits) }),
  errors: ['NOT_FOUND'],
});

const limit = z.optional(z.nullable(exactPoints(GAME_FIELD_TEXTS.wrongLimit, (value) => value > 0)));

export const setLimits = route({
  method: 'PUT',
  path: 'limits/:adminId',
  summary: "Sets limits of an admin's games, all or none; null clears one, omitted ones stay.",
  access: ['superadmin', 'admin'],
  permission: 'settings',
  sensitive: 'elevation',
  params: { adminId: id },
  body: z.object({
    updates: updatesOf(z.object({ id, perNumber: limit, perTicket: limit, perPlayer: limit })),
  }),
  bodyLimit: UPDATES_BODY_BYTES,
  response: z.object({ ...done.shape, data: z.array(gameLimits) }),
  errors: ['NOT_FOUND'],
});
