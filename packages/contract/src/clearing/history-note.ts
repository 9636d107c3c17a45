import * as z from 'zod/mini';

/** Sentence about cleared history in the requested period. Null: none. */
export const clearedNote = { cleared: z.nullable(z.string()) };
