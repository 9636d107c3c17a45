import * as z from 'zod/mini';
import { points, refusal, requiredText, success } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { sealNote } from '../seals/seals.ts';
import { BULK_LIMITS } from './ticket-limits.ts';
import { betRequest, ticket } from './tickets.ts';
import { TICKET_FIELD_TEXTS } from './ticket-texts.ts';

/** API keys name the player. Players omit it. */
const bulkBet = z.object({
  ...betRequest.shape,
  /** Unique id, as `U4K2M9P`. */
  player: z.optional(requiredText(TICKET_FIELD_TEXTS.playerMissing, 16)),
});
export type BetAmongMany = z.infer<typeof bulkBet>;

/** Answers as `POST app/bet` does. `retryAfter` in seconds. */
export const betReply = z.union([
  z.object({ success: z.literal(true), ticket, walletBalance: points }),
  z.object({ ...refusal.shape, retryAfter: z.optional(z.number()) }),
]);
export type BetReply = z.infer<typeof betReply>;

export const placeBets = route({
  method: 'POST',
  path: 'app/bets',
  summary:
    `Places up to ${BULK_LIMITS.bets} tickets, each on its own as app/bet does, and returns one outcome per ticket, ` +
    "in the same order. With an API key each names its `player` by the unique id; without one all are the caller's " +
    'own and name no player.',
  access: ['user'],
  apiKeys: true,
  sensitive: false,
  body: z.object({
    bets: z.array(bulkBet, { error: TICKET_FIELD_TEXTS.noBets }).check(
      z.minLength(1, { error: TICKET_FIELD_TEXTS.fewBets }),
      z.maxLength(BULK_LIMITS.bets, { error: TICKET_FIELD_TEXTS.manyBets(BULK_LIMITS.bets) }),
      z.refine((bets) => bets.reduce((sum, { lines }) => sum + lines.length, 0) <= BULK_LIMITS.lines, {
        error: TICKET_FIELD_TEXTS.manyLines(BULK_LIMITS.lines),
      }),
    ),
  }),
  bodyLimit: BULK_LIMITS.bytes,
  response: z.object({ ...success, answers: z.array(betReply), seal: sealNote }),
});
