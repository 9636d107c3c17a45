import * as z from 'zod/mini';
import { percentOfShare } from '../frame/hundredths.ts';
import { ownIdInPath } from '../frame/caller.ts';
import { limits, RESULT_MODES } from './game-pair.ts';
import { id, points, success } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';

/** A game of the catalogue. `gameId` is the key that panels, tickets and reports use; `returns` is the theory of each bet. */
export const game = z.object({
  _id: id,
  gameId: z.string(),
  gameName: z.string(),
  family: z.string(),
  nodigit: z.number(),
  logo: z.nullable(z.string()),
  image: z.nullable(z.string()),
  /** Addresses of the outcomes' images, one per digit, where `label` is yes and they have been given. */
  images: z.array(z.string()),
  description: z.string(),
  publisher: z.string(),
  releaseDate: z.string(),
  status: z.string(),
  label: z.enum(['yes', 'no']),
  timeId: z.array(z.object({ _id: id, timecount: z.number() })),
  unitPrice: points,
  /** How results come about, from the next draw on. */
  resultMode: z.enum(RESULT_MODES),
  /** Yes: wins wait until the player claims them, from the next draw on. */
  manualClaims: z.enum(['yes', 'no']),
  /** What each head pays per unit laid, before the booster, from the next draw on, and what its family pays by default. */
  pays: z.array(z.object({ head: z.string(), label: z.string(), pay: z.number(), default: z.number() })),
  /** The theory of each bet under these pays: `return` is probability × pay as a fraction; `mark` says where it is above 1 or
   * below 0.7, and to operators alone. */
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
/** A game of the catalogue. */
export type Game = z.infer<typeof game>;

/** The highest theoretical return of a game's bets, in percent of the stake, before the booster and commissions. */
export function highestReturn({ returns }: { readonly returns: readonly { readonly return: number }[] }): number {
  return percentOfShare(Math.max(0, ...returns.map((bet) => bet.return)));
}

/** One game of one admin: an entry of the Live Result menu. `_id` is the pair's own, neither the game's nor the admin's. */
export const adminGame = z.object({
  _id: id,
  adminId: id,
  /** The admin's name; empty for players, who do not learn it. */
  username: z.string(),
  gameId: z.string(),
  gameName: z.string(),
  family: z.string(),
});
/** One game of one admin. */
export type AdminGame = z.infer<typeof adminGame>;

/** `GET game/usergames/:id`: the game and admin pairs that the caller sees. */
export const userGames = route({
  method: 'GET',
  path: 'game/usergames/:id',
  summary: 'The games, admins and pairs of both that the caller sees; `id` is the caller.',
  access: 'session',
  params: { id: ownIdInPath },
  response: z.object({
    ...success,
    games: z.array(game),
    /** The admins of these pairs; none for players. */
    users: z.array(z.object({ _id: id, username: z.string() })),
    adminGameList: z.array(adminGame),
  }),
  errors: ['IDENTITY_MISMATCH'],
});

/** `GET app/games`: the games that the player can play. */
export const playerGames = route({
  method: 'GET',
  path: 'app/games',
  summary: 'The games that the player can play, with the most that may be staked.',
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
