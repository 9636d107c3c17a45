import * as z from 'zod/mini';
import { done, exactPoints, points, STAFF_ROLES, success, time } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { noticeKey } from './notices.ts';
import { NOTICE_FIELD_TEXTS } from './notice-texts.ts';

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
  summary:
    "Thresholds of notices for the caller's network: the least balance of a table, and the highest payout of a draw.",
  access: ['admin'],
  permission: 'settings',
  response: z.object({ ...success, tableBelow: threshold, worstAbove: threshold }),
});

const settable = z.nullable(exactPoints(NOTICE_FIELD_TEXTS.wrongThreshold));

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
