import * as z from 'zod/mini';
import { amountOf, done, id, points, requiredText, success, time } from './primitives.ts';
import { route } from './route.ts';

/** The states of a draw, in the order in which it passes them; `void` can follow any but `settled`. */
export const DRAW_STATUS = ['open', 'closed', 'drawn', 'settled', 'void'] as const;
/** Where a result comes from: declared by an operator, or generated from the committed seed. */
export const RESULT_SOURCE = ['declared', 'generated'] as const;

const gamePair = { gameId: requiredText('Game is required', 64), adminId: id };

/** One drawn result as it is shown in a strip; `source` is always shown with it. */
export const drawResult = z.object({
  drawno: z.string(),
  booster: z.number(),
  source: z.enum(RESULT_SOURCE),
  drawId: id,
  number: z.number(),
  drawsAt: time,
});
/** One drawn result. */
export type DrawResult = z.infer<typeof drawResult>;

/** The draw that a panel or a player looks at. `number` counts intervals since 1970, the same everywhere. */
export const drawView = z.object({
  _id: id,
  number: z.number(),
  opensAt: time,
  closesAt: time,
  drawsAt: time,
  status: z.enum(DRAW_STATUS),
  commitment: z.string(),
});
/** The draw that a panel or a player looks at. */
export type DrawView = z.infer<typeof drawView>;

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
  maxBooster: z.number(),
  data: z.array(panelRow),
  dataColors: z.array(panelRow),
  dataCardTypes: z.array(panelRow),
  percentageData: z.array(z.object({ gameBalance: points, winpercentage: z.nullable(z.number()) })),
  collections: z.object({ totalPlaypoints: points, totalWinpoints: points, balance: points }),
  lastData: z.object({ data: z.array(drawResult) }),
  /** The sum of all stakes on the running draw: TOTAL DRAW COLLECTION. */
  totalsumdata: points,
  saved: z.nullable(z.object({ result: z.string(), booster: z.number(), by: z.string(), at: time })),
});
/** All that a live panel shows. */
export type Panel = z.infer<typeof panel>;

/** What the socket carries. The client joins with `gameData`; frames come as `responseData`; refusals as `error`. */
export interface LiveEvents {
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

/** What is said of a balance that is missing or not above zero (section 5 of the games specification). */
export const INVALID_BALANCE = 'Please enter a valid balance greater than 0.';

/** `POST live/addbalance`: credit from the admin to the game's table (`add`), or all of it back (`remove`). */
export const addBalance = route({
  method: 'POST',
  path: 'live/addbalance',
  summary: "Adds to the game balance from the admin's credit, or moves all of it back.",
  access: ['superadmin', 'admin'],
  body: z.object({
    ...gamePair,
    balance: z.optional(
      amountOf({ missing: INVALID_BALANCE, notNumber: INVALID_BALANCE, notAboveZero: INVALID_BALANCE }),
    ),
    type: z._default(z.enum(['add', 'remove'], { error: 'The type is add or remove' }), 'add'),
  }),
  response: z.object({ ...done.shape, gameBalance: points }),
  errors: ['NOT_FOUND', 'INSUFFICIENT_CREDIT', 'RULE_REFUSED', 'IDEMPOTENCY_CONFLICT'],
});

/** `POST live/addresult`: saves the result of the running draw. Betting closes with it; it settles at the draw time. */
export const addResult = route({
  method: 'POST',
  path: 'live/addresult',
  summary: 'Saves the result of the running draw and closes betting on it; it settles at the draw time.',
  access: ['superadmin', 'admin'],
  body: z.object({
    ...gamePair,
    result: z.union([z.string(), z.number()], { error: 'Please enter a valid result.' }),
    boosterValue: z._default(z.union([z.number(), z.string()]), 1),
    color: z.optional(z.string()),
    type: z.optional(z.string()),
    drawId: z.optional(id),
  }),
  response: z.object({ ...done.shape, drawId: id }),
  errors: ['NOT_FOUND', 'DRAW_STATE', 'RULE_REFUSED'],
});

/** `POST live/generateresult`: closes betting on the running draw, generates its result now and settles it. */
export const generateResult = route({
  method: 'POST',
  path: 'live/generateresult',
  summary: 'Closes betting on the running draw, generates its result from the committed seed and settles it.',
  access: ['superadmin', 'admin'],
  body: z.object({ ...gamePair, drawId: z.optional(id) }),
  response: z.object({ ...done.shape, drawId: id, result: z.string(), booster: z.number() }),
  errors: ['NOT_FOUND', 'DRAW_STATE'],
});

/** `POST live/voiddraw`: gives every stake of the running draw back. */
export const voidDraw = route({
  method: 'POST',
  path: 'live/voiddraw',
  summary: 'Voids the running draw: every stake goes back to its player.',
  access: ['superadmin', 'admin'],
  body: z.object({ ...gamePair, drawId: z.optional(id), reason: requiredText('Reason is required', 500) }),
  response: z.object({ ...done.shape, drawId: id }),
  errors: ['NOT_FOUND', 'DRAW_STATE'],
});

/** `GET fair/draw/:drawId`: what anyone needs to check a draw. Public; seed and result appear once it is settled. */
export const fairDraw = route({
  method: 'GET',
  path: 'fair/draw/:drawId',
  summary: 'Everything needed to check a draw: commitment, odds and ticket digest; seed and result once settled.',
  access: 'public',
  params: { drawId: id },
  response: z.object({
    ...success,
    drawId: id,
    gameId: z.string(),
    gameName: z.string(),
    family: z.string(),
    digits: z.number(),
    number: z.number(),
    status: z.enum(DRAW_STATUS),
    opensAt: time,
    drawsAt: time,
    commitment: z.string(),
    rulesVersion: z.number(),
    weights: z.array(z.number()),
    ticketDigest: z.nullable(z.string()),
    tickets: z.nullable(z.number()),
    seed: z.nullable(z.string()),
    result: z.unknown(),
    resultLabel: z.nullable(z.string()),
    booster: z.nullable(z.number()),
    source: z.nullable(z.enum(RESULT_SOURCE)),
  }),
  errors: ['NOT_FOUND'],
});
