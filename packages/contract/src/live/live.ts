import * as z from 'zod/mini';
import { awaitedDraw, drawResult, drawView, resultData } from '../draws/draws.ts';
import { DRAW_MODES, gamePair } from '../games/game-pair.ts';
import { id, points, success, time, type Failure } from '../core/primitives.ts';
import { route, type RouteAnswer, type RouteInput } from '../core/route.ts';
import type { placeBets } from '../tickets/bulk-bets.ts';
import { BULK_LIMITS } from '../tickets/ticket-limits.ts';
import type { placeBet } from '../tickets/tickets.ts';

const staked = z.optional(points);

/**
 * Stakes on bets that win with this outcome, and the payout at booster 1. If several bet kinds win, lists each stake
 * beside `sum`.
 */
export const panelRow = z.object({
  drawno: z.string(),
  label: z.string(),
  color: z.nullable(z.string()),
  image: z.nullable(z.string()),
  /** 4D: thousand. Jodi: tier. */
  series: z.optional(z.string()),
  /** 4D: first number of the hundred. */
  subseries: z.optional(z.string()),
  sum: points,
  pays: points,
  straight: staked,
  spbox: staked,
  dpbox: staked,
  ap: staked,
  fp: staked,
  bp: staked,
  sp: staked,
  triple: staked,
  double: staked,
  single: staked,
  /** Jodi; `totalsum` is the sum. */
  andharsum: staked,
  baharsum: staked,
  jodisum: staked,
  totalsum: staked,
});
export type PanelRow = z.infer<typeof panelRow>;

/**
 * The socket's `responseData` and the answer of `live/loadgame`. `seq` numbers a room's messages and is 0 in answers.
 * Clients derive `data`, `dataColors` and `dataCardTypes` from `stakes` and the game's rules (`gameId`, `family`,
 * `digits`, `pays`).
 */
export const panel = z.object({
  gameId: z.string(),
  gameName: z.string(),
  family: z.string(),
  digits: z.number(),
  /** Price in the running draw, else in the next. */
  unitPrice: points,
  /** Pay per head, in hundredths per unit: 3.8 is 380. */
  pays: z.record(z.string(), z.number()),
  adminId: id,
  username: z.string(),
  testNetwork: z.boolean(),
  seq: z.number(),
  serverTime: time,
  draw: z.nullable(drawView),
  /** Null while the game is not open. */
  nextOpensAt: z.nullable(time),
  resultMode: z.enum(DRAW_MODES),
  /** After the scheduled close, no person can save, replace or confirm a result, or void the draw. */
  usesBeacon: z.boolean(),
  maxBooster: z.number(),
  /** Keyed by bet, without zero stakes. Source of `data`. */
  stakes: z.record(z.string(), points),
  data: z.array(panelRow),
  dataColors: z.array(panelRow),
  dataCardTypes: z.array(panelRow),
  percentageData: z.array(z.object({ gameBalance: points, winpercentage: z.nullable(z.number()) })),
  /**
   * Besides stakes, a declared result draws on `backing`: surplus over the table's other draws, plus the admin's
   * credit.
   */
  table: z.object({
    backing: points,
    /** Maximum share of stakes, in percent. */
    commissionCeiling: z.number(),
    /** Points to add before the table accepts one unit on any outcome. */
    lacking: points,
    /** The network's tables are below their line. */
    opensNoDraw: z.boolean(),
  }),
  collections: z.object({ totalPlaypoints: points, totalWinpoints: points, balance: points }),
  lastData: z.object({ data: z.array(drawResult) }),
  totalsumdata: points,
  awaited: z.array(
    z.object({
      ...awaitedDraw.shape,
      voidAt: time,
      stakes: z.record(z.string(), points),
      staked: points,
      saved: z.nullable(
        z.object({ result: z.string(), outcome: resultData, pays: points, byId: id, by: z.string(), at: time }),
      ),
    }),
  ),
  /** Settled draws whose outside result can be corrected, newest first. `result` is the latest, as text. */
  correctable: z.array(
    z.object({
      ...awaitedDraw.shape,
      result: z.string(),
      until: time,
      stakes: z.record(z.string(), points),
      staked: points,
    }),
  ),
  saved: z.nullable(
    z.object({
      result: z.string(),
      outcome: resultData,
      booster: z.number(),
      byId: id,
      by: z.string(),
      at: time,
      confirmedBy: z.nullable(z.string()),
      waits: z.boolean(),
      /** Saved and confirmed from one address (IPv6: one /64). */
      sameAddress: z.boolean(),
    }),
  ),
});
export type Panel = z.infer<typeof panel>;

type ChangeBase = 'gameId' | 'adminId' | 'seq' | 'serverTime' | 'stakes';
/** Absent from changes: derived from stakes, or constant while the row structure stays. */
type DerivedFields = 'family' | 'digits' | 'data' | 'dataColors' | 'dataCardTypes';

/** Changed fields in full, plus number, time and stakes. After missing a number, rejoin for a complete panel. */
export interface PanelChange extends Pick<Panel, ChangeBase>, Partial<Omit<Panel, ChangeBase | DerivedFields>> {
  /** In a new draw, stakes start from zero. */
  drawId: string | null;
  stakes: Panel['stakes'];
}

export interface JoinedPair {
  gameId: string;
  adminId: string;
  changes?: boolean | undefined;
}

/** Limit of staff and unauthenticated sockets. */
export const SOCKET_MESSAGE_BYTES: number = 16 * 1024;
/** Largest body of `POST app/bets`, plus event name and number. */
export const BETS_MESSAGE_BYTES: number = BULK_LIMITS.bytes + 64;

/** `retryAfter`, in seconds, replaces the `Retry-After` header. */
export type BetAnswer = RouteAnswer<typeof placeBet> | (Failure & { retryAfter?: number });

export type BetsAnswer = RouteAnswer<typeof placeBets> | (Failure & { retryAfter?: number });

/**
 * Staff join with `gameData`, then receive `responseData` and `panelChange`. Players bet with `bet` and `bets`.
 * Refusals without acknowledgment come as `error`.
 */
export interface LiveEvents {
  /**
   * Acknowledged once the ticket is durable or refused. After `SESSION_ENDED` or `SESSION_REPLACED` the server closes
   * the socket. Without an answer, retry with the same `requestId`.
   */
  bet: (body: RouteInput<typeof placeBet>['body'], answer: (reply: BetAnswer) => void) => void;
  /** Acknowledged once every bet has an answer, in the same order. */
  bets: (body: RouteInput<typeof placeBets>['body'], answer: (reply: BetsAnswer) => void) => void;
  /** Sent by the client: joins a pair's room and leaves the previous one. */
  gameData: (pair: JoinedPair) => void;
  /**
   * Sent with `changes` after joining, and again if the client was too slow or the row structure changed. Without
   * `changes`: after each change, at most twice per second.
   */
  responseData: (panel: Panel) => void;
  /** Sent only with `changes`: difference to the previous number, at most eight per second. */
  panelChange: (change: PanelChange) => void;
  /**
   * Join refused or room left. NOT_FOUND: the game left the admin, or the admin moved. THROTTLED: retry after one
   * second. TOO_MANY_SOCKETS: the server closes the socket; the client reconnects when its page is viewed.
   */
  error: (refusal: { code: string; message: string; requestId: string }) => void;
}

export const loadGame = route({
  method: 'GET',
  path: 'live/loadgame',
  summary: 'The live panel of one game of one admin, as the socket sends it.',
  access: ['superadmin', 'admin'],
  permission: 'panels',
  query: z.object(gamePair),
  response: z.object({ ...success, ...panel.shape }),
  errors: ['NOT_FOUND'],
});

export const lottoJodiCross = route({
  method: 'GET',
  path: 'result/lottojodicross',
  summary: 'The grid of the running draw of a jodi game, by tier, and its recent results.',
  access: ['superadmin', 'admin'],
  permission: 'panels',
  query: z.object({ admin: id, gameId: gamePair.gameId }),
  response: z.object({
    ...success,
    gameId: z.string(),
    gameName: z.string(),
    adminId: id,
    serverTime: time,
    draw: z.nullable(drawView),
    maxBooster: z.number(),
    totalsumdata: points,
    /** 100 numbers each, from 00. */
    data: z.array(z.object({ series: z.string(), sum: points, rows: z.array(panelRow) })),
    results: z.array(drawResult),
  }),
  errors: ['NOT_FOUND'],
});
