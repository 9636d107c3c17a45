import * as z from 'zod/mini';

/** Beside the rows of a list of history: what of its time was cleared, as a sentence; null where nothing was. */
export const clearedNote = { cleared: z.nullable(z.string()) };
