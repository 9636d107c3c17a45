import * as z from 'zod/mini';
import { integer, points, success, time } from '../core/primitives.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';
import { route } from '../core/route.ts';
import { sealNote } from '../seals/seals.ts';
import { TICKET_LIMITS } from './ticket-limits.ts';
import { TICKET_FIELD_TEXTS } from './ticket-texts.ts';
import { betRequest, ticket } from './tickets.ts';

const FIRST_NUMBER = 197_001_010_000;
const LAST_NUMBER = 999_912_312_359;

export const MOST_AHEAD = 7;
/** Enough for seven weekly draws. A ticket is still in its player's lists (`TICKETS_SHOWN_DAYS`) weeks after its draw. */
export const MOST_AHEAD_DAYS = 60;

export const comingDraws = route({
  method: 'GET',
  path: 'app/coming',
  summary:
    `Up to ${MOST_AHEAD} draws after the running one that can be bought ahead, at most ${MOST_AHEAD_DAYS} days. Empty for games ` +
    'without a schedule.',
  access: ['user'],
  query: z.object({ gameId: betRequest.shape.gameId }),
  response: z.object({
    ...success,
    /** `number`: date and clock time, as 202601311300. */
    data: z.array(z.object({ number: z.number(), opensAt: time, closesAt: time, drawsAt: time })),
  }),
  errors: ['GAME_UNAVAILABLE'],
});

const aheadRequest = z.object({
  gameId: betRequest.shape.gameId,
  requestId: betRequest.shape.requestId,
  draws: z
    .array(integer(FIRST_NUMBER, LAST_NUMBER, TICKET_FIELD_TEXTS.wrongDraws), { error: TICKET_FIELD_TEXTS.wrongDraws })
    .check(
      z.minLength(1, { error: TICKET_FIELD_TEXTS.fewDraws }),
      z.maxLength(MOST_AHEAD, { error: CORE_TEXTS.tooMany(MOST_AHEAD) }),
      z.refine((draws) => new Set(draws).size === draws.length, { error: TICKET_FIELD_TEXTS.drawTwice }),
    ),
  lines: betRequest.shape.lines,
});
export type AdvanceRequest = z.output<typeof aheadRequest>;

/** Repeating `requestId` returns the first tickets. */
export const placeAhead = route({
  method: 'POST',
  path: 'app/ahead',
  summary:
    `Buys the same ticket for up to ${MOST_AHEAD} coming draws of a schedule: all or none, one ticket per draw. The first ` +
    'such ticket opens its draw, which fixes its terms.',
  access: ['user'],
  sensitive: false,
  body: aheadRequest,
  bodyLimit: 200 * TICKET_LIMITS.lines + 1024,
  status: 201,
  response: z.object({ ...success, tickets: z.array(ticket), walletBalance: points, seal: sealNote }),
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
