import * as z from 'zod/mini';
import { gamePair, limits } from '../games/game-pair.ts';
import { done, id, points, requiredText, success, time } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';

/** The states of a draw, in the order in which it passes them; `void` can follow any but `settled`. */
export const DRAW_STATUS = ['open', 'closed', 'drawn', 'settling', 'settled', 'void'] as const;
/** Where a result comes from: declared by an operator, or generated from the committed seed. */
export const RESULT_SOURCE = ['declared', 'generated'] as const;

/**
 * What a draw came to, as data: the number drawn; the card of Andhar Bahar, `drawno` being its rank from 1; or the winning number of each
 * sub-series or tier, where a group that is not named has none.
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
/** What a draw came to, as data. */
export type ResultData = z.infer<typeof resultData>;

/**
 * Why a draw is void: an operator voided it; its seed could not be read at the draw time, so that nothing would have proved its result; its
 * wins came to more than the books can hold; it was open in a backup that was restored; a beacon's value did not come in time; or betting was
 * closed only when that value could be known.
 */
export const VOID_CAUSE = ['operator', 'seed', 'wins', 'restore', 'beacon', 'root'] as const;

/** One drawn result as it is shown in a strip: as text in `drawno`, as data in `result`; `source` is always shown with it. */
export const drawResult = z.object({
  drawno: z.string(),
  result: resultData,
  booster: z.number(),
  source: z.enum(RESULT_SOURCE),
  drawId: id,
  number: z.number(),
  drawsAt: time,
});
/** One drawn result. */
export type DrawResult = z.infer<typeof drawResult>;

/** Which draw it is, its times, and how far it has come. `number` counts intervals since 1970, the same everywhere. */
export const shortDraw = z.object({
  _id: id,
  number: z.number(),
  opensAt: time,
  closesAt: time,
  drawsAt: time,
  status: z.enum(DRAW_STATUS),
});
/** Which draw it is, its times, and how far it has come. */
export type ShortDraw = z.infer<typeof shortDraw>;

/** The draw that a panel or a player looks at. */
export const drawView = z.object({ ...shortDraw.shape, commitment: z.string() });
/** The draw that a panel or a player looks at. */
export type DrawView = z.infer<typeof drawView>;

const gameQuery = z.object({ ...gamePair, adminId: z.optional(id) });

/** `POST live/addresult`: saves the result of the running draw. Betting closes with it; it settles at the draw time. */
export const addResult = route({
  method: 'POST',
  path: 'live/addresult',
  summary:
    'Saves the result of the running draw and closes betting on it; it settles at the draw time. What the table lacks to pay it (`cover`) moves from the credit of the admin to the table, and goes back if another result comes. Where that takes two persons, a second one confirms it by saving the same; nobody is that within 7 days of setting the password of the first, nor the other way round.',
  access: ['superadmin', 'admin'],
  sensitive: 'result',
  body: z.object({
    ...gamePair,
    result: z.union([z.string(), z.number()], { error: 'Please enter a valid result.' }),
    /** 1 where it is not set: an empty text and null count as that. */
    boosterValue: z._default(
      z.union([z.number(), z.string(), z.null()], { error: 'The booster is a whole number' }),
      1,
    ),
    color: z.optional(z.string()),
    type: z.optional(z.string()),
    drawId: z.optional(id),
    /** Where it takes two persons: only confirms, and is refused where this is not the result that somebody else has saved. */
    confirm: z.optional(z.boolean({ error: 'Write true or false' })),
  }),
  response: z.object({ ...done.shape, drawId: id, cover: points }),
  errors: ['NOT_FOUND', 'DRAW_STATE', 'RULE_REFUSED', 'NOT_COVERED'],
});

/** `POST live/generateresult`: closes betting on the running draw, generates its result now and settles it. */
export const generateResult = route({
  method: 'POST',
  path: 'live/generateresult',
  summary: 'Closes betting on the running draw, generates its result from the committed seed and settles it.',
  access: ['superadmin', 'admin'],
  sensitive: 'result',
  body: z.object({ ...gamePair, drawId: z.optional(id) }),
  /** The result as text, and as data; all null if betting is closed and the draw waits for its beacon. */
  response: z.object({
    ...done.shape,
    drawId: id,
    result: z.nullable(z.string()),
    outcome: z.nullable(resultData),
    booster: z.nullable(z.number()),
  }),
  errors: ['NOT_FOUND', 'DRAW_STATE'],
});

/** `POST live/voiddraw`: gives every stake of the running draw back. */
export const voidDraw = route({
  method: 'POST',
  path: 'live/voiddraw',
  summary: 'Voids the running draw: every stake goes back to its player.',
  access: ['superadmin', 'admin'],
  sensitive: 'elevation',
  body: z.object({ ...gamePair, drawId: z.optional(id), reason: requiredText('Reason is required', 500) }),
  response: z.object({ ...done.shape, drawId: id }),
  errors: ['NOT_FOUND', 'DRAW_STATE'],
});

/** `GET fair/draw/:drawId`: what anyone needs to check a draw. Public; seed and result appear once it is settled. */
export const fairDraw = route({
  method: 'GET',
  path: 'fair/draw/:drawId',
  summary:
    'Everything needed to check a draw: commitment, odds, pays and the root of the tickets; seed and result once settled.',
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
    /** What each head pays per unit laid, before the booster: those of the draw, whatever the game's have become. */
    pays: z.record(z.string(), z.number()),
    weights: z.array(z.number()),
    /** Once betting is closed: the root of the tree over the tickets. */
    ticketRoot: z.nullable(z.string()),
    /** How many tickets there are, once betting is closed. */
    tickets: z.nullable(z.number()),
    /** Whether these were cleared since: the root stays, and no ticket can be shown to stand in its tree any more. */
    ticketsCleared: z.boolean(),
    /** Null also of a void draw whose seed can't be read. */
    seed: z.nullable(z.string()),
    /** How its result comes about, and whether its wins are to be claimed: terms that its seed depends on. */
    resultMode: z.enum(['open', 'two-person', 'generated']),
    manualClaims: z.boolean(),
    /** The beacons whose rounds are part of its seed, in their order. `signature` is the value, null until it is published. */
    beacons: z.array(
      z.object({
        publicKey: z.string(),
        genesisTime: z.number(),
        period: z.number(),
        round: z.number(),
        signature: z.nullable(z.string()),
      }),
    ),
    /** Of a void draw with beacons, once their values are there: the result that it would have had. */
    wouldHaveBeen: z.nullable(z.object({ result: resultData, resultLabel: z.string(), booster: z.number() })),
    voidCause: z.nullable(z.enum(VOID_CAUSE)),
    /** Of a draw that a restore of its network has undone: when that was, and the time of the backup. All else is as it was before; it counts for nothing. */
    undone: z.nullable(z.object({ at: time, backupOf: time })),
    result: z.unknown(),
    resultLabel: z.nullable(z.string()),
    booster: z.nullable(z.number()),
    source: z.nullable(z.enum(RESULT_SOURCE)),
  }),
  errors: ['NOT_FOUND'],
});

/** `GET app/state`: the running draw, the own wallet, the last results, and what may be laid. */
export const playerState = route({
  method: 'GET',
  path: 'app/state',
  summary:
    'The running draw, the own wallet and what waits to be claimed, the last results, what may be laid and what it pays.',
  access: ['user'],
  query: gameQuery,
  response: z.object({
    ...success,
    gameId: z.string(),
    gameName: z.string(),
    family: z.string(),
    draw: z.nullable(drawView),
    /** When the draw after this one opens, or where none runs, the next. */
    nextOpensAt: z.nullable(time),
    serverTime: time,
    walletBalance: points,
    /** What the player has won in all games and not claimed yet. */
    winnings: points,
    /** Yes: wins of the running draw, or where none runs, of the next, wait until the player claims them. */
    manualClaims: z.enum(['yes', 'no']),
    unitPrice: points,
    heads: z.array(z.object({ head: z.string(), label: z.string(), pay: z.number() })),
    /** What may be drawn, with its colour on a wheel or card, and the address of the image that it was given. */
    outcomes: z.array(
      z.object({
        drawno: z.string(),
        label: z.string(),
        color: z.nullable(z.string()),
        image: z.nullable(z.string()),
      }),
    ),
    /** The most that may be staked in the player's network. */
    limits,
    results: z.array(drawResult),
  }),
  errors: ['GAME_UNAVAILABLE'],
});

/** `GET app/results`: the last results of a game in the caller's network. */
export const playerResults = route({
  method: 'GET',
  path: 'app/results',
  summary: "The last results of a game in the caller's network, each with its source.",
  access: 'session',
  query: gameQuery,
  response: z.object({ ...success, data: z.array(drawResult) }),
  errors: ['NOT_FOUND'],
});

/** `GET app/gettimer`: whole seconds to the end of the running draw; where none runs, of the next one, whose `opensAt` is yet to come. */
export const getTimer = route({
  method: 'GET',
  path: 'app/gettimer',
  summary:
    'Whole seconds until the running draw is drawn, or where none runs, the next; format minutes where it takes 60 s or more.',
  access: 'session',
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

/** `GET app/nextdrawnew`: the draw after the running one, as the clients of the specification read it; an empty list while the game is not open. */
export const nextDraw = route({
  method: 'GET',
  path: 'app/nextdrawnew',
  summary: 'The draw of one game of one admin that opens next; an empty list while the game is not open.',
  access: 'session',
  query: gameQuery,
  response: z.object({
    ...success,
    nextrdraw: z.array(
      z.object({
        draw_id: z.string(),
        /** By a clock of twelve hours in the time zone of the server; with its own half of the day, or its day, where it is not that of the close. */
        timeopen: z.string(),
        /** When betting closes. */
        timeclose: z.string(),
        /** Of `timeclose`: AM or PM. */
        ampm: z.string(),
        opensAt: time,
        closesAt: time,
        drawsAt: time,
      }),
    ),
  }),
  errors: ['NOT_FOUND'],
});
