import * as z from 'zod/mini';
import { time } from '../core/primitives.ts';
import { WORK_KINDS, type WorkKind } from './network-work-texts.ts';

export const networkWork = z.object({
  kind: z.enum(Object.keys(WORK_KINDS) as WorkKind[]),
  by: z.string(),
  startedAt: time,
  finishedAt: z.nullable(time),
  step: z.string(),
  /** Progress toward `total`, unless counted elsewhere. A total of 0 means unknown. */
  done: z.number(),
  total: z.number(),
  failure: z.nullable(z.string()),
  /** Answer of the starting call. Null while running. */
  answer: z.unknown(),
});
export type NetworkWorkState = z.infer<typeof networkWork>;
