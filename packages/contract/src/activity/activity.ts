import * as z from 'zod/mini';
import { list, type ObjectRef } from '../core/list.ts';
import { idFilter, choiceFilter, onDay } from '../core/list-filters.ts';
import {
  ownAccount,
  ownId,
  clearedNote,
  dayOrInstant,
  id,
  requiredText,
  STAFF_ROLES,
  success,
  time,
} from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { CORE_TEXTS, ACTIVITY_FIELD_TEXTS } from '../core/field-texts.ts';

/** The next page continues here, since the search ran out of time. Null if it finished. */
const searchCursor = { searchedTo: z.nullable(time) };

export const activity = z.object({
  _id: id,
  /** Null for the system, and for sign-in attempts with unknown names. */
  accountId: z.nullable(id),
  username: z.string(),
  subject: z.string(),
  requestUrl: z.string(),
  method: z.string(),
  ipAddress: z.string(),
  createdAt: time,
  /** Main object of the action. Null if it has no page. */
  about: z.nullable(z.object({ kind: z.enum(['ticket', 'transaction', 'draw', 'account']), id: z.string() })),
});
export type Activity = z.infer<typeof activity>;

/** Null: no value. */
export const change = z.object({
  what: z.string(),
  of: z.optional(z.string()),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
});
export type Change = z.infer<typeof change>;

/** Marks entries reported by clients, not observed by the server. */
export const CLIENT_REPORT_PREFIX = 'Noted: ';

/** `openings` outnumber all others, so lists omit them unless requested. */
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
export type ActionKind = keyof typeof ACTIONS;

/**
 * Regular expressions over call paths, valid in JavaScript and PostgreSQL; the first match wins. Entries without a path
 * are the system's and concern draws. Unmatched paths concern accounts.
 */
export const ACTION_PATHS: Readonly<Record<Exclude<ActionKind, 'noted' | 'accounts' | 'openings'>, string>> = {
  session: '^/api/auth/(log|sign|session)|/logout$|/chnagepassword$',
  credit: '/credit-(adjust|transfer)$|^/api/(credit|weeks)/|^/api/app/claim$',
  draws: '^$|^/api/live/',
  games: '^/api/(game|time|schedule|closures|percentage|limits)(/|$)',
  backups: '^/api/backup/',
};

/** Most rows of a log. */
export const SIGN_IN_PATHS = '^/api/(auth/login|auth/logout|app/logout)$';

const LOG = {
  query: {
    /** A day in the server's time zone, or the day of an instant. Clients in other zones send instants. */
    date: z.optional(dayOrInstant),
  },
  row: activity,
  columns: [
    {
      name: 'username',
      kind: 'text',
      header: 'Username',
      width: 104,
      about: ({ accountId }: Activity): ObjectRef | null =>
        accountId === null ? null : { kind: 'account', id: accountId },
      export: { width: 30 },
    },
    {
      name: 'subject',
      kind: 'text',
      header: 'Subject',
      width: 216,
      grows: true,
      about: ({ about }: Activity): ObjectRef | null => about,
      export: { width: 60 },
    },
    { name: 'requestUrl', kind: 'text', header: 'URL', width: 240, yields: 2, export: { width: 40 } },
    { name: 'method', kind: 'text', header: 'Method', width: 80, yields: 2, export: { width: 10 } },
    { name: 'ipAddress', kind: 'code', header: 'IP Address', width: 128, yields: 1, export: { width: 20 } },
    {
      name: 'createdAt',
      kind: 'time',
      header: 'Created At',
      width: 180,
      yields: -1,
      sort: true,
      export: { width: 22 },
    },
  ],
  filters: [
    onDay('date', 'Date', ['startDate', 'endDate']),
    choiceFilter('action', 'Action', ACTIONS),
    idFilter('accountId', 'Person'),
    choiceFilter('signIns', 'Sign-ins', { hidden: 'Hidden' }),
  ],
  search: 'Search',
  order: '-createdAt',
  paging: 'keyset',
  countUpTo: 10_000,
  extra: { ...searchCursor, ...clearedNote },
} as const;

export const activityLog = list({
  ...LOG,
  path: 'logs',
  summary: 'Lists what the caller and the accounts below it did, newest first by default.',
  access: STAFF_ROLES,
  permission: 'reports',
  file: { name: 'logs', sheet: 'Logs', numbered: true },
});

export const olderActivityLog = list({
  ...LOG,
  path: 'logs/activityLogs',
  summary: 'Lists what the caller and the accounts below it did, for the oldest clients.',
  access: STAFF_ROLES,
  permission: 'reports',
});

export const accountLog = list({
  ...LOG,
  path: 'logs/:userId',
  summary: 'Lists what one account did, the caller or one below it; newest first by default.',
  access: STAFF_ROLES,
  permission: 'reports',
  params: { userId: id },
  errors: ['NOT_FOUND'],
});

export const logEntry = route({
  method: 'GET',
  path: 'logs/getUserLogById/:id',
  summary: 'One row of the log, with the values before and after.',
  access: STAFF_ROLES,
  permission: 'reports',
  params: { id },
  response: z.object({ ...success, data: z.extend(activity, { changes: z.array(change) }) }),
  errors: ['NOT_FOUND'],
});

export const logUserActivity = route({
  method: 'POST',
  path: 'logs/logUserActivity',
  summary: 'Logs an action of the caller, as reported by its client.',
  access: 'session',
  permission: null,
  sensitive: false,
  body: z.object({
    subject: requiredText(ACTIVITY_FIELD_TEXTS.subjectMissing),
    requestUrl: z.optional(z.string().check(z.maxLength(500, { error: CORE_TEXTS.tooLong(500) }))),
    method: z.optional(z.string().check(z.regex(/^[A-Za-z]{1,10}$/, { error: ACTIVITY_FIELD_TEXTS.wrongMethod }))),
    userId: ownId,
    username: ownAccount,
  }),
  status: 201,
  response: z.object({ ...success, data: activity }),
  errors: ['IDENTITY_MISMATCH'],
});
