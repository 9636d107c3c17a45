import * as z from 'zod/mini';
import { drawResult, resultData, shortDraw } from '../draws/draws.ts';
import { RESULT_MODES } from '../games/game-pair.ts';
import { id, points, success, time } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';

/** One live panel among all of them: what stands in it, and what comes next. */
export const liveTable = z.object({
  gameId: z.string(),
  gameName: z.string(),
  /** With the key, the family and the number of outcomes: the rules of the game, but for what they pay. */
  family: z.string(),
  digits: z.number(),
  /** The address of the game's own picture. */
  image: z.nullable(z.string()),
  adminId: id,
  username: z.string(),
  /** How the result of the draw that is shown comes about, or where there is none, that of the next. */
  resultMode: z.enum(RESULT_MODES),
  draw: z.nullable(shortDraw),
  /** When the draw after this one opens, or where none runs, the next; null while the game is not open. */
  nextOpensAt: z.nullable(time),
  /** The sum of all stakes on the running draw. */
  collection: points,
  /** The most that one result of the running draw would pay, with booster 1; null while none would pay anything, and once it has its result. */
  worst: z.nullable(
    z.object({
      result: z.string(),
      outcome: resultData,
      pays: points,
      /** The same with the highest booster that may be drawn; null where that is 1. */
      boosted: z.nullable(z.object({ booster: z.number(), pays: points })),
    }),
  ),
  /** The saved result of the running draw. Where it `waits`, a second person has to confirm it before it is drawn. */
  saved: z.nullable(
    z.object({ result: z.string(), booster: z.number(), byId: id, by: z.string(), waits: z.boolean() }),
  ),
  last: z.nullable(drawResult),
});
/** One live panel among all of them. */
export type LiveTable = z.infer<typeof liveTable>;

/** `GET live/tables`: every live panel that the caller may open. */
export const liveTables = route({
  method: 'GET',
  path: 'live/tables',
  summary:
    'All live panels that the caller may open, by game and admin: the running draw of each, what is staked on it, the most that one result would pay, and the last result.',
  access: ['superadmin', 'admin'],
  response: z.object({ ...success, serverTime: time, data: z.array(liveTable) }),
});
