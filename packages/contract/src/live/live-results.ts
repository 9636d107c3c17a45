import * as z from 'zod/mini';
import { drawResult } from '../draws/draws.ts';
import { gamePair } from '../games/game-pair.ts';
import { id, points, success, time } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';

/** `GET live/result`: what a drawn result came to. */
export const liveResult = route({
  method: 'GET',
  path: 'live/result',
  summary:
    'What one settled draw of a live panel came to: its result, where that is from, its stakes, and what it paid and left.',
  access: ['superadmin', 'admin'],
  query: z.object({ ...gamePair, drawId: id }),
  response: z.object({
    ...success,
    ...drawResult.shape,
    players: z.number(),
    tickets: z.number(),
    /** The sum of all stakes, of all wins, and what the wins left of the stakes: below zero where the house paid on top. */
    staked: points,
    paid: points,
    left: points,
    /**
     * Who declared it, when, and who confirmed it where that took two, and whether that was from the address from which it was saved; null
     * where it was generated.
     */
    declared: z.nullable(
      z.object({ by: z.string(), at: time, confirmedBy: z.nullable(z.string()), sameAddress: z.boolean() }),
    ),
  }),
  errors: ['NOT_FOUND'],
});

/** From how many of the last results it is told how often each outcome came. */
export const FREQUENCY_DRAWS = 100;

/** `GET live/frequencies`: how often each outcome came of late. */
export const liveFrequencies = route({
  method: 'GET',
  path: 'live/frequencies',
  summary: `How often each outcome, or each digit where there are many, came in the last ${FREQUENCY_DRAWS} settled draws.`,
  access: ['superadmin', 'admin'],
  query: z.object(gamePair),
  response: z.object({
    ...success,
    /** How many results that is: fewer while there have not been more. */
    draws: z.number(),
    groups: z.array(
      z.object({
        /** The sub-series or tier; empty where a draw has one result. */
        section: z.string(),
        /** Which part of a result; empty where it is the whole. */
        title: z.string(),
        values: z.array(
          z.object({
            value: z.string(),
            label: z.string(),
            count: z.number(),
            /** Since how many draws it has not come: 0 where it came last, null where it did not come at all. */
            since: z.nullable(z.number()),
          }),
        ),
      }),
    ),
  }),
  errors: ['NOT_FOUND'],
});
