import * as z from 'zod/mini';
import { done, id, success, time } from '../core/primitives.ts';
import { route } from '../core/route.ts';

/** `device`: a sign-in from a new device and address. */
export const OWN_NOTICES = ['device', 'password', 'factor', 'commission', 'rights'] as const;

const ownNotice = z.object({
  _id: id,
  kind: z.enum(OWN_NOTICES),
  by: z.string(),
  subject: z.string(),
  /** Null for actions of others. */
  ipAddress: z.nullable(z.string()),
  createdAt: time,
  isRead: z.boolean(),
});
export type OwnNotice = z.infer<typeof ownNotice>;

export const ownNotices = route({
  method: 'GET',
  path: 'auth/notices',
  summary:
    'What happened to one’s own login in 30 days, newest first: sign-ins from new devices, and changes of password, second ' +
    'factors, commission and rights.',
  access: 'session',
  permission: null,
  response: z.object({ ...success, data: z.array(ownNotice) }),
});

export const markOwnNotices = route({
  method: 'POST',
  path: 'auth/notices/read',
  sensitive: false,
  summary: 'Marks one’s own notices up to a time as read.',
  access: 'session',
  permission: null,
  body: z.object({ until: time }),
  response: done,
});
