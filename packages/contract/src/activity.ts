import * as z from 'zod/mini';
import { day, id, listQuery, openPeriod, periodInOrder, success, time } from './primitives.ts';
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

/** The orders of the log: by when it was written, oldest or newest first. */
const activitySort = z.enum(['createdAt', '-createdAt'], { error: 'Sort by createdAt or -createdAt' });

/** `GET logs`: what the caller and the accounts below it did, newest first unless sorted otherwise. */
export const listActivity = route({
  method: 'GET',
  path: 'logs',
  summary: 'What the caller and the accounts below it did, newest first unless sorted otherwise.',
  access: ['superadmin', 'admin', 'superdistributor', 'distributor', 'retailer'],
  query: z
    .object({
      ...listQuery,
      sort: z.optional(activitySort),
      /** A day of the server's time zone. Whoever means a day of its own says which instants that is. */
      date: z.optional(day),
      ...openPeriod,
    })
    .check(periodInOrder),
  response: z.object({ ...success, data: z.array(activity), total: z.number() }),
});
