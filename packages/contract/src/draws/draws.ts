import * as z from 'zod/mini';
import { DRAW_MODES, gamePair, limits } from '../games/game-pair.ts';
import { done, id, points, requiredText, success, time } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';
import { CORRECTABLE_HOURS, DRAW_FIELD_TEXTS } from './draw-texts.ts';

/** In order. `void` can follow any state except `settled`. */
export const DRAW_STATUS = ['open', 'closed', 'drawn', 'settling', 'settled', 'void'] as const;
export const RESULT_SOURCE = ['declared', 'generated'] as const;

/**
 * The drawn number; the card of Andhar Bahar (`drawno` is its rank, from 1); or the winner per sub-series or tier,
 * without groups that have none.
 */
export const resultData = z.union([
  z.object({
    drawno: z.string(),
    suit: z.enum(['spade', 'heart', 'diamond', 'club']),
    color: z.enum(['red', 'black']),
  }),
  z.object({ drawno: z.string() }),
  z.object({ winners: z.record(z.string(), z.string()) }),
]);
export type ResultData = z.infer<typeof resultData>;

/**
 * - `seed`: seed unreadable at draw time, so no result could be proved.
 * - `wins`: total wins exceed the range of the books.
 * - `restore`: open in a restored backup.
 * - `beacon`: its value missed the deadline.
 * - `root`: betting closed after the beacon value could be known.
 * - `outside`: no result was entered in time.
 */
export const VOID_CAUSE = ['operator', 'seed', 'wins', 'restore', 'beacon', 'root', 'outside'] as const;

/** Public lottery that decides a draw, as `National 19:00`. Null: the house draws. */
const outside = z.nullable(z.string());

/** Time of the last correction of an outside result. */
const correctedAt = z.nullable(time);

/** Results as text. */
export const correction = z.object({ at: time, before: z.string(), after: z.string() });
export type Correction = z.infer<typeof correction>;

/** `drawno` is text, `result` data. Always show `source` with it. */
export const drawResult = z.object({
  drawno: z.string(),
  result: resultData,
  booster: z.number(),
  source: z.enum(RESULT_SOURCE),
  drawId: id,
  number: z.number(),
  drawsAt: time,
  outside,
  correctedAt,
});
export type DrawResult = z.infer<typeof drawResult>;

/** `number` counts intervals since 1970, the same on all servers. */
export const shortDraw = z.object({
  _id: id,
  number: z.number(),
  opensAt: time,
  closesAt: time,
  drawsAt: time,
  status: z.enum(DRAW_STATUS),
  outside,
});
export type ShortDraw = z.infer<typeof shortDraw>;

export const drawView = z.object({ ...shortDraw.shape, commitment: z.string() });
export type DrawView = z.infer<typeof drawView>;

export const awaitedDraw = z.object({ drawId: id, number: z.number(), drawsAt: time, outside: z.string() });
export type AwaitedDraw = z.infer<typeof awaitedDraw>;

const gameQuery = z.object({ ...gamePair, adminId: z.optional(id) });

export const addResult = route({
  method: 'POST',
  path: 'live/addresult',
  summary:
    'Saves the result of the running draw and closes betting on it; it settles at the draw time. Credit that the ' +
    'table lacks to pay it (`cover`) moves from the admin to the table, and goes back if the result changes. In ' +
    'games that take two people, a second one confirms by saving the same result. Neither of the two may have set ' +
    'the password of the other within the last 7 days. The result of an outside lottery is entered for its draw ' +
    '(`drawId`) after the draw time, by two people or an API key, and settles at once.',
  access: ['superadmin', 'admin'],
  permission: 'results',
  sensitive: 'result',
  body: z.object({
    ...gamePair,
    result: z.union([z.string(), z.number()], { error: DRAW_FIELD_TEXTS.resultMissing }),
    /** Defaults to 1, also for empty text and null. */
    boosterValue: z._default(z.union([z.number(), z.string(), z.null()], { error: DRAW_FIELD_TEXTS.wrongBooster }), 1),
    color: z.optional(z.string()),
    type: z.optional(z.string()),
    drawId: z.optional(id),
    /** Confirms a result saved by another person. Refused if they differ. */
    confirm: z.optional(z.boolean({ error: CORE_TEXTS.trueOrFalse })),
  }),
  response: z.object({ ...done.shape, drawId: id, cover: points }),
  errors: ['NOT_FOUND', 'DRAW_STATE', 'RULE_REFUSED', 'NOT_COVERED'],
});

export const generateResult = route({
  method: 'POST',
  path: 'live/generateresult',
  summary: 'Closes betting on the running draw, generates its result from the committed seed and settles it.',
  access: ['superadmin', 'admin'],
  permission: 'results',
  sensitive: 'result',
  body: z.object({ ...gamePair, drawId: z.optional(id) }),
  /** All null while the draw waits for its beacon. */
  response: z.object({
    ...done.shape,
    drawId: id,
    result: z.nullable(z.string()),
    outcome: z.nullable(resultData),
    booster: z.nullable(z.number()),
  }),
  errors: ['NOT_FOUND', 'DRAW_STATE', 'RULE_REFUSED'],
});

export const voidDraw = route({
  method: 'POST',
  path: 'live/voiddraw',
  summary: 'Voids the running draw: every stake goes back to its player.',
  access: ['superadmin', 'admin'],
  permission: 'results',
  approval: ['void'],
  sensitive: 'elevation',
  body: z.object({ ...gamePair, drawId: z.optional(id), reason: requiredText(DRAW_FIELD_TEXTS.reasonMissing, 500) }),
  response: z.object({ ...done.shape, drawId: id }),
  errors: ['NOT_FOUND', 'DRAW_STATE'],
});

export const correctResult = route({
  method: 'POST',
  path: 'live/correctresult',
  summary:
    `Corrects the result of an outside lottery within ${CORRECTABLE_HOURS} hours of its entry. A second person always approves it. ` +
    'Players who win by the corrected result are paid. Wins of the former one are taken back as far as the players have credit.',
  access: ['superadmin', 'admin'],
  permission: 'results',
  approval: ['correction'],
  sensitive: 'elevation',
  body: z.object({
    ...gamePair,
    drawId: id,
    result: z.union([z.string(), z.number()], { error: DRAW_FIELD_TEXTS.resultMissing }),
    color: z.optional(z.string()),
    type: z.optional(z.string()),
    /** Refused unless this is the result so far, as text. */
    corrects: z.optional(z.string()),
    reason: requiredText(DRAW_FIELD_TEXTS.reasonMissing, 500),
  }),
  response: z.object({ ...done.shape, drawId: id }),
  errors: ['NOT_FOUND', 'DRAW_STATE'],
});

export const ENTERED_BY = ['superadmin', 'admin', 'api-key'] as const;

export const fairDraw = route({
  method: 'GET',
  path: 'fair/draw/:drawId',
  inAnyCell: true,
  summary: 'Everything needed to check a draw: commitment, odds, pays and ticket root; seed and result once settled.',
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
    closesAt: time,
    drawsAt: time,
    commitment: z.string(),
    rulesVersion: z.number(),
    unitPrice: points,
    /** Per unit at the draw's opening, before the booster. */
    pays: z.record(z.string(), z.number()),
    weights: z.array(z.number()),
    /** Set after betting closes. */
    ticketRoot: z.nullable(z.string()),
    tickets: z.nullable(z.number()),
    /** After clearing, the root stays, but inclusion proofs are gone. */
    ticketsCleared: z.boolean(),
    /** Null also for void draws with an unreadable seed. */
    seed: z.nullable(z.string()),
    /** Terms fixed at opening; the seed depends on them. */
    resultMode: z.enum(DRAW_MODES),
    outside,
    /** `api-key` if a program entered the result. */
    enteredBy: z.array(z.enum(ENTERED_BY)),
    /** Corrections of an outside result, in order, each made by two people. `result` is the latest. */
    corrections: z.array(correction),
    manualClaims: z.boolean(),
    /** Listed in the order mixed into the seed. `signature` is null until published. */
    beacons: z.array(
      z.object({
        publicKey: z.string(),
        genesisTime: z.number(),
        period: z.number(),
        round: z.number(),
        signature: z.nullable(z.string()),
      }),
    ),
    /** The would-be result of a void draw, once all beacon values arrive. */
    wouldHaveBeen: z.nullable(z.object({ result: resultData, resultLabel: z.string(), booster: z.number() })),
    voidCause: z.nullable(z.enum(VOID_CAUSE)),
    /** If a restore undid this draw. The other fields then show the former state, which no longer counts. */
    undone: z.nullable(z.object({ at: time, backupOf: time })),
    result: z.unknown(),
    resultLabel: z.nullable(z.string()),
    booster: z.nullable(z.number()),
    source: z.nullable(z.enum(RESULT_SOURCE)),
  }),
  errors: ['NOT_FOUND'],
});

export const playerState = route({
  method: 'GET',
  path: 'app/state',
  summary: "The player's wallet and unclaimed wins, and a game's running draw, last results, limits and pays.",
  access: ['user'],
  query: gameQuery,
  response: z.object({
    ...success,
    gameId: z.string(),
    gameName: z.string(),
    family: z.string(),
    draw: z.nullable(drawView),
    nextOpensAt: z.nullable(time),
    serverTime: time,
    walletBalance: points,
    winnings: points,
    /** `yes`: wins wait for a claim. For the running draw, else the next. */
    manualClaims: z.enum(['yes', 'no']),
    unitPrice: points,
    heads: z.array(z.object({ head: z.string(), label: z.string(), pay: z.number() })),
    outcomes: z.array(
      z.object({
        drawno: z.string(),
        label: z.string(),
        color: z.nullable(z.string()),
        image: z.nullable(z.string()),
      }),
    ),
    limits,
    results: z.array(drawResult),
    awaited: z.array(awaitedDraw),
  }),
  errors: ['GAME_UNAVAILABLE'],
});

export const LISTED_RESULTS = 50;

export const playerResults = route({
  method: 'GET',
  path: 'app/results',
  summary: `The last ${LISTED_RESULTS} results of a game in the caller's network, newest first, with their sources.`,
  access: 'session',
  permission: null,
  query: gameQuery,
  response: z.object({
    ...success,
    gameName: z.string(),
    family: z.string(),
    digits: z.number(),
    data: z.array(drawResult),
  }),
  errors: ['NOT_FOUND'],
});

export const getTimer = route({
  method: 'GET',
  path: 'app/gettimer',
  summary:
    'Whole seconds until the running draw is drawn, or the next one if none is running; format is minutes from 60 s on.',
  access: 'session',
  permission: null,
  query: gameQuery,
  response: z.object({
    ...success,
    time: z.number(),
    format: z.enum(['minutes', 'seconds']),
    serverTime: time,
    opensAt: time,
    drawsAt: time,
  }),
  errors: ['NOT_FOUND'],
});

export const nextDraw = route({
  method: 'GET',
  path: 'app/nextdrawnew',
  summary: 'The next draw of one game of one admin to open; an empty list while the game is not open.',
  access: 'session',
  permission: null,
  query: gameQuery,
  response: z.object({
    ...success,
    nextrdraw: z.array(
      z.object({
        draw_id: z.string(),
        /** Twelve-hour clock in the server's time zone. Adds AM/PM or the day if it differs from the close. */
        timeopen: z.string(),
        timeclose: z.string(),
        ampm: z.string(),
        opensAt: time,
        closesAt: time,
        drawsAt: time,
      }),
    ),
  }),
  errors: ['NOT_FOUND'],
});
