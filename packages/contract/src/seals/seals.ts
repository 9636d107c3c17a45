import * as z from 'zod/mini';
import { success, time } from '../core/primitives.ts';
import { route } from '../core/route.ts';

/** Keeps the newest checkpoint and cosigns only extensions of it. */
const sealWitness = z.object({
  name: z.string(),
  /** Time of the last cosignature. */
  last: z.nullable(time),
  /** A seal of ten minutes ago still lacks its cosignature. */
  isSilent: z.boolean(),
});

const sealGrade = z.object({
  size: z.number(),
  sealedAt: time,
  /** This server failed to seal. It will seal the backlog later. */
  isStopped: z.boolean(),
  witnesses: z.array(sealWitness),
});
export type SealGrade = z.infer<typeof sealGrade>;

export const fairSeals = route({
  method: 'GET',
  path: 'fair/seals',
  summary:
    'Size of the seal log, when it was last sealed, and its witnesses with their last co-signatures; null if nothing is sealed.',
  access: 'public',
  response: z.object({ ...success, seals: z.nullable(sealGrade) }),
});

/**
 * Newest known checkpoint, a C2SP signed note. Kept copies later prove that the books only grew. Missing if sealing is
 * off. Data beside it may be seconds newer.
 */
export const sealNote = z.optional(z.string());
