import * as z from 'zod/mini';
import { points, refusal, requiredText, success } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';
import { sealNote } from '../seals/seal-note.ts';
import { BULK_LIMITS } from './ticket-limits.ts';
import { betAsked, ticket } from './tickets.ts';

/** API key callers name the player. Players omit it. */
const betAmongMany = z.object({
  ...betAsked.shape,
  /** Unique id, as `U4K2M9P`. */
  player: z.optional(requiredText('Give the unique id of a player', 16)),
});
export type BetAmongMany = z.infer<typeof betAmongMany>;

/** Same as the answer of `POST app/bet`. `retryAfter` in seconds. */
export const betReply = z.union([
  z.object({ success: z.literal(true), ticket, walletBalance: points }),
  z.object({ ...refusal.shape, retryAfter: z.optional(z.number()) }),
]);
export type BetReply = z.infer<typeof betReply>;

export const placeBets = route({
  method: 'POST',
  path: 'app/bets',
  summary: `Takes up to ${BULK_LIMITS.bets} tickets, each by itself as app/bet does, and answers for each in the order asked once all have their answers. With an API key each names its \`player\` by the unique id; without one all are one's own, and name nobody.`,
  access: ['user'],
  apiKeys: true,
  sensitive: false,
  body: z.object({
    bets: z.array(betAmongMany, { error: 'Bets is a list of tickets' }).check(
      z.minLength(1, { error: 'Ask for at least one ticket' }),
      z.maxLength(BULK_LIMITS.bets, { error: `Ask for at most ${BULK_LIMITS.bets} tickets at once` }),
      z.refine((bets) => bets.reduce((sum, { lines }) => sum + lines.length, 0) <= BULK_LIMITS.lines, {
        error: `Lay at most ${BULK_LIMITS.lines} bets at once, on all tickets together`,
      }),
    ),
  }),
  bodyLimit: BULK_LIMITS.bytes,
  response: z.object({ ...success, answers: z.array(betReply), seal: sealNote }),
});
