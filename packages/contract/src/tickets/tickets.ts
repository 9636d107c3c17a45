import * as z from 'zod/mini';
import { correction, DRAW_STATUS, RESULT_SOURCE, resultData } from '../draws/draws.ts';
import { id, points, requiredText, success, time, wholeNumber } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { sealNote } from '../seals/seals.ts';
import { TICKET_LIMITS } from './ticket-limits.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';
import { TICKET_FIELD_TEXTS } from './ticket-texts.ts';

export const ticketLine = z.object({
  drawno: z.string(),
  head: z.optional(z.string()),
  series: z.optional(z.string()),
  subseries: z.optional(z.string()),
  qty: z.number(),
});

/** Chosen by the client, unique per player. */
export const requestId = requiredText(TICKET_FIELD_TEXTS.requestMissing, 64);

export const betLine = z.object({
  drawno: z.union([z.string().check(z.maxLength(20, { error: CORE_TEXTS.tooLong(20) })), z.number()], {
    error: TICKET_FIELD_TEXTS.drawNumberMissing,
  }),
  head: z.optional(z.string().check(z.maxLength(32, { error: CORE_TEXTS.tooLong(32) }))),
  series: z.optional(z.string().check(z.maxLength(32, { error: CORE_TEXTS.tooLong(32) }))),
  subseries: z.optional(z.string().check(z.maxLength(32, { error: CORE_TEXTS.tooLong(32) }))),
  qty: z.number({ error: CORE_TEXTS.wholeNumber(1, TICKET_LIMITS.qty) }).check(
    z.refine((qty) => Number.isInteger(qty) && qty >= 1 && qty <= TICKET_LIMITS.qty, {
      error: CORE_TEXTS.wholeNumber(1, TICKET_LIMITS.qty),
    }),
  ),
});

export const betRequest = z.object({
  gameId: requiredText(CORE_TEXTS.gameMissing, 64),
  drawId: z.optional(id),
  requestId,
  lines: z
    .array(betLine, { error: TICKET_FIELD_TEXTS.noLines })
    .check(
      z.minLength(1, { error: TICKET_FIELD_TEXTS.fewLines }),
      z.maxLength(TICKET_LIMITS.lines, { error: TICKET_FIELD_TEXTS.tooManyLines(TICKET_LIMITS.lines) }),
    ),
});
export type BetRequest = z.infer<typeof betRequest>;

export const ticket = z.object({
  _id: id,
  ticketId: z.string(),
  drawId: id,
  gameId: z.string(),
  lines: z.array(ticketLine),
  playpoints: points,
  winpoints: z.nullable(points),
  /** `void`: stake returned. `undone`: reverted by a restore; shows the former state and no longer counts. */
  status: z.enum(['open', 'settled', 'void', 'undone']),
  undoneAt: z.nullable(time),
  placedAt: time,
  /** Payout at settlement or claim. Null: no win, or unclaimed. */
  claimedAt: z.nullable(time),
  /** 64 hex digits covering the whole ticket. Joins the draw's tree after betting closes. */
  digest: z.string(),
});
export type Ticket = z.infer<typeof ticket>;

export function placedText({ status }: Pick<Ticket, 'status'>): string {
  return status === 'undone' ? TICKET_FIELD_TEXTS.undone : TICKET_FIELD_TEXTS.placed;
}

/** Repeating `requestId` returns the first ticket. */
export const placeBet = route({
  method: 'POST',
  path: 'app/bet',
  summary: 'Places one ticket, all lines or none, and answers once it is durable.',
  access: ['user'],
  sensitive: false,
  body: betRequest,
  // Each line with every field at its longest.
  /** Bytes per line with every field at its longest. */
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
    'SELLING_STOPPED',
    'ACCOUNT_INACTIVE',
    'IDEMPOTENCY_CONFLICT',
  ],
});

/** Waits for pending bets of this player, so NOT_PLACED is final after the draw's close. */
export const betOfRequest = route({
  method: 'GET',
  path: 'app/bet/:requestId',
  summary:
    "The ticket that the caller's own request placed, for clients that got no answer. NOT_PLACED is final once " +
    'betting on the draw of the bet has closed.',
  access: ['user'],
  params: { requestId },
  response: z.object({ ...success, ticket, seal: sealNote }),
  errors: ['NOT_PLACED', 'NOT_FOUND'],
});

/** Ticket id, or number in Crockford base 32: no U; I and L read as 1, O as 0. */
const TICKET_NAME = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-tv-z]{4}(?:-[0-9a-tv-z]{4}){2})$/i;
export const ticketName = requiredText(TICKET_FIELD_TEXTS.ticketMissing, 36).check(
  z.regex(TICKET_NAME, { error: TICKET_FIELD_TEXTS.wrongTicket }),
);

export const claimWin = route({
  method: 'POST',
  path: 'app/claim',
  summary: "Claims the win of one of the player's tickets, by its id or number, in games with manual claims.",
  access: ['user'],
  sensitive: false,
  body: z.object({ ticketId: ticketName }),
  response: z.object({ ...success, ticket, walletBalance: points }),
  errors: ['NOT_FOUND', 'DRAW_STATE', 'ALREADY_CLAIMED', 'RULE_REFUSED', 'ACCOUNT_INACTIVE'],
});

export const TICKETS_SHOWN_DAYS = 92;

export const ticketDraw = z.object({
  number: z.number(),
  drawsAt: time,
  outside: z.nullable(z.string()),
  /** Of the draw's result. */
  correctedAt: z.nullable(time),
  status: z.enum(DRAW_STATUS),
  /** Result as text and as data. */
  drawno: z.nullable(z.string()),
  result: z.nullable(resultData),
  booster: z.nullable(z.number()),
  source: z.nullable(z.enum(RESULT_SOURCE)),
  endedAt: z.nullable(time),
});

export const playerTicket = z.object({
  ...ticket.shape,
  gameName: z.string(),
  family: z.string(),
  digits: z.number(),
  draw: ticketDraw,
});
export type PlayerTicket = z.infer<typeof playerTicket>;

export const TICKET_STATUS = ['open', 'won', 'lost', 'void', 'undone'] as const;

/** `claims` selects tickets with unclaimed wins. */
export const playerTickets = route({
  method: 'GET',
  path: 'app/tickets',
  summary:
    "The player's tickets, newest first, of a game, a status or a period; claims=waiting keeps those with unclaimed wins.",
  access: ['user'],
  query: z.object({
    gameId: z.optional(z.string()),
    claims: z.optional(z.enum(['waiting'], { error: TICKET_FIELD_TEXTS.wrongClaims })),
    status: z.optional(z.enum(TICKET_STATUS, { error: CORE_TEXTS.oneOf('The status', TICKET_STATUS) })),
    /** Inclusive; at most {@link TICKETS_SHOWN_DAYS} days ago. */
    startDate: z.optional(time),
    endDate: z.optional(time),
    before: z.optional(id),
    page: z.optional(wholeNumber(1, 1_000_000)),
    pageSize: z.optional(wholeNumber(1, 500)),
  }),
  response: z.object({
    ...success,
    data: z.array(playerTicket),
    /** Omitted with `before`. */
    total: z.optional(z.number()),
    /** Null: no older tickets. */
    next: z.nullable(id),
  }),
});

export const ticketCorrection = z.object({
  ...correction.shape,
  reason: z.string(),
  /** By the corrected result. */
  win: points,
  /** Below zero: taken back. */
  moved: z.number(),
  /** In all. What exceeds `win` could not be taken back. */
  paid: points,
});
export type TicketCorrection = z.infer<typeof ticketCorrection>;

/** `win` is rounded down to hundredths. */
export const playedLine = z.object({ ...ticketLine.shape, stake: points, win: z.nullable(points) });

export const playerTicketOf = route({
  method: 'GET',
  path: 'app/ticket/:ticketId',
  summary:
    "One of the player's tickets, by its id or number: its lines with their wins, its draw, what it paid and when.",
  access: ['user'],
  params: { ticketId: ticketName },
  response: z.object({
    ...success,
    ticket: z.object({
      ...playerTicket.shape,
      lines: z.array(playedLine),
      unitPrice: points,
      pays: z.record(z.string(), z.number()),
      manualClaims: z.enum(['yes', 'no']),
      corrections: z.array(ticketCorrection),
      /** First print on any device. */
      firstPrintedAt: z.nullable(time),
    }),
    /** Covers tickets placed until some seconds ago. */
    seal: sealNote,
  }),
  errors: ['NOT_FOUND'],
});

/** See docs/fairness.md. */
export const fairTicket = route({
  method: 'GET',
  path: 'fair/ticket/:ticketId',
  summary:
    "The receipt of a ticket, by its id or number: what its digest covers and, once betting is closed, its path in the draw's ticket tree.",
  access: 'session',
  permission: null,
  params: { ticketId: ticketName },
  response: z.object({
    ...success,
    message: z.optional(z.string()),
    _id: id,
    ticketId: z.string(),
    drawId: id,
    gameId: z.string(),
    drawStatus: z.enum(DRAW_STATUS),
    undoneAt: z.nullable(time),
    /** In hundredths, as the digest covers it. */
    stake: z.string(),
    /** Bet key and quantity, in digest order. */
    lines: z.array(z.tuple([z.string(), z.number()])),
    digest: z.string(),
    /** Position by ticket id, from 0, and ticket count. Null until betting closes. */
    index: z.nullable(z.number()),
    size: z.nullable(z.number()),
    /** Nodes from leaf to root. */
    path: z.nullable(z.array(z.string())),
    root: z.nullable(z.string()),
    /** See docs/seals.md. Null until sealed. */
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

export const printTicket = route({
  method: 'POST',
  path: 'app/ticket/:ticketId/print',
  summary:
    "Records a print of one of the player's tickets, by its id or number, and says whether it is the original or a " +
    'copy, which must be marked.',
  access: ['user'],
  sensitive: false,
  params: { ticketId: ticketName },
  response: z.object({
    ...success,
    printedAt: time,
    /** Print time of the original, for copies. */
    originalAt: z.nullable(time),
  }),
  errors: ['NOT_FOUND'],
});

export const fairPaper = route({
  method: 'GET',
  path: 'fair/draw/:drawId/paper/:ticketId/:digest',
  inAnyCell: true,
  summary:
    'Whether a ticket with this number and receipt digest was in a draw; once betting is closed, with the path from ' +
    'the digest to the ticket root. Reveals nothing of its player or lines.',
  access: 'public',
  params: {
    drawId: id,
    ticketId: ticketName,
    digest: z
      .string({ error: TICKET_FIELD_TEXTS.digestMissing })
      .check(z.regex(/^[0-9a-fA-F]{64}$/, { error: TICKET_FIELD_TEXTS.wrongDigest })),
  },
  response: z.object({
    ...success,
    message: z.optional(z.string()),
    drawId: id,
    undoneAt: z.nullable(time),
    ticketId: z.string(),
    digest: z.string(),
    index: z.nullable(z.number()),
    size: z.nullable(z.number()),
    path: z.nullable(z.array(z.string())),
  }),
  errors: ['NOT_FOUND'],
});
