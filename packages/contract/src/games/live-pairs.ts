import * as z from 'zod/mini';
import { id, success } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';

/** A live panel that may be opened, as the menu shows it: a game of an admin, known by the ids of both. */
export const livePair = z.object({ adminId: id, username: z.string(), gameId: z.string(), gameName: z.string() });
/** A live panel that may be opened. */
export type LivePair = z.infer<typeof livePair>;

/** `GET live/pairs`: the live panels that the caller may open, without all that `game/usergames` tells of their games. */
export const livePairs = route({
  method: 'GET',
  path: 'live/pairs',
  summary: 'The live panels that the caller may open: the game and admin pairs, by game and admin.',
  access: ['superadmin', 'admin'],
  response: z.object({ ...success, data: z.array(livePair) }),
});
