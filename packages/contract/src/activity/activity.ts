import * as z from 'zod/mini';
import { clearedNote } from '../clearing/history-note.ts';
import { list } from '../frame/list.ts';
import { byId, choice, onDay } from '../frame/list-filters.ts';
import { ownAccount, ownId } from '../frame/caller.ts';
import { dayOrInstant, id, requiredText, STAFF_ROLES, success, time } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';

/**
 * Beside the rows of a list that is looked through for a search: the time of the row up to which that came in its time, or null where it
 * came to the end. What matches beyond is on the next page, which goes on from there.
 */
const searchedTo = { searchedTo: z.nullable(time) };

/** One row of the activity log. */
export const activity = z.object({
  _id: id,
  /** Who did it; null where nobody did, or whoever tried a name that nobody has. */
  accountId: z.nullable(id),
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

/** What stands in front of what a client has noted by itself, so that nobody takes it for what the server saw. */
export const NOTED = 'Noted: ';

/**
 * What a row of the log may be about, in words. Rows of draws that opened are more than all others: they stand in no list but under that
 * action, to an admin those of its network, to a superadmin those of all its networks, to others none.
 */
export const ACTIONS = {
  session: 'Signing in and out',
  accounts: 'Accounts',
  credit: 'Credit and commission',
  draws: 'Draws and tables',
  openings: 'Draws that opened',
  games: 'Games, percentages, limits',
  backups: 'Backups and clearing',
  noted: 'Noted by a client',
} as const;
/** What a row of the log may be about. */
export type ActionKind = keyof typeof ACTIONS;

/**
 * By which paths of calls an action is known, as regular expressions of both JavaScript and PostgreSQL: the first that fits says it. What
 * the product does by itself has no path, and is about draws; what is left is about accounts.
 */
export const ACTION_PATHS: Readonly<Record<Exclude<ActionKind, 'noted' | 'accounts' | 'openings'>, string>> = {
  session: '^/api/auth/(log|sign|session)|/logout$|/chnagepassword$',
  credit: '/credit-(adjust|transfer)$|^/api/credit/|^/api/app/claim$',
  draws: '^$|^/api/live/',
  games: '^/api/(game|time|percentage|limits)(/|$)',
  backups: '^/api/backup/',
};

const LOG = {
  query: {
    /** A day of the server's time zone, or the one at an instant. Whoever means a day of its own says which instants that is. */
    date: z.optional(dayOrInstant),
  },
  row: activity,
  columns: [
    { name: 'username', kind: 'text', header: 'Username', width: 120, export: { width: 30 } },
    { name: 'subject', kind: 'text', header: 'Subject', width: 224, export: { width: 60 } },
    { name: 'requestUrl', kind: 'text', header: 'URL', width: 150, yields: 2, export: { width: 40 } },
    { name: 'method', kind: 'text', header: 'Method', width: 80, yields: 2, export: { width: 10 } },
    { name: 'ipAddress', kind: 'code', header: 'IP Address', width: 128, yields: 1, export: { width: 20 } },
    { name: 'createdAt', kind: 'time', header: 'Created At', width: 160, sort: true, export: { width: 22 } },
  ],
  filters: [
    onDay('date', 'Date', ['startDate', 'endDate']),
    choice('action', 'Action', ACTIONS),
    byId('accountId', 'Person'),
  ],
  search: 'Search',
  order: '-createdAt',
  paging: 'keyset',
  countUpTo: 10_000,
  extra: { ...searchedTo, ...clearedNote },
} as const;

/** `GET logs`: what the caller and the accounts below it did, newest first unless sorted otherwise. */
export const activityLog = list({
  ...LOG,
  path: 'logs',
  summary: 'What the caller and the accounts below it did, newest first unless sorted otherwise.',
  access: STAFF_ROLES,
  file: { name: 'logs', sheet: 'Logs', numbered: true },
});

/** `GET logs/activityLogs`: the same by its older path. */
export const olderActivityLog = list({
  ...LOG,
  path: 'logs/activityLogs',
  summary: 'What the caller and the accounts below it did, for the oldest clients.',
  access: STAFF_ROLES,
});

/** `GET logs/:userId`: what one account did that is the caller or below it. */
export const accountLog = list({
  ...LOG,
  path: 'logs/:userId',
  summary: 'What one account did, the caller or one below it; newest first unless sorted otherwise.',
  access: STAFF_ROLES,
  params: { userId: id },
  errors: ['NOT_FOUND'],
});

/** `GET logs/getUserLogById/:id`: one row of the log, with what was before and what was then. */
export const logEntry = route({
  method: 'GET',
  path: 'logs/getUserLogById/:id',
  summary: 'One row of the log, with what was before and what was then.',
  access: STAFF_ROLES,
  params: { id },
  response: z.object({ ...success, data: z.extend(activity, { changes: z.array(change) }) }),
  errors: ['NOT_FOUND'],
});

/** `POST logs/logUserActivity`: a client notes what its user did. The server says itself who that is, from where, and when. */
export const logUserActivity = route({
  method: 'POST',
  path: 'logs/logUserActivity',
  summary: 'Notes in the log what the caller did, in the words of its client.',
  access: 'session',
  sensitive: false,
  body: z.object({
    subject: requiredText('Say in subject what was done'),
    requestUrl: z.optional(z.string().check(z.maxLength(500, { error: 'Use at most 500 characters' }))),
    method: z.optional(z.string().check(z.regex(/^[A-Za-z]{1,10}$/, { error: 'Give a method of HTTP, such as GET' }))),
    userId: ownId,
    username: ownAccount,
  }),
  status: 201,
  response: z.object({ ...success, data: activity }),
  errors: ['IDENTITY_MISMATCH'],
});
