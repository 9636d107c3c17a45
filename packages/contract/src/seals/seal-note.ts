import * as z from 'zod/mini';

/**
 * Newest known checkpoint, a C2SP signed note. Kept copies later prove that the books only grew. Missing if sealing is
 * off; accompanying data may be some seconds newer.
 */
export const sealNote = z.optional(z.string());
