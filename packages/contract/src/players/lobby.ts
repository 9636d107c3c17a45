import * as z from 'zod/mini';
import { awaitedDraw, drawResult, shortDraw } from '../draws/draws.ts';
import { points, success, time } from '../core/primitives.ts';
import { route, type RouteAnswer } from '../core/route.ts';

export const LOBBY_RESULTS = 5;
/** Recent tickets searched for the games that a player plays. */
export const LOBBY_TICKETS = 200;

export const lobbyGame = z.object({
  gameId: z.string(),
  gameName: z.string(),
  family: z.string(),
  digits: z.number(),
  /** Hundredths per unit, for the running draw, else the next. */
  pays: z.record(z.string(), z.number()),
  unitPrice: points,
  draw: z.nullable(shortDraw),
  /** Null while the game is not open. */
  nextOpensAt: z.nullable(time),
  /** Null if absent from the last {@link LOBBY_TICKETS} tickets. Games sort by this, newest first, then by name. */
  lastPlayedAt: z.nullable(time),
  isPinned: z.boolean(),
  /** Stakes on unsettled draws. */
  open: points,
  results: z.array(drawResult),
  awaited: z.array(awaitedDraw),
});
export type LobbyGame = z.infer<typeof lobbyGame>;

export const lobby = route({
  method: 'GET',
  path: 'app/lobby',
  summary:
    "The player's wallet and day so far, and the network's games with their draws and last results, last played first.",
  access: ['user'],
  response: z.object({
    ...success,
    username: z.string(),
    serverTime: time,
    signedInAt: time,
    walletBalance: points,
    winnings: points,
    today: z.object({ staked: points, won: points, open: points }),
    /** Own draws that `today` counts as open. The settlement of any other draw needs a new read. */
    openDraws: z.array(z.string()),
    games: z.array(lobbyGame),
  }),
});
export type Lobby = RouteAnswer<typeof lobby>;
