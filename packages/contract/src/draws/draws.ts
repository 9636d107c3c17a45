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
 * wins came to more than the books can hold; it was open in a backup that was restored; or a keeper, or a round of drand, did not give its part of
 * the seed in time.
 */
export const VOID_CAUSE = ['operator', 'seed', 'wins', 'restore', 'keeper', 'beacon'] as const;

/** One drawn result as it is shown in a strip: as text in `drawno`, as data in `result`; `source` is always shown with it. */
export const drawResult = z.object({
  drawno: z.string(),
  result: resultData,
  booster: z.number(),
  source: z.enum(RESULT_SOURCE),
  drawId: id,
  number: z.number(),
  drawsAt: time,
  /** Who kept a part of its seed beside the server, in words: `other.example and a round of drand`. Left out of a draw that is self-kept. */
  keptWith: z.optional(z.string()),
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
  /** The result as text, and as data. */
  response: z.object({ ...done.shape, drawId: id, result: z.string(), outcome: resultData, booster: z.number() }),
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

/** What a keeper has of a draw's seed. Hex in lower case. */
const keeperPart = z.object({
  name: z.string(),
  publicKey: z.string(),
  /** The day of UTC whose seed it is, how many that has, the root of the tree over all their commitments, and the keeper's signature of these. */
  day: z.string(),
  size: z.number(),
  root: z.string(),
  daySignature: z.string(),
  /** Which of the day's, its commitment, and the nodes from there to the root. */
  index: z.number(),
  commitment: z.string(),
  path: z.array(z.string()),
  /** The close of betting for which it is asked, fixed when the draw opens. */
  closesAt: time,
  /** When it was asked last; null: it was never asked for. */
  askedAt: z.nullable(time),
  seed: z.nullable(z.string()),
  /** When it released the seed, by its own clock: not before the close. */
  releasedAt: z.nullable(time),
  /** Over its name, the draw, its close and its tickets, and when it released. */
  signature: z.nullable(z.string()),
});

/** A chain of drand, as its `/info` tells of it. */
const beaconChain = z.object({
  hash: z.string(),
  publicKey: z.string(),
  /** Seconds between rounds, and when the first was, in seconds since 1970. */
  period: z.number(),
  genesisTime: z.number(),
  groupHash: z.string(),
  scheme: z.string(),
  beaconId: z.string(),
});

/** What a keeper has signed of a day, and when this server saw it first. */
const signedDay = { size: z.number(), root: z.string(), signature: z.string(), seenAt: time };

/** `GET fair/keeper`: who keeps the seeds of draws that open now, and what the keepers have published. Public. */
export const fairKeeper = route({
  method: 'GET',
  path: 'fair/keeper',
  summary: 'Who keeps the seeds of draws that open now beside the server, with the days that keepers have published.',
  access: 'public',
  response: z.object({
    ...success,
    /** Nobody but the server does. */
    selfKept: z.boolean(),
    keepers: z.array(
      z.object({
        name: z.string(),
        publicKey: z.string(),
        days: z.array(
          z.object({
            ...signedDay,
            day: z.string(),
            /** What it has signed of that day later, where it is another root: both together convict it. */
            other: z.nullable(z.object({ ...signedDay, name: z.string() })),
          }),
        ),
      }),
    ),
    beacon: z.nullable(beaconChain),
    /** So long after betting has closed a part may come; then the draw is void. */
    deadlineSeconds: z.number(),
  }),
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
    /** Who keeps a part of its seed beside the server, in their order; none: it is self-kept. Their seeds come with the result. */
    keepers: z.array(keeperPart),
    /** The round of drand that is a part of its seed. */
    beacon: z.nullable(z.object({ ...beaconChain.shape, round: z.number(), signature: z.nullable(z.string()) })),
    /** The wrong answers for parts of its seed, the first of each who gave one; `by` is a keeper's name, or `drand`. What came right in time counts all the same. */
    faults: z.array(z.object({ by: z.string(), reason: z.string(), at: time })),
    /** Of a void draw all parts of whose seed were known: what they give, and what the tickets would have won. */
    knowable: z.nullable(
      z.object({
        result: resultData,
        resultLabel: z.string(),
        booster: z.number(),
        /** Null: more than the books can hold. */
        pays: z.nullable(points),
      }),
    ),
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
