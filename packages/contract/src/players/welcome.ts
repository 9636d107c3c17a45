import * as z from 'zod/mini';
import { done, points, success, time } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';
import type { RouteAnswer } from '../frame/route.ts';

/** How many winners the landing page has at most. */
export const WINNERS_MAX = 10;

/** `GET welcome`: what anybody may see of the house: the six sample games and recent winners, of networks that let it be told. */
export const welcome = route({
  method: 'GET',
  path: 'welcome',
  summary:
    'What the landing page shows: the sample games, and recent winners with their names masked, of the networks that let it be told.',
  access: 'public',
  response: z.object({
    ...success,
    /** The sample games in the order of the specification, under its titles. */
    games: z.array(
      z.object({
        gameId: z.string(),
        title: z.string(),
        family: z.string(),
        digits: z.number(),
        /** Whether it can be played: a network has it, and both are active. */
        isOpen: z.boolean(),
      }),
    ),
    /** The newest wins that were paid within the last seven days, newest first, at most {@link WINNERS_MAX}; each name is its first letter and five stars. */
    winners: z.array(z.object({ name: z.string(), gameName: z.string(), win: points, at: time })),
  }),
});
/** What the landing page shows. */
export type Welcome = RouteAnswer<typeof welcome>;

const shown = z.boolean({ error: 'Write true or false' });

/** `GET welcome/shown`: whether the landing page may tell of the caller's network. */
export const welcomeShown = route({
  method: 'GET',
  path: 'welcome/shown',
  summary: 'Whether the landing page may tell of the own network: of its winners.',
  access: ['admin'],
  response: z.object({ ...success, shown }),
});

/** `PUT welcome/shown`: lets the landing page tell of the caller's network, or no more. */
export const setWelcomeShown = route({
  method: 'PUT',
  path: 'welcome/shown',
  summary: 'Lets the landing page tell of the winners of the own network, or no more.',
  access: ['admin'],
  sensitive: false,
  body: z.object({ shown }),
  response: z.object({ ...done.shape, shown }),
});
