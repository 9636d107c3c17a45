import * as z from 'zod/mini';
import { time } from '../core/primitives.ts';

export const WORK_KINDS = {
  backup: 'A backup is being made',
  check: 'A backup is being checked',
  restore: 'A backup is being restored',
  drill: 'A backup is being tested',
  undo: 'A restore is being undone',
  move: 'The network is being moved here',
  transfer: 'A backup is being transferred',
  deletion: 'A backup is being deleted',
  clearing: 'History is being cleared',
} as const;
export type WorkKind = keyof typeof WORK_KINDS;

export const networkWork = z.object({
  kind: z.enum(Object.keys(WORK_KINDS) as WorkKind[]),
  by: z.string(),
  startedAt: time,
  /** Null while running. */
  finishedAt: z.nullable(time),
  step: z.string(),
  /** Progress toward `total`, unless counted elsewhere. A total of 0 means unknown. */
  done: z.number(),
  total: z.number(),
  failure: z.nullable(z.string()),
  /** Answer of the starting call, message included. Null while running. */
  answer: z.unknown(),
});
export type NetworkWorkState = z.infer<typeof networkWork>;
