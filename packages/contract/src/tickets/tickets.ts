import * as z from 'zod/mini';
import { DRAW_STATUS, RESULT_SOURCE, resultData } from '../draws/draws.ts';
import { id, points, requiredText, success, time, wholeNumber } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';
import { sealNote } from '../seals/seal-note.ts';
import { TICKET_LIMITS } from './ticket-limits.ts';

/** One line of a ticket: what is bet on, and how many units. */
export const ticketLine = z.object({
  drawno: z.string(),
  head: z.optional(z.string()),
  series: z.optional(z.string()),
  subseries: z.optional(z.string()),
  qty: z.number(),
});

/** What a player's program calls a bet, of its own making and unique among its player's. */
export const requestId = requiredText('Request id is required', 64);

/** A line as the player lays it. */
export const betLine = z.object({
  drawno: z.union([z.string().check(z.maxLength(16, { error: 'Use at most 16 characters' })), z.number()], {
    error: 'Draw number is required',
  }),
  head: z.optional(z.string().check(z.maxLength(32, { error: 'Use at most 32 characters' }))),
  series: z.optional(z.string().check(z.maxLength(32, { error: 'Use at most 32 characters' }))),
  subseries: z.optional(z.string().check(z.maxLength(32, { error: 'Use at most 32 characters' }))),
  qty: z.number({ error: `Write a whole number from 1 to ${TICKET_LIMITS.qty}` }).check(
    z.refine((qty) => Number.isInteger(qty) && qty >= 1 && qty <= TICKET_LIMITS.qty, {
      error: `Write a whole number from 1 to ${TICKET_LIMITS.qty}`,
    }),
  ),
});

/** A ticket that is asked for. */
export const betAsked = z.object({
  gameId: requiredText('Game is required', 64),
  drawId: z.optional(id),
  requestId,
  lines: z
    .array(betLine, { error: 'Lines is a list of bets' })
    .check(
      z.minLength(1, { error: 'Lay at least one bet' }),
      z.maxLength(TICKET_LIMITS.lines, { error: `Lay at most ${TICKET_LIMITS.lines} bets on one ticket` }),
    ),
});
/** A ticket that is asked for, as the contract validated it. */
export type BetAsked = z.infer<typeof betAsked>;

/** A ticket as its player sees it; `winpoints` is null until the draw is settled. */
export const ticket = z.object({
  _id: id,
  ticketId: z.string(),
  drawId: id,
  gameId: z.string(),
  lines: z.array(ticketLine),
  playpoints: points,
  winpoints: z.nullable(points),
  /** Open until its draw is settled; the stake of a void one has gone back. An undone one counts for nothing: it is shown as it was before a restore. */
  status: z.enum(['open', 'settled', 'void', 'undone']),
  /** When a restore of its network has undone it; null of any other. */
  undoneAt: z.nullable(time),
  placedAt: time,
  /** When its win was paid out: at its settlement, or once the player claimed it. Null where nothing was won, or it still waits. */
  claimedAt: z.nullable(time),
  /** The receipt: 64 hex digits that fix all of the ticket, and stand in the tree of its draw once betting is closed. */
  digest: z.string(),
});
/** A ticket as its player sees it. */
export type Ticket = z.infer<typeof ticket>;

/** What a bet that was taken is answered. */
export const BET_PLACED = 'Bet placed.';
/** What a request is answered whose ticket a restore has undone. */
const BET_UNDONE = 'This bet was placed before, and a restore has undone it. No bet was placed now.';

/** What is said of the ticket that a request has made, now or before. */
export function placedText({ status }: Pick<Ticket, 'status'>): string {
  return status === 'undone' ? BET_UNDONE : BET_PLACED;
}

/** `POST app/bet`: one ticket, all lines or none. The same `requestId` answers the first ticket again. */
export const placeBet = route({
  method: 'POST',
  path: 'app/bet',
  summary: 'Takes one ticket, all lines or none, and answers once it is durable.',
  access: ['user'],
  sensitive: false,
  body: betAsked,
  // A line with every field at its longest is 200 bytes.
  bodyLimit: 200 * TICKET_LIMITS.lines + 1024,
  status: 201,
  response: z.object({ ...success, ticket, walletBalance: points, seal: sealNote }),
  errors: [
    'GAME_UNAVAILABLE',
    'BETTING_CLOSED',
    'INSUFFICIENT_CREDIT',
    'LIMIT_REACHED',
    'OWN_LIMIT',
    'ON_BREAK',
    'ACCOUNT_INACTIVE',
    'IDEMPOTENCY_CONFLICT',
  ],
});

/**
 * `GET app/bet/:requestId`: what became of a bet that got no answer. A bet of this player that is being taken is waited for; so once the time at which
 * betting on the draw that it named closes has passed, NOT_PLACED is final.
 */
export const betOfRequest = route({
  method: 'GET',
  path: 'app/bet/:requestId',
  summary:
    'The ticket that was made of a request of one’s own, for whoever got no answer to it. NOT_PLACED is final once betting on the draw that the bet named has closed.',
  access: ['user'],
  params: { requestId },
  response: z.object({ ...success, ticket, seal: sealNote }),
  errors: ['NOT_PLACED', 'NOT_FOUND'],
});

/** The id, or the number in Crockford base 32, which has no U; I and L are read as 1, O as 0. */
const TICKET_NAME = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-tv-z]{4}(?:-[0-9a-tv-z]{4}){2})$/i;
/** What a call names a ticket by. */
export const ticketName = requiredText('Ticket is required', 36).check(
  z.regex(TICKET_NAME, { error: 'Write the id of a ticket, or its number as 0ABC-1DEF-2GHJ' }),
);

/** `POST app/claim`: moves the win of one ticket from the player's winnings to its credit, once. */
export const claimWin = route({
  method: 'POST',
  path: 'app/claim',
  summary:
    'Claims the win of an own ticket, named by its id or the number on it, where wins of the game wait to be claimed.',
  access: ['user'],
  sensitive: false,
  body: z.object({ ticketId: ticketName }),
  response: z.object({ ...success, ticket, walletBalance: points }),
  errors: ['NOT_FOUND', 'DRAW_STATE', 'ALREADY_CLAIMED', 'RULE_REFUSED', 'ACCOUNT_INACTIVE'],
});

/** Of how many days a player's tickets can be asked for by a status or a period: the last three months. */
export const TICKETS_SHOWN_DAYS = 92;

/** The draw of an own ticket: which it is, and once it is settled, what it came to. */
export const ticketDraw = z.object({
  number: z.number(),
  drawsAt: time,
  status: z.enum(DRAW_STATUS),
  /** The result as text, and as data; null until it is settled. */
  drawno: z.nullable(z.string()),
  result: z.nullable(resultData),
  booster: z.nullable(z.number()),
  source: z.nullable(z.enum(RESULT_SOURCE)),
  /** When it was settled, or its stakes went back; null until then. */
  endedAt: z.nullable(time),
});

/** A ticket in the list of its player's own: with its game and its draw. */
export const playerTicket = z.object({
  ...ticket.shape,
  gameName: z.string(),
  family: z.string(),
  /** How many outcomes its game has. */
  digits: z.number(),
  draw: ticketDraw,
});
/** A ticket in the list of its player's own. */
export type PlayerTicket = z.infer<typeof playerTicket>;

/** What became of a ticket: its draw is not settled, it won something, it won nothing, its stake went back, or a restore has undone it. */
export const TICKET_STATUS = ['open', 'won', 'lost', 'void', 'undone'] as const;

/** `GET app/tickets`: the player's own tickets, newest first; with `claims` only those whose wins wait to be claimed. */
export const playerTickets = route({
  method: 'GET',
  path: 'app/tickets',
  summary:
    'The own tickets, newest first, of a game, a status or a period; with claims=waiting those whose wins wait to be claimed.',
  access: ['user'],
  query: z.object({
    gameId: z.optional(z.string()),
    claims: z.optional(z.enum(['waiting'], { error: 'Write waiting, or leave it out for all tickets' })),
    /** What became of them, in the last {@link TICKETS_SHOWN_DAYS} days. */
    status: z.optional(z.enum(TICKET_STATUS, { error: `Write one of ${TICKET_STATUS.join(', ')}` })),
    /** Of tickets that were laid from one instant to another, both included; the first lies at most {@link TICKETS_SHOWN_DAYS} days back. */
    startDate: z.optional(time),
    endDate: z.optional(time),
    /** Those older than this ticket: the `next` of the page before. */
    before: z.optional(id),
    page: z.optional(wholeNumber(1, 1_000_000)),
    pageSize: z.optional(wholeNumber(1, 500)),
  }),
  response: z.object({
    ...success,
    data: z.array(playerTicket),
    /** How many there are on all pages; left out with `before`. */
    total: z.optional(z.number()),
    /** The last ticket of this page, for `before`; null where there are no older ones. */
    next: z.nullable(id),
  }),
});

/** A line of an own ticket, with its stake and, once the draw is settled, what it won; floored to the hundredth. */
export const playedLine = z.object({ ...ticketLine.shape, stake: points, win: z.nullable(points) });

/** `GET app/ticket/:ticketId`: one own ticket, by its id or the number on it. */
export const playerTicketOf = route({
  method: 'GET',
  path: 'app/ticket/:ticketId',
  summary: 'One own ticket, by its id or number: its lines with what each won, its draw, what it paid and since when.',
  access: ['user'],
  params: { ticketId: ticketName },
  response: z.object({
    ...success,
    ticket: z.object({
      ...playerTicket.shape,
      lines: z.array(playedLine),
      /** What a unit cost on its draw. */
      unitPrice: points,
      /** What each head pays on its draw in hundredths per unit, before the booster. */
      pays: z.record(z.string(), z.number()),
      /** Yes: its win waits until it is claimed. */
      manualClaims: z.enum(['yes', 'no']),
      /** When it was printed first, on whichever device; null where it was not. */
      firstPrintedAt: z.nullable(time),
    }),
    /** As of this answer: it covers a ticket that was laid some seconds before. */
    seal: sealNote,
  }),
  errors: ['NOT_FOUND'],
});

/** `GET fair/ticket/:ticketId`: a ticket as its digest covers it, and the path that proves that it was in its draw (docs/fairness.md). */
export const fairTicket = route({
  method: 'GET',
  path: 'fair/ticket/:ticketId',
  summary:
    'The receipt of a ticket, by its id or number: what its digest covers and, once betting is closed, its path in the ticket tree of its draw.',
  access: 'session',
  params: { ticketId: ticketName },
  response: z.object({
    ...success,
    /** What there is to say where there is no path. */
    message: z.optional(z.string()),
    _id: id,
    ticketId: z.string(),
    drawId: id,
    gameId: z.string(),
    drawStatus: z.enum(DRAW_STATUS),
    /** When a restore has undone the draw, which is shown as it was before; null of any other. */
    undoneAt: z.nullable(time),
    /** The whole stake in hundredths of a point, in decimal, as the digest covers it. */
    stake: z.string(),
    /** Bet key and quantity of each line, in the order of the digest. */
    lines: z.array(z.tuple([z.string(), z.number()])),
    digest: z.string(),
    /** The place of the ticket among those of its draw in order of their ids, from 0, and how many these are; null until betting is closed. */
    index: z.nullable(z.number()),
    size: z.nullable(z.number()),
    /** The nodes beside the way from the ticket up to the root, the lowest first. */
    path: z.nullable(z.array(z.string())),
    root: z.nullable(z.string()),
    /** Proves that the ticket is sealed (docs/seals.md); null until it is. */
    sealed: z.nullable(
      z.object({
        record: z.string(),
        index: z.number(),
        size: z.number(),
        path: z.array(z.string()),
        proof: z.string(),
      }),
    ),
  }),
  errors: ['NOT_FOUND'],
});

/** `POST app/ticket/:ticketId/print`: notes that an own ticket is printed now. The first print is the original, each later one a copy. */
export const printTicket = route({
  method: 'POST',
  path: 'app/ticket/:ticketId/print',
  summary:
    'Notes that an own ticket, named by its id or number, is printed now, and says whether this is the original or a copy, which has to say so.',
  access: ['user'],
  sensitive: false,
  params: { ticketId: ticketName },
  response: z.object({
    ...success,
    printedAt: time,
    /** Of a copy: when the original was printed. Null of the original. */
    originalAt: z.nullable(time),
  }),
  errors: ['NOT_FOUND'],
});

/** `GET fair/draw/:drawId/paper/:ticketId/:digest`: whether what stands on a printed ticket was in its draw, for whoever holds the paper. Public. */
export const fairPaper = route({
  method: 'GET',
  path: 'fair/draw/:drawId/paper/:ticketId/:digest',
  summary:
    'Whether a ticket of this number and receipt digest was in a draw: once betting is closed, the path from the digest to the root of its tickets. Nothing of its player or its lines.',
  access: 'public',
  params: {
    drawId: id,
    ticketId: ticketName,
    digest: z
      .string({ error: 'Receipt digest is required' })
      .check(z.regex(/^[0-9a-fA-F]{64}$/, { error: 'Write the 64 hex digits of the receipt digest' })),
  },
  response: z.object({
    ...success,
    /** What there is to say where there is no path. */
    message: z.optional(z.string()),
    drawId: id,
    /** When a restore has undone the draw and its tickets; null of any other. */
    undoneAt: z.nullable(time),
    ticketId: z.string(),
    digest: z.string(),
    /** The place of the ticket among those of its draw, from 0, and how many these are; null until betting is closed. */
    index: z.nullable(z.number()),
    size: z.nullable(z.number()),
    /** The nodes beside the way from the digest up to the root, the lowest first. */
    path: z.nullable(z.array(z.string())),
  }),
  errors: ['NOT_FOUND'],
});
