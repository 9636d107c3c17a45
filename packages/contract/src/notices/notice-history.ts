import * as z from 'zod/mini';
import { list, type ObjectRef } from '../core/list.ts';
import { id, time } from '../core/primitives.ts';
import { noticeCode } from './notices.ts';
import { NOTICE_FIELD_TEXTS } from './notice-texts.ts';

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
    { name: 'detail', kind: 'text', header: 'Details', width: 260, grows: true, yields: 2, export: { width: 60 } },
    { name: 'markedAt', kind: 'time', header: 'Marked', width: 150, yields: 3, export: { width: 22 } },
  ],
  search: NOTICE_FIELD_TEXTS.search,
  order: '-since',
  file: { name: 'NoticeHistory', sheet: 'Notices', numbered: true },
});
