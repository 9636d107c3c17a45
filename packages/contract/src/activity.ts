import * as z from 'zod/mini';
import { day, id, listQuery, success, time } from './primitives.ts';
import { route } from './route.ts';

/** One row of the activity log. */
export const activity = z.object({
  _id: id,
  username: z.string(),
  subject: z.string(),
  requestUrl: z.string(),
  method: z.string(),
  ipAddress: z.string(),
  createdAt: time,
});
/** One row of the activity log. */
export type Activity = z.infer<typeof activity>;

/** `GET logs`: what the caller and the accounts below it did, newest first. */
export const listActivity = route({
  method: 'GET',
  path: 'logs',
  summary: 'What the caller and the accounts below it did, newest first.',
  access: ['superadmin', 'admin', 'superdistributor', 'distributor', 'retailer'],
  query: z.object({ ...listQuery, date: z.optional(day) }),
  response: z.object({ ...success, data: z.array(activity), total: z.number() }),
});
