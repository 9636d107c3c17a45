import * as z from 'zod/mini';
import { id, points, requiredText } from '../frame/primitives.ts';

/** By which a call names one game of one admin. */
export const gamePair = { gameId: requiredText('Game is required', 64), adminId: id };

/** How results of a game may come about: declared by one person, by two, or only generated. */
export const RESULT_MODES = ['open', 'two-person', 'generated'] as const;

/** The limits that hold, in points; null where there is none. */
export const limits = z.object({
  /** The most on one bet of one draw, all players together. */
  perNumber: z.nullable(points),
  perTicket: z.nullable(points),
  /** The most of one player on one draw. */
  perPlayer: z.nullable(points),
});
/** The limits of a game of an admin, in points; null where there is none. */
export type Limits = z.infer<typeof limits>;
