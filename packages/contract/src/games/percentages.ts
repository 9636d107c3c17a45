import * as z from 'zod/mini';
import {
  ownIdInPath,
  done,
  hundredthsOf,
  id,
  success,
  time,
  updatesOf,
  UPDATES_BODY_BYTES,
} from '../core/primitives.ts';
import { adminGame, game } from './games.ts';
import { route } from '../core/route.ts';
import { GAME_FIELD_TEXTS } from './game-texts.ts';

/** docs/spec/game-operations.md §5. The maximum depends on the game. */
export const LEAST_WIN_PERCENTAGE = 1;

/** Covers generated draws with bets, of the last days and today. */
export const actualReturn = z.object({
  days: z.number(),
  /** Wins ÷ stakes, as a fraction. Null without draws, like the band. */
  return: z.nullable(z.number()),
  /** 99 % band under these odds and bets. */
  low: z.nullable(z.number()),
  high: z.nullable(z.number()),
  draws: z.number(),
});
export type ActualReturn = z.infer<typeof actualReturn>;

/** Returns are fractions: 0.9 is 90 %. */
export const percentage = z.object({
  /** Pair id. */
  id,
  adminId: id,
  username: z.string(),
  gameId: z.string(),
  gameName: z.string(),
  /** In percent, at most two decimals. Null: booster always 1. */
  winpercentage: z.nullable(z.number()),
  baseReturn: z.number(),
  boosterMean: z.number(),
  /** Base return × booster mean. */
  willReturn: z.number(),
  /** Weights of booster 1, 2 …, with sum 10^9, for draws not yet opened. */
  weights: z.array(z.number()),
  actual: z.array(actualReturn),
});
export type Percentage = z.infer<typeof percentage>;

export const percentages = route({
  method: 'GET',
  path: 'percentage/usergames/:id',
  summary: 'The win percentage of each game and admin pair, with its odds and actual return; `id` is the caller.',
  access: ['superadmin', 'admin'],
  permission: 'settings',
  params: { id: ownIdInPath },
  response: z.object({
    ...success,
    data: z.array(percentage),
    games: z.array(game),
    users: z.array(z.object({ _id: id, username: z.string() })),
    adminGameList: z.array(adminGame),
  }),
  errors: ['IDENTITY_MISMATCH'],
});

export const NO_WIN_PERCENTAGE = 0;

export const WRONG_PERCENTAGE = GAME_FIELD_TEXTS.wrongPercentage(LEAST_WIN_PERCENTAGE, NO_WIN_PERCENTAGE);

export const setPercentages = route({
  method: 'PUT',
  path: 'percentage/bulk/winpercentage/:id',
  summary: 'Sets win percentages, all or none; 0 clears one. They apply to draws not yet opened; `id` is the caller.',
  access: ['superadmin', 'admin'],
  permission: 'settings',
  sensitive: 'spec',
  params: { id: ownIdInPath },
  body: z.object({
    updates: updatesOf(
      z.object({
        id,
        winpercentage: z.number({ error: WRONG_PERCENTAGE }).check(
          z.refine(
            (percent) =>
              percent === NO_WIN_PERCENTAGE || (percent >= LEAST_WIN_PERCENTAGE && hundredthsOf(percent) !== null),
            {
              error: WRONG_PERCENTAGE,
            },
          ),
        ),
      }),
    ),
  }),
  bodyLimit: UPDATES_BODY_BYTES,
  response: z.object({
    ...done.shape,
    data: z.array(
      z.object({ ...percentage.shape, holdsFrom: z.nullable(z.object({ number: z.number(), opensAt: time })) }),
    ),
  }),
  errors: ['IDENTITY_MISMATCH', 'NOT_FOUND'],
});
