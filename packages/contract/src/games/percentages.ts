import * as z from 'zod/mini';
import { ownIdInPath } from '../frame/caller.ts';
import { adminGame, game } from './games.ts';
import { done, hundredthsOf, id, success, time } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';
import { updatesOf, UPDATES_BODY_BYTES } from '../frame/updates.ts';

/** The least win percentage (section 5 of the games specification). The most is each game's own. */
export const LEAST_WIN_PERCENTAGE = 1;

/** What came out over the last days, today among them: of generated draws alone, and of those that had bets. */
export const actualReturn = z.object({
  days: z.number(),
  /** Wins ÷ stakes as a fraction; null without draws, as the band. */
  return: z.nullable(z.number()),
  /** Where 99 % of all returns lie that the odds and the bets of these draws allow. */
  low: z.nullable(z.number()),
  high: z.nullable(z.number()),
  /** How many draws: settled, generated, with bets. */
  draws: z.number(),
});
/** The actual return over some days. */
export type ActualReturn = z.infer<typeof actualReturn>;

/** The win percentage of one game of one admin, and what follows from it. Returns are fractions: 0.9 is 90 %. */
export const percentage = z.object({
  /** The id of the pair, as `_id` of the game and admin pairs. */
  id,
  adminId: id,
  username: z.string(),
  gameId: z.string(),
  gameName: z.string(),
  /** In percent, at most two decimals; null where none was set: the booster is then always 1. */
  winpercentage: z.nullable(z.number()),
  /** The highest return among the game's bets before the booster. */
  baseReturn: z.number(),
  boosterMean: z.number(),
  /** Base return × the booster's mean. */
  willReturn: z.number(),
  /** The booster's weights of 1, 2 …, which sum to 10^9, for the draws not yet opened. */
  weights: z.array(z.number()),
  actual: z.array(actualReturn),
});
/** The win percentage of one game of one admin. */
export type Percentage = z.infer<typeof percentage>;

/** `GET percentage/usergames/:id`: the win percentages of every game and admin pair that the caller operates. */
export const percentages = route({
  method: 'GET',
  path: 'percentage/usergames/:id',
  summary: 'The win percentage of each game and admin pair, with its odds and what came out; `id` is the caller.',
  access: ['superadmin', 'admin'],
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

/** Sent for a percentage that was emptied: none is set any more. */
export const NO_WIN_PERCENTAGE = 0;

/** What is said of a percentage that is wrong. */
export const WRONG_PERCENTAGE = `Write a percentage from ${LEAST_WIN_PERCENTAGE} with at most 2 decimals, such as 95.5, or ${NO_WIN_PERCENTAGE} for none`;

/** `PUT percentage/bulk/winpercentage/:id`: sets win percentages, all of them or none. */
export const setPercentages = route({
  method: 'PUT',
  path: 'percentage/bulk/winpercentage/:id',
  summary:
    'Sets win percentages, all or none; 0 means that none is set. They hold for the draws not yet opened; `id` is the caller.',
  access: ['superadmin', 'admin'],
  /** It raises what bets pay. */
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
    /** The rows that were named as they now are, in their order, each with the draw from which on it holds. */
    data: z.array(z.object({ ...percentage.shape, holdsFrom: z.object({ number: z.number(), opensAt: time }) })),
  }),
  errors: ['IDENTITY_MISMATCH', 'NOT_FOUND'],
});
