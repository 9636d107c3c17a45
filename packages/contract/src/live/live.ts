import * as z from 'zod/mini';
import { drawResult, drawView, resultData } from '../draws/draws.ts';
import { gamePair, RESULT_MODES } from '../games/game-pair.ts';
import type { Failure } from '../frame/primitives.ts';
import { id, points, success, time } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';
import type { RouteAnswer, RouteInput } from '../frame/route.ts';
import type { placeBets } from '../tickets/many-bets.ts';
import { BULK_LIMITS } from '../tickets/ticket-limits.ts';
import type { placeBet } from '../tickets/tickets.ts';

const staked = z.optional(points);

/**
 * One outcome on a panel: what is staked on the bets that win with it, and what declaring it with booster 1 would pay. Where several
 * kinds of bets win with an outcome, the stakes on each of them stand beside their `sum`.
 */
export const panelRow = z.object({
  drawno: z.string(),
  label: z.string(),
  color: z.nullable(z.string()),
  image: z.nullable(z.string()),
  /** 4D: the thousand. Jodi: the tier. */
  series: z.optional(z.string()),
  /** 4D: the first number of the hundred. */
  subseries: z.optional(z.string()),
  sum: points,
  pays: points,
  /** 3D. */
  straight: staked,
  spbox: staked,
  dpbox: staked,
  ap: staked,
  fp: staked,
  bp: staked,
  sp: staked,
  /** Triple. */
  triple: staked,
  double: staked,
  single: staked,
  /** Jodi; `totalsum` is the sum. */
  andharsum: staked,
  baharsum: staked,
  jodisum: staked,
  totalsum: staked,
});
/** One outcome on a panel. */
export type PanelRow = z.infer<typeof panelRow>;

/**
 * All that a live panel shows: the socket's `responseData`, and the answer of `live/loadgame`. What a room sends is numbered by `seq`; what
 * a call answers has 0. `data`, `dataColors` and `dataCardTypes` follow from `stakes` by the rules of the game, which `gameId`, `family`,
 * `digits` and `pays` decide.
 */
export const panel = z.object({
  gameId: z.string(),
  gameName: z.string(),
  family: z.string(),
  /** How many outcomes the game has; with its key, family and pays it gives the rules that the draw goes by. */
  digits: z.number(),
  /** What a unit costs on the running draw, or where none runs, on the next. */
  unitPrice: points,
  /** What each head pays there, in hundredths per unit: 3.8 is 380. */
  pays: z.record(z.string(), z.number()),
  adminId: id,
  username: z.string(),
  seq: z.number(),
  serverTime: time,
  draw: z.nullable(drawView),
  /** When the draw after this one opens, or where none runs, the next; null while the game is not open. */
  nextOpensAt: z.nullable(time),
  /** How the result of the running draw comes about, or where none runs, that of the next. */
  resultMode: z.enum(RESULT_MODES),
  /** A beacon is part of its seed: from betting's scheduled close on nobody saves, replaces or confirms a result, or voids the draw. */
  usesBeacon: z.boolean(),
  maxBooster: z.number(),
  /** The stakes on the running draw by bet key, those of no stake left out: what `data` is made of. */
  stakes: z.record(z.string(), points),
  data: z.array(panelRow),
  dataColors: z.array(panelRow),
  dataCardTypes: z.array(panelRow),
  percentageData: z.array(z.object({ gameBalance: points, winpercentage: z.nullable(z.number()) })),
  /** What the table can pay. Beside the stakes a declared result draws on `backing`: what the table has beyond its other draws, and the admin's credit. */
  table: z.object({
    backing: points,
    /** The most that stakes earn in commissions, in percent. */
    commissionCeiling: z.number(),
    /** So many points have to be added until a bet of one unit on anything is taken. */
    lacking: points,
    /** The tables of the network together are below its line: none of its draws opens. */
    opensNoDraw: z.boolean(),
  }),
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
      /** Whether it was confirmed from the address from which it was saved, of IPv6 the /64. */
      sameAddress: z.boolean(),
    }),
  ),
});
/** All that a live panel shows. */
export type Panel = z.infer<typeof panel>;

/** The fields that stand in each change. */
type Told = 'gameId' | 'adminId' | 'seq' | 'serverTime' | 'stakes';
/** The fields that no change has: they follow from the stakes, or stay as long as the rows are made of the same. */
type Followed = 'family' | 'digits' | 'data' | 'dataColors' | 'dataCardTypes';

/**
 * What has changed on a panel since the one of the number before: the event `panelChange`. The fields that have changed stand in it, each
 * whole, beside its number, time and stakes. Whoever has missed a number joins again and gets the whole panel.
 */
export interface PanelChange extends Pick<Panel, Told>, Partial<Omit<Panel, Told | Followed>> {
  /** The running draw, null where none runs. When it is another one, the stakes are its own from nothing. */
  drawId: string | null;
  /** The new sums of the bets whose stakes have changed, by bet key; 0 for one that has none any more. */
  stakes: Panel['stakes'];
}

/** By what a socket joins a room: a pair, and whether it wants changes after the first whole panel. */
export interface JoinedPair {
  gameId: string;
  adminId: string;
  changes?: boolean | undefined;
}

/** The largest message that a socket takes before anybody has signed in by it, and of the staff. */
export const SOCKET_MESSAGE_BYTES: number = 16 * 1024;
/** The largest that it takes where bets may come: the largest body of `POST app/bets`, with the name of the event and its number around it. */
export const BETS_MESSAGE_BYTES: number = BULK_LIMITS.bytes + 64;

/** What a bet by socket is answered: what `POST app/bet` answers; `retryAfter` has the seconds that a call has in `Retry-After`. */
export type BetAnswer = RouteAnswer<typeof placeBet> | (Failure & { retryAfter?: number });

/** What many bets by socket are answered: what `POST app/bets` answers, or why nothing of it was taken. */
export type BetsAnswer = RouteAnswer<typeof placeBets> | (Failure & { retryAfter?: number });

/**
 * What the socket carries. Staff join with `gameData`, and whole panels come as `responseData`, what has changed as `panelChange`. Players
 * lay bets with `bet` and `bets`. Refusals of what has no acknowledgement come as `error`.
 */
export interface LiveEvents {
  /**
   * Client to server: a bet, with the body of `POST app/bet`. The acknowledgement comes once the ticket is durable, or says why there is
   * none; after `SESSION_ENDED` or `SESSION_REPLACED` the server closes the socket. Without an answer, ask again with the same
   * `requestId`.
   */
  bet: (body: RouteInput<typeof placeBet>['body'], answer: (reply: BetAnswer) => void) => void;
  /**
   * Client to server: many bets, with the body of `POST app/bets`. The acknowledgement comes once all have their answers, which it has in their
   * order.
   */
  bets: (body: RouteInput<typeof placeBets>['body'], answer: (reply: BetsAnswer) => void) => void;
  /** Client to server: join the room of one game of one admin, leaving the one before. */
  gameData: (pair: JoinedPair) => void;
  /**
   * Server to client: the panel as it now is. With `changes` once after the join, and again only where changes were left out, as the client
   * was slow to take them or what the rows are made of has changed; without, after changes, at most twice a second.
   */
  responseData: (panel: Panel) => void;
  /** Server to client, with `changes`: what has changed since the number before, at most eight times a second. */
  panelChange: (change: PanelChange) => void;
  /**
   * Server to client: why a join was refused, or the room left: NOT_FOUND where the game is the admin's no more, or the admin is below
   * somebody else. After THROTTLED the client may ask again in a second; after TOO_MANY_SOCKETS the server closes the socket, and the client
   * connects again once somebody looks at it.
   */
  error: (refusal: { code: string; message: string; requestId: string }) => void;
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

/** `GET result/lottojodicross`: the jodi game of an admin: what each pair of digits has, tier by tier, and what came up last. */
export const lottoJodiCross = route({
  method: 'GET',
  path: 'result/lottojodicross',
  summary: 'The grid of the running draw of a jodi game, by tier, and its recent results.',
  access: ['superadmin', 'admin'],
  query: z.object({ admin: id, gameId: gamePair.gameId }),
  response: z.object({
    ...success,
    gameId: z.string(),
    gameName: z.string(),
    adminId: id,
    serverTime: time,
    draw: z.nullable(drawView),
    maxBooster: z.number(),
    /** All stakes on the running draw. */
    totalsumdata: points,
    /** The tiers in their order, each with its hundred numbers from 00. */
    data: z.array(z.object({ series: z.string(), sum: points, rows: z.array(panelRow) })),
    /** The last results, newest first; `winners` of `result` has the number of each tier. */
    results: z.array(drawResult),
  }),
  errors: ['NOT_FOUND'],
});
