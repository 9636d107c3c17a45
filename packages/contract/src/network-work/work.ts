import * as z from 'zod/mini';
import { time } from '../frame/primitives.ts';

/** What can be done with a whole network, and how it is told of while it is done. */
export const WORK_KINDS = {
  backup: 'A backup is being made',
  check: 'A backup is being checked',
  restore: 'A backup is being restored',
  drill: 'A backup is being tried',
  undo: 'A restore is being undone',
  move: 'The network is being moved here',
  transfer: 'A backup is being transferred',
  deletion: 'A backup is being deleted',
  clearing: 'History is being cleared',
} as const;
/** The name of one kind of work: a key of {@link WORK_KINDS}. */
export type WorkKind = keyof typeof WORK_KINDS;

/** The latest work on a network. */
export const networkWork = z.object({
  kind: z.enum(Object.keys(WORK_KINDS) as WorkKind[]),
  /** The username of whoever asked for it, or the command that did. */
  by: z.string(),
  startedAt: time,
  /** Null while it is under way. */
  finishedAt: z.nullable(time),
  /** What is done now, in a few words. */
  step: z.string(),
  /** How much of `total` is done; of nothing that is counted elsewhere. A total of 0: nobody knows yet. */
  done: z.number(),
  total: z.number(),
  /** Why it came to nothing, as a sentence; null where it did not. */
  failure: z.nullable(z.string()),
  /** What the call that began it was answered, its message among it; null while it is under way. */
  answer: z.unknown(),
});
/** The latest work on a network. */
export type NetworkWorkState = z.infer<typeof networkWork>;
