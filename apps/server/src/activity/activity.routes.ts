import { activityLog } from '@drawhouse/contract/activity';
import { sql } from 'kysely';
import type { Services } from '../db/services.ts';
import { serveList } from '../lists/serve-list.ts';
import { authority } from '../lists/source.ts';
import { logBelow } from './log-below.ts';
import type { BoundRoute } from '../http/handler.ts';
import type { Author } from './run-command.ts';

interface LogRow {
  id: string;
  username: string;
  subject: string;
  url: string;
  method: string;
  ip: string;
  at: Date;
}

/** The routes of the activity log. */
export function activityRoutes(services: Services): BoundRoute<Author>[] {
  return serveList(services, activityLog, ({ actor, query, timeZone }) => ({
    from: sql`${logBelow(actor)} l`,
    authority: authority(sql`true`),
    // A `date` is a day of the server's time zone.
    where:
      query.date === undefined
        ? undefined
        : sql`l.at >= ${query.date}::date::timestamp at time zone ${timeZone} and l.at < (${query.date}::date + 1)::timestamp at time zone ${timeZone}`,
    // Ids sort by the time at which they were made.
    isNarrowed: query.date !== undefined,
    key: sql`l.id`,
    select: sql`l.id, l.username, l.subject, l.url, l.method, l.ip, l.at`,
    filters: { date: sql`l.at` },
    search: (pattern) => sql`(l.username ilike ${pattern} or l.subject ilike ${pattern})`,
    toRow: (row: LogRow) => ({
      _id: row.id,
      username: row.username,
      subject: row.subject,
      requestUrl: row.url,
      method: row.method,
      ipAddress: row.ip,
      createdAt: row.at.toISOString(),
    }),
  }));
}
