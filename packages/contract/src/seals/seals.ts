import * as z from 'zod/mini';
import { success, time } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';

/** A witness that the settings name: another party that keeps the newest checkpoint, and cosigns only what goes on from it. */
const sealWitness = z.object({
  name: z.string(),
  /** When its first and its last cosignature of this log were made; null where there is none. */
  since: z.nullable(time),
  last: z.nullable(time),
  /** How many records the largest tree that it cosigned has. */
  size: z.nullable(z.number()),
  /** Whether it has not cosigned what was sealed ten minutes ago or earlier. */
  isSilent: z.boolean(),
});

/** Of which log the seals are, how far it has come, and who vouches for it. */
const sealGrade = z.object({
  /** What the logs of this installation are called, and this one of them. */
  name: z.string(),
  origin: z.string(),
  /** The newest checkpoint, a signed note. */
  checkpoint: z.string(),
  /** How many records are sealed, and when the last of them was. */
  size: z.number(),
  sealedAt: time,
  /** When the first log of this installation was begun. */
  since: time,
  /** Whether this server was to seal, and could not: what is committed meanwhile is sealed later. */
  isStopped: z.boolean(),
  witnesses: z.array(sealWitness),
});
/** Of which log the seals are, how far it has come, and who vouches for it. */
export type SealGrade = z.infer<typeof sealGrade>;

/** `GET fair/seals`: by whom what is committed is sealed and witnessed. Public. */
export const fairSeals = route({
  method: 'GET',
  path: 'fair/seals',
  summary:
    'The log into which all that is committed is sealed, how far it has come, and its witnesses with when each cosigned first and last; null where nothing is sealed.',
  access: 'public',
  response: z.object({ ...success, seals: z.nullable(sealGrade) }),
});
