import * as z from 'zod/mini';
import { percentOfShare } from '../core/hundredths.ts';
import { ownIdInPath, id, points, success } from '../core/primitives.ts';
import { limits, RESULT_MODES } from './game-pair.ts';
import { route } from '../core/route.ts';

export const game = z.object({
  _id: id,
  gameId: z.string(),
  gameName: z.string(),
  family: z.string(),
  nodigit: z.number(),
  logo: z.nullable(z.string()),
  image: z.nullable(z.string()),
  images: z.array(z.string()),
  description: z.string(),
  publisher: z.string(),
  releaseDate: z.string(),
  status: z.string(),
  label: z.enum(['yes', 'no']),
  timeId: z.array(z.object({ _id: id, timecount: z.number() })),
  /** It replaces the times; null: none. */
  schedule: z.nullable(z.string()),
  unitPrice: points,
  resultMode: z.enum(RESULT_MODES),
  /** Applies from the next draw. */
  manualClaims: z.enum(['yes', 'no']),
  /** Per unit before the booster, from the next draw. */
  pays: z.array(z.object({ head: z.string(), label: z.string(), pay: z.number(), default: z.number() })),
  /**
   * `return`: probability × pay under these pays, as a fraction. `mark`, for operators only, flags returns above 1 or
   * below 0.7.
   */
  returns: z.array(
    z.object({
      bet: z.string(),
      pay: z.number(),
      probability: z.number(),
      return: z.number(),
      mark: z.nullable(z.enum(['above', 'below'])),
    }),
  ),
});
export type Game = z.infer<typeof game>;

export function highestReturn({ returns }: { readonly returns: readonly { readonly return: number }[] }): number {
  return percentOfShare(Math.max(0, ...returns.map((bet) => bet.return)));
}

/** `_id` belongs to the pair of game and admin. */
export const adminGame = z.object({
  _id: id,
  adminId: id,
  /** Empty for players, to hide the admin. */
  username: z.string(),
  gameId: z.string(),
  gameName: z.string(),
  family: z.string(),
});
export type AdminGame = z.infer<typeof adminGame>;

export const userGames = route({
  method: 'GET',
  path: 'game/usergames/:id',
  summary: 'Lists the games, admins and pairs of both that the caller sees; `id` is the caller.',
  access: 'session',
  permission: null,
  params: { id: ownIdInPath },
  response: z.object({
    ...success,
    games: z.array(game),
    users: z.array(z.object({ _id: id, username: z.string() })),
    adminGameList: z.array(adminGame),
  }),
  errors: ['IDENTITY_MISMATCH'],
});

export const playerGames = route({
  method: 'GET',
  path: 'app/games',
  summary: 'Lists the games that the player can play, with their stake limits.',
  access: ['user'],
  response: z.object({
    ...success,
    data: z.array(
      z.object({
        _id: id,
        gameId: z.string(),
        gameName: z.string(),
        family: z.string(),
        intervalSeconds: z.number(),
        limits,
      }),
    ),
  }),
});
