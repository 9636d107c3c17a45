import * as z from 'zod/mini';
import { list } from './list.ts';
import { onDay } from './list-filters.ts';
import { day, id, STAFF_ROLES, time } from './primitives.ts';

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

/** One thing that a row of the log tells of, in words: what it was and what it is; null where there was none, or is none any more. */
export const change = z.object({
  what: z.string(),
  /** Whose it is, where the row tells of several things or accounts. */
  of: z.optional(z.string()),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
});
/** One thing that a row of the log tells of. */
export type Change = z.infer<typeof change>;

/** `GET logs`: what the caller and the accounts below it did, newest first unless sorted otherwise. */
export const activityLog = list({
  path: 'logs',
  summary: 'What the caller and the accounts below it did, newest first unless sorted otherwise.',
  access: STAFF_ROLES,
  query: {
    /** A day of the server's time zone. Whoever means a day of its own says which instants that is. */
    date: z.optional(day),
  },
  row: activity,
  columns: [
    { name: 'username', kind: 'text', header: 'Username', width: 130, priority: true, export: { width: 30 } },
    { name: 'subject', kind: 'text', header: 'Subject', width: 300, priority: true, export: { width: 60 } },
    { name: 'requestUrl', kind: 'text', header: 'URL', width: 150, yields: 2, export: { width: 40 } },
    { name: 'method', kind: 'text', header: 'Method', width: 80, yields: 2, export: { width: 10 } },
    { name: 'ipAddress', kind: 'code', header: 'IP Address', width: 128, yields: 1, export: { width: 20 } },
    { name: 'createdAt', kind: 'time', header: 'Created At', width: 160, sort: true, export: { width: 22 } },
  ],
  filters: [onDay('date', 'Date', ['startDate', 'endDate'])],
  search: 'Search',
  order: '-createdAt',
  file: { name: 'logs', sheet: 'Logs' },
});
