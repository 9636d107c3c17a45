import * as z from 'zod/mini';
import { done, hundredthsOf, points, STAFF_ROLES, success, time, id } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { noticeKey, noticeCode } from './notices.ts';
import { NOTICE_FIELD_TEXTS } from './notice-texts.ts';
import { list, type ObjectRef } from '../core/list.ts';

export const markNotice = route({
  method: 'POST',
  path: 'notices/mark',
  sensitive: false,
  summary:
    'Acknowledges a current notice (`until` null) or snoozes it until a time. It stays in the list, marked, and ' +
    'comes back if it ends and begins again. Each account marks for itself.',
  access: STAFF_ROLES,
  permission: 'notices',
  body: z.object({ ...noticeKey, until: z.nullable(time) }),
  response: done,
  errors: ['NOT_FOUND'],
});

export const unmarkNotice = route({
  method: 'POST',
  path: 'notices/unmark',
  sensitive: false,
  summary: 'Takes back an acknowledgement or snooze.',
  access: STAFF_ROLES,
  permission: 'notices',
  body: z.object(noticeKey),
  response: done,
});

const threshold = z.nullable(points);

export const alertThresholds = route({
  method: 'GET',
  path: 'notices/thresholds',
  summary: "The balance below which a table of the caller's network is a notice, and the payout above which a draw is.",
  access: ['admin'],
  permission: 'settings',
  response: z.object({ ...success, tableBelow: threshold, worstAbove: threshold }),
});

const settable = z.nullable(
  z
    .number({ error: NOTICE_FIELD_TEXTS.wrongThreshold })
    .check(z.refine((value) => hundredthsOf(value) !== null, { error: NOTICE_FIELD_TEXTS.wrongThreshold })),
);

export const setAlertThresholds = route({
  method: 'PUT',
  path: 'notices/thresholds',
  sensitive: false,
  summary: 'Sets both thresholds; null: no such notice.',
  access: ['admin'],
  permission: 'settings',
  body: z.object({ tableBelow: settable, worstAbove: settable }),
  response: z.object({ ...done.shape, tableBelow: threshold, worstAbove: threshold }),
});

export const NOTICE_HISTORY_DAYS = 90;

const noticeHistoryRow = z.object({
  id,
  code: noticeCode,
  title: z.string(),
  about: z.nullable(z.string()),
  /** Null for the installation. */
  adminId: z.nullable(id),
  table: z.nullable(z.object({ gameId: z.string(), username: z.string() })),
  detail: z.nullable(z.string()),
  since: time,
  endedAt: z.nullable(time),
  markedAt: z.nullable(time),
});

export function aboutObject({ adminId, table }: z.infer<typeof noticeHistoryRow>): ObjectRef | null {
  if (adminId === null) return null;
  return table
    ? { kind: 'game', id: table.gameId, adminId, username: table.username }
    : { kind: 'account', id: adminId, role: 'admin' };
}

export const noticeHistory = list({
  path: 'notices/history',
  summary:
    `Notices of the last ${NOTICE_HISTORY_DAYS} days, current ones included: when each began and ended, and when ` +
    'the caller acknowledged or snoozed it.',
  access: ['superadmin', 'admin'],
  permission: 'notices',
  row: noticeHistoryRow,
  columns: [
    { name: 'since', kind: 'time', header: 'Began', width: 150, sort: true, export: { width: 22 } },
    { name: 'endedAt', kind: 'time', header: 'Ended', width: 150, sort: true, yields: 1, export: { width: 22 } },
    { name: 'title', kind: 'text', header: 'Notice', width: 240, yields: -1, export: { width: 40 } },
    { name: 'about', kind: 'text', header: 'About', width: 180, about: aboutObject, export: { width: 30 } },
    { name: 'detail', kind: 'text', header: 'Details', width: 260, yields: 2, export: { width: 60 } },
    { name: 'markedAt', kind: 'time', header: 'Marked', width: 150, yields: 3, export: { width: 22 } },
  ],
  search: NOTICE_FIELD_TEXTS.search,
  order: '-since',
  file: { name: 'NoticeHistory', sheet: 'Notices', numbered: true },
});
