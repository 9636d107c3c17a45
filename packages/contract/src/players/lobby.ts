import * as z from 'zod/mini';
import { drawResult, shortDraw } from '../draws/draws.ts';
import { points, success, time } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';
import type { RouteAnswer } from '../frame/route.ts';

/** How many of the last results the lobby has of each game. */
export const LOBBY_RESULTS = 5;
/** Among so many of its last tickets it is looked which games a player plays. */
export const LOBBY_TICKETS = 200;

/** A game as the lobby shows it: its running draw, when the next opens, and what came up last, newest first. */
export const lobbyGame = z.object({
  gameId: z.string(),
  gameName: z.string(),
  family: z.string(),
  /** How many outcomes it has: with its key and family that gives its rules and pictures. */
  digits: z.number(),
  /** What each head pays in hundredths per unit, as on a panel, on the running draw, or where none runs, on the next. */
  pays: z.record(z.string(), z.number()),
  unitPrice: points,
  /** The running draw; null where none runs. */
  draw: z.nullable(shortDraw),
  /** When the draw after this one opens, or where none runs, the next; null while the game is not open. */
  nextOpensAt: z.nullable(time),
  /** When the caller last bet on it; null where no ticket on it is among its last {@link LOBBY_TICKETS}. The games come in this order, the newest first, then by name. */
  lastPlayedAt: z.nullable(time),
  /** The last {@link LOBBY_RESULTS}, newest first. */
  results: z.array(drawResult),
});
/** A game as the lobby shows it. */
export type LobbyGame = z.infer<typeof lobbyGame>;

/** `GET app/lobby`: all that a player's start shows: its wallet, today's net position, and the games of its network. */
export const lobby = route({
  method: 'GET',
  path: 'app/lobby',
  summary:
    'The own wallet and the day so far, and the games of the own network with their draws and last results; the one played last first.',
  access: ['user'],
  response: z.object({
    ...success,
    username: z.string(),
    serverTime: time,
    /** When this session began. */
    signedInAt: time,
    walletBalance: points,
    /** What the player has won in all games and not claimed yet. */
    winnings: points,
    /** Since the day began in the network's time zone: stakes of draws that were settled, their wins, and what is staked on draws that are not settled, since whenever. */
    today: z.object({ staked: points, won: points, open: points }),
    /** Those that are open, or have a draw that runs still. */
    games: z.array(lobbyGame),
  }),
});
/** All that a player's start shows. */
export type Lobby = RouteAnswer<typeof lobby>;
