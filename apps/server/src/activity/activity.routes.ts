import {
  accountLog,
  activityLog,
  logEntry,
  logUserActivity,
  olderActivityLog,
} from '@drawhouse/contract/activity/activity';
import type { Services } from '../services.ts';
import { CallError } from '../http/http-errors.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import { serveList } from '../lists/serve-list.ts';
import type { ListRequest } from '../lists/list-source.ts';
import { logSource } from './log-source.ts';
import { noteActivity } from './note-activity.ts';
import { readEntry } from './read-entry.ts';
import { sql } from '../db/sql.ts';
import type { Author } from './run-command.ts';

/** The routes of the activity log. */
export function activityRoutes(services: Services): BoundRoute<Author>[] {
  return [
    ...serveList(services, activityLog, (request: ListRequest<typeof activityLog, Author>) => logSource(request)),
    ...serveList(services, olderActivityLog, (request: ListRequest<typeof olderActivityLog, Author>) =>
      logSource(request),
    ),
    ...serveList(services, accountLog, async (request: ListRequest<typeof accountLog, Author>) => {
      const { userId } = request.params;
      const [account] = await request.on.query(
        sql`select from accounts where id = ${userId} and chain @> array[${request.actor.id}]::uuid[]`,
      );
      if (!account) throw new CallError('NOT_FOUND', { fields: { userId: 'Choose yourself or an account below you' } });
      return logSource(request, userId);
    }),
    handle(logEntry, async ({ params }, { actor }) => ({ data: await readEntry(services.db, actor, params.id) })),
    handle(logUserActivity, async ({ body }, call) => ({
      message: 'Noted.',
      data: await noteActivity(services, call, body),
    })),
  ];
}
