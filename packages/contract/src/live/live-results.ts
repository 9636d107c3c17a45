import * as z from 'zod/mini';
import { drawResult } from '../draws/draws.ts';
import { gamePair } from '../games/game-pair.ts';
import { id, points, success, time } from '../core/primitives.ts';
import { route } from '../core/route.ts';

export const liveResult = route({
  method: 'GET',
  path: 'live/result',
  summary: 'One settled draw of a live panel: its result and source, its stakes, what it paid and what the house kept.',
  access: ['superadmin', 'admin'],
  permission: 'panels',
  query: z.object({ ...gamePair, drawId: id }),
  response: z.object({
    ...success,
    ...drawResult.shape,
    players: z.number(),
    tickets: z.number(),
    staked: points,
    paid: points,
    left: points,
    /** Null for generated results. `sameAddress`: saved and confirmed from one address. */
    declared: z.nullable(
      z.object({ by: z.string(), at: time, confirmedBy: z.nullable(z.string()), sameAddress: z.boolean() }),
    ),
  }),
  errors: ['NOT_FOUND'],
});

export const FREQUENCY_DRAWS = 100;

export const liveFrequencies = route({
  method: 'GET',
  path: 'live/frequencies',
  summary: `How often each outcome, or each digit if there are many, came up in the last ${FREQUENCY_DRAWS} settled draws.`,
  access: ['superadmin', 'admin'],
  permission: 'panels',
  query: z.object(gamePair),
  response: z.object({
    ...success,
    /** Fewer for a young game. */
    draws: z.number(),
    groups: z.array(
      z.object({
        /** Sub-series or tier. Empty for draws with one result. */
        section: z.string(),
        /** Part of a result. Empty: the whole. */
        title: z.string(),
        values: z.array(
          z.object({
            value: z.string(),
            label: z.string(),
            count: z.number(),
            /** Draws since it last came; 0: in the last one. Null: never in the sample. */
            since: z.nullable(z.number()),
          }),
        ),
      }),
    ),
  }),
  errors: ['NOT_FOUND'],
});
