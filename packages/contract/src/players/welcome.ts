import * as z from 'zod/mini';
import { done, points, success, time } from '../core/primitives.ts';
import { route, type RouteAnswer } from '../core/route.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';

export const WINNERS_MAX = 10;

/** Networks can opt out. */
export const welcome = route({
  method: 'GET',
  path: 'welcome',
  summary:
    'Contents of the landing page: the sample games, and recent winners with masked names, of networks that allow it.',
  access: 'public',
  response: z.object({
    ...success,
    /** Listed in the specification's order, with its titles. */
    games: z.array(
      z.object({
        gameId: z.string(),
        title: z.string(),
        family: z.string(),
        digits: z.number(),
        /** True if a network offers it, with both active. */
        isOpen: z.boolean(),
      }),
    ),
    /** Paid within seven days, newest first, at most {@link WINNERS_MAX}. Names show a first letter and five stars. */
    winners: z.array(z.object({ name: z.string(), gameName: z.string(), win: points, at: time })),
  }),
});
export type Welcome = RouteAnswer<typeof welcome>;

const shown = z.boolean({ error: CORE_TEXTS.trueOrFalse });

export const welcomeShown = route({
  method: 'GET',
  path: 'welcome/shown',
  summary: "Whether the landing page may show winners of the caller's network.",
  access: ['admin'],
  permission: 'settings',
  response: z.object({ ...success, shown }),
});

export const setWelcomeShown = route({
  method: 'PUT',
  path: 'welcome/shown',
  summary: "Lets the landing page show winners of the caller's network, or stops it.",
  access: ['admin'],
  permission: 'settings',
  sensitive: false,
  body: z.object({ shown }),
  response: z.object({ ...done.shape, shown }),
});
