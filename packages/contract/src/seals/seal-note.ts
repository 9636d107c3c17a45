import * as z from 'zod/mini';

/**
 * The newest checkpoint of the seals that the server knows, a signed note of C2SP: whoever keeps it can show later whether the books went on from there. Left out
 * where nothing is sealed. What it comes with may be a few seconds younger than it.
 */
export const sealNote = z.optional(z.string());
