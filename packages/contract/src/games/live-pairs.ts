import * as z from 'zod/mini';
import { id, success } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';

export const livePair = z.object({ adminId: id, username: z.string(), gameId: z.string(), gameName: z.string() });
export type LivePair = z.infer<typeof livePair>;

export const livePairs = route({
  method: 'GET',
  path: 'live/pairs',
  summary: 'Lists the live panels that the caller may open: the game and admin pairs, by game and admin.',
  access: ['superadmin', 'admin'],
  response: z.object({ ...success, data: z.array(livePair) }),
});
