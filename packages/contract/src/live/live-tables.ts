import * as z from 'zod/mini';
import { awaitedDraw, drawResult, resultData, shortDraw } from '../draws/draws.ts';
import { DRAW_MODES } from '../games/game-pair.ts';
import { id, points, success, time } from '../core/primitives.ts';
import { route } from '../core/route.ts';

export const liveTable = z.object({
  gameId: z.string(),
  gameName: z.string(),
  /** With key and number of outcomes, determines the rules except pays. */
  family: z.string(),
  digits: z.number(),
  image: z.nullable(z.string()),
  adminId: id,
  username: z.string(),
  testNetwork: z.boolean(),
  /** Mode of the running draw, else of the next. */
  resultMode: z.enum(DRAW_MODES),
  draw: z.nullable(shortDraw),
  /** Null while the game is not open. */
  nextOpensAt: z.nullable(time),
  collection: points,
  /** Highest payout of any result at booster 1. Null while no result pays, and after a result is set. */
  worst: z.nullable(
    z.object({
      result: z.string(),
      outcome: resultData,
      pays: points,
      /** Payout at the highest possible booster. Null if that is 1. */
      boosted: z.nullable(z.object({ booster: z.number(), pays: points })),
    }),
  ),
  /** Largest stake on one number. */
  fullest: points,
  /** Limit of stakes on one number. Null: none. */
  perNumber: z.nullable(points),
  /**
   * Takes bets while `takes` is at most `balance + line`. `takes`: most that the unsettled draws can cost, commissions
   * included. `line`: how far the table may fall below zero.
   */
  exposure: z.object({ takes: points, balance: points, line: points }),
  /** `waits`: needs a second person's confirmation before the draw. */
  saved: z.nullable(
    z.object({ result: z.string(), booster: z.number(), byId: id, by: z.string(), waits: z.boolean() }),
  ),
  last: z.nullable(drawResult),
  awaited: z.array(awaitedDraw),
});
export type LiveTable = z.infer<typeof liveTable>;

export const liveTables = route({
  method: 'GET',
  path: 'live/tables',
  summary:
    'All live panels that the caller may open, by game and admin: each running draw, its stakes, its largest ' +
    'possible payout, what backs the table, and the last result.',
  access: ['superadmin', 'admin'],
  permission: 'panels',
  response: z.object({ ...success, serverTime: time, data: z.array(liveTable) }),
});
