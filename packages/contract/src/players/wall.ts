import * as z from 'zod/mini';
import { awaitedDraw, drawResult, shortDraw } from '../draws/draws.ts';
import { done, success, time } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { PLAYER_FIELD_TEXTS } from './player-texts.ts';

export const WALL_KEY_PREFIX = 'dhw_';

/** 48 bytes in base64url: the admin's id and 32 random bytes. */
const WALL_KEY = new RegExp(`^${WALL_KEY_PREFIX}[A-Za-z0-9_-]{64}$`);

export const WALL_RESULTS = 10;

export const wallTable = z.object({
  gameId: z.string(),
  gameName: z.string(),
  family: z.string(),
  digits: z.number(),
  /** In order of the outcomes. Empty: drawn ones. */
  images: z.array(z.string()),
  draw: z.nullable(shortDraw),
  nextOpensAt: z.nullable(time),
  results: z.array(drawResult),
  awaited: z.array(awaitedDraw),
});
export type WallTable = z.infer<typeof wallTable>;

export const wall = route({
  method: 'GET',
  path: 'wall/:key',
  inAnyCell: true,
  summary: 'The public wall of a network, by its key: countdowns and results of all its games, without any sums.',
  access: 'public',
  params: { key: z.string().check(z.regex(WALL_KEY, { error: PLAYER_FIELD_TEXTS.wrongWall })) },
  response: z.object({ ...success, serverTime: time, data: z.array(wallTable) }),
  errors: ['NOT_FOUND'],
});

/** Null: no public wall. */
const madeAt = z.nullable(time);

export const wallState = route({
  method: 'GET',
  path: 'wall',
  summary: "When the key of the public wall of the caller's network was made.",
  access: ['admin'],
  permission: 'settings',
  response: z.object({ ...success, madeAt }),
});

export const makeWall = route({
  method: 'POST',
  path: 'wall',
  summary: "Makes the key of the public wall of the caller's network. Shown once; ends the key before it.",
  access: ['admin'],
  permission: 'settings',
  sensitive: false,
  response: z.object({ ...done.shape, key: z.string(), madeAt: time }),
});

export const withdrawWall = route({
  method: 'DELETE',
  path: 'wall',
  summary: "Withdraws the key of the public wall of the caller's network, at once.",
  access: ['admin'],
  permission: 'settings',
  sensitive: false,
  response: done,
});
