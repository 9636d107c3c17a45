import * as z from 'zod/mini';
import { drawResult, drawView, resultData } from './draws.ts';
import { gamePair, RESULT_MODES } from './game-pair.ts';
import type { Failure } from './primitives.ts';
import { id, points, success, time } from './primitives.ts';
import { route } from './route.ts';
import type { RouteAnswer, RouteInput } from './route.ts';
import type { placeBet } from './tickets.ts';

/** One outcome on a panel: what is staked on it, and what declaring it with booster 1 would pay. */
export const panelRow = z.object({
  drawno: z.string(),
  label: z.string(),
  color: z.nullable(z.string()),
  image: z.nullable(z.string()),
  sum: points,
  pays: points,
});
/** One outcome on a panel. */
export type PanelRow = z.infer<typeof panelRow>;

/** All that a live panel shows: the socket's `responseData`, and the answer of `live/loadgame`. Frames of a room are numbered by `seq`. */
export const panel = z.object({
  gameId: z.string(),
  gameName: z.string(),
  family: z.string(),
  adminId: id,
  username: z.string(),
  seq: z.number(),
  serverTime: time,
  draw: z.nullable(drawView),
  /** When the draw after this one opens, or where none runs, the next; null while the game is not open. */
  nextOpensAt: z.nullable(time),
  resultMode: z.enum(RESULT_MODES),
  maxBooster: z.number(),
  data: z.array(panelRow),
  dataColors: z.array(panelRow),
  dataCardTypes: z.array(panelRow),
  percentageData: z.array(z.object({ gameBalance: points, winpercentage: z.nullable(z.number()) })),
  collections: z.object({ totalPlaypoints: points, totalWinpoints: points, balance: points }),
  lastData: z.object({ data: z.array(drawResult) }),
  /** The sum of all stakes on the running draw: TOTAL DRAW COLLECTION. */
  totalsumdata: points,
  /** Where it `waits`, it stands only once a second person has confirmed it. */
  saved: z.nullable(
    z.object({
      /** As text, and as data. */
      result: z.string(),
      outcome: resultData,
      booster: z.number(),
      byId: id,
      by: z.string(),
      at: time,
      confirmedBy: z.nullable(z.string()),
      waits: z.boolean(),
    }),
  ),
});
/** All that a live panel shows. */
export type Panel = z.infer<typeof panel>;

/** The largest message that a socket takes. A bet of more lines than fit in goes by HTTP. */
export const SOCKET_MESSAGE_BYTES: number = 16 * 1024;

/** What a bet by socket is answered: what `POST app/bet` answers; `retryAfter` has the seconds that a call has in `Retry-After`. */
export type BetAnswer = RouteAnswer<typeof placeBet> | (Failure & { retryAfter?: number });

/**
 * What the socket carries. Staff join with `gameData`, and frames come as `responseData`. Players lay bets with `bet`. Refusals of what has
 * no acknowledgement come as `error`.
 */
export interface LiveEvents {
  /**
   * Client to server: a bet, with the body of `POST app/bet`. The acknowledgement comes once the ticket is durable, or says why there is
   * none; after `SESSION_ENDED` or `SESSION_REPLACED` the server closes the socket. Without an answer, ask again with the same
   * `requestId`.
   */
  bet: (body: RouteInput<typeof placeBet>['body'], answer: (reply: BetAnswer) => void) => void;
  /** Client to server: join the room of one game of one admin, leaving the one before. */
  gameData: (pair: { gameId: string; adminId: string }) => void;
  /** Server to client: the panel as it now is. */
  responseData: (panel: Panel) => void;
  /**
   * Server to client: why a join was refused. After THROTTLED the client may ask again in a second; after TOO_MANY_SOCKETS the server
   * closes the socket, and the client connects again once somebody looks at it.
   */
  error: (refusal: { code: string; message: string }) => void;
}

/** `GET live/loadgame`: the panel once. */
export const loadGame = route({
  method: 'GET',
  path: 'live/loadgame',
  summary: 'The live panel of one game of one admin, as the socket sends it.',
  access: ['superadmin', 'admin'],
  query: z.object(gamePair),
  response: z.object({ ...success, ...panel.shape }),
  errors: ['NOT_FOUND'],
});
