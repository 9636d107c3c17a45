import * as z from 'zod/mini';
import { dailyLimit } from './accounts.ts';
import { BULK_BODY_BYTES, bulkRows, done, id, STAFF_ROLES } from '../core/primitives.ts';
import { route } from '../core/route.ts';

/** All or nothing. `changed` counts accounts that were different before. */
export const bulkAnswer = z.object({ ...done.shape, changed: z.number() });

export const bulkIds = bulkRows(id, (each) => each);

export const bulkStatus = route({
  method: 'POST',
  path: 'accounts/bulk-status',
  summary: 'Activates or deactivates up to 500 accounts below the caller: all or nothing. An error names the row.',
  access: STAFF_ROLES,
  sensitive: 'elevation',
  bodyLimit: BULK_BODY_BYTES,
  body: z.object({
    ids: bulkIds,
    action: z.enum(['activate', 'deactivate'], { error: 'The action must be activate or deactivate' }),
  }),
  response: bulkAnswer,
  errors: ['NOT_FOUND'],
});

export const bulkDailyLimit = route({
  method: 'POST',
  path: 'accounts/bulk-daily-limit',
  summary: 'Sets the daily limit of up to 500 staff accounts below the caller, or removes it: all or nothing.',
  access: STAFF_ROLES,
  sensitive: 'elevation',
  bodyLimit: BULK_BODY_BYTES,
  body: z.object({ ids: bulkIds, dailyLimit }),
  response: bulkAnswer,
  errors: ['NOT_FOUND'],
});
