import type { Activity } from '@drawhouse/contract/activity';
import { sql } from 'kysely';
import { dayOf } from '../clock.ts';
import { allOf } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { leastIdAt } from '../db/uuid7.ts';
import { authority } from '../lists/source.ts';
import type { Described } from '../lists/source.ts';
import { logBelow, openingsBelow } from './log-below.ts';
import type { Author } from './run-command.ts';

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

/** The times that a query narrows the log by: a day of the server's, and instants. */
interface Times {
  readonly date?: string | undefined;
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

/** What a query asks of the log. */
interface Wanted extends Times {
  readonly kind?: 'openings' | undefined;
}

const DAY_MS = 86_400_000;

/**
 * Between which ids the rows of a time are, so that they are found by key. A row's id is made after its time, and before the clock could have
 * been put back by a day; a day of the server's begins and ends within a day of that of UTC.
 */
function idsWithin({ date, startDate, endDate }: Times): Sql[] {
  const from = [date && Date.parse(date) - DAY_MS, startDate && Date.parse(startDate)];
  const to = [date && Date.parse(date) + 3 * DAY_MS, endDate && Date.parse(endDate) + DAY_MS];
  const known = (ms: number | string | undefined): ms is number => typeof ms === 'number';
  return [
    ...from.filter(known).map((ms) => sql`l.id >= ${leastIdAt(new Date(ms))}`),
    ...to.filter(known).map((ms) => sql`l.id < ${leastIdAt(new Date(ms))}`),
  ];
}

/** Where the rows of a list of the log come from: the log as the caller sees it, or of that what one account did. */
export function logSource(
  { actor, query, timeZone }: { actor: Author; query: Wanted; timeZone: string },
  accountId?: string,
) {
  const date = query.date === undefined ? undefined : dayOf(query.date, timeZone);
  return {
    from: sql`activity l`,
    authority:
      accountId === undefined
        ? query.kind === 'openings'
          ? openingsBelow(actor)
          : logBelow(actor)
        : authority(sql`l.account_id = ${accountId} and l.chain @> array[${actor.id}]::uuid[]`),
    looksThrough: true as const,
    // A `date` is a day of the server's time zone, or the one at an instant.
    where: allOf([
      ...idsWithin({ ...query, date }),
      ...(date === undefined
        ? []
        : [
            sql`l.at >= ${date}::date::timestamp at time zone ${timeZone} and l.at < (${date}::date + 1)::timestamp at time zone ${timeZone}`,
          ]),
    ]),
    isNarrowed: date !== undefined || query.kind !== undefined,
    of: (): Described => ({
      ...(date !== undefined && { Interval: `${date} of ${timeZone}` }),
      ...(query.kind === 'openings' && { Entries: 'Draws that opened' }),
    }),
    // Ids sort by the time at which they were made.
    key: sql`l.id`,
    select: LOG_ROW,
    filters: { date: sql`l.at` },
    search: (pattern: string) =>
      sql`(l.username ilike ${pattern} or l.subject ilike ${pattern} or l.ip ilike ${pattern} or l.url ilike ${pattern}
        or l.method ilike ${pattern})`,
    toRow: toActivity,
  };
}
