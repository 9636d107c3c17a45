import * as z from 'zod/mini';
import { id, points, requiredText } from '../frame/primitives.ts';

export const gamePair = { gameId: requiredText('Game is required', 64), adminId: id };

export const RESULT_MODES = ['open', 'two-person', 'generated'] as const;

/** In points. Null: unlimited. */
export const limits = z.object({
  /** On one bet of one draw, all players together. */
  perNumber: z.nullable(points),
  perTicket: z.nullable(points),
  /** One player on one draw. */
  perPlayer: z.nullable(points),
});
export type Limits = z.infer<typeof limits>;
