import type { Activity } from '@drawhouse/contract/activity';
import { sql } from 'kysely';
import type { Sql } from '../db/sql.ts';
import { authority } from '../lists/source.ts';
import type { Asking } from '../lists/source.ts';
import { logBelow } from './log-below.ts';

/** A row of the log as it is read. */
export interface LogRow {
  id: string;
  username: string;
  subject: string;
  url: string;
  method: string;
  ip: string;
  at: Date;
}

/** The columns of {@link LogRow} for a log called `l`. */
export const LOG_ROW: Sql = sql`l.id, l.username, l.subject, l.url, l.method, l.ip, l.at`;

/** A row of the log on the wire. */
export function toActivity({ id, username, subject, url, method, ip, at }: LogRow): Activity {
  return { _id: id, username, subject, requestUrl: url, method, ipAddress: ip, createdAt: at.toISOString() };
}

/** Where the rows of a list of the log come from: the log as the caller sees it, or of that what one account did. */
export function logSource(
  { actor, query, timeZone }: { actor: Asking; query: { readonly date?: string | undefined }; timeZone: string },
  accountId?: string,
) {
  return {
    ...(accountId === undefined
      ? { from: sql`${logBelow(actor)} l`, authority: authority(sql`true`) }
      : {
          from: sql`activity l`,
          authority: authority(sql`l.account_id = ${accountId} and l.chain @> array[${actor.id}]::uuid[]`),
        }),
    // A `date` is a day of the server's time zone.
    ...(query.date !== undefined && {
      where: sql`l.at >= ${query.date}::date::timestamp at time zone ${timeZone} and l.at < (${query.date}::date + 1)::timestamp at time zone ${timeZone}`,
    }),
    isNarrowed: query.date !== undefined,
    // Ids sort by the time at which they were made.
    key: sql`l.id`,
    select: LOG_ROW,
    filters: { date: sql`l.at` },
    search: (pattern: string) =>
      sql`(l.username ilike ${pattern} or l.subject ilike ${pattern} or l.ip ilike ${pattern})`,
    toRow: toActivity,
  };
}
