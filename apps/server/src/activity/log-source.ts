import { ACTION_PATHS, NOTED } from '@drawhouse/contract/activity/activity';
import type { ActionKind, Activity } from '@drawhouse/contract/activity/activity';
import type { ActivityRow } from '@drawhouse/rules/activity-row';
import { dayOf } from '@drawhouse/rules/zone-days';
import type { Queryable } from '../db/database.ts';
import { allOf, sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { leastIdAt } from '../db/uuid7.ts';
import type { Described } from '../lists/list-source.ts';
import { NOTHING, everBelow, narrowed } from '../predicate.ts';
import type { Predicate } from '../predicate.ts';
import { clearedNote } from './cleared-note.ts';
import { logBelow, ofNetworksOf, openingsBelow } from './log-below.ts';
import type { Author } from './run-command.ts';

/** A row of the log as it is read. */
export type LogRow = Omit<ActivityRow, 'seq' | 'detail'>;

/** The columns of {@link LogRow} for a log called `l`. */
export const LOG_ROW: Sql = sql`l.id, l.account_id, l.username, l.subject, l.url, l.method, l.ip, l.at`;

/** A row of the log on the wire. */
export function toActivity({ id, account_id, username, subject, url, method, ip, at }: LogRow): Activity {
  return {
    _id: id,
    accountId: account_id,
    username,
    subject,
    requestUrl: url,
    method,
    ipAddress: ip,
    createdAt: at.toISOString(),
  };
}

/** The times that a query narrows the log by: a day of the server's, and instants. */
interface Times {
  readonly date?: string | undefined;
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

/** What a query narrows the log by. */
interface Narrowing extends Times {
  readonly action?: ActionKind | undefined;
  readonly accountId?: string | undefined;
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

/** What a row is about, that of draws which opened aside. */
const ACTION: Sql = sql`case when starts_with(l.subject, ${NOTED}) then 'noted' ${sql.join(
  Object.entries(ACTION_PATHS).map(([action, path]) => sql`when l.url ~ ${path} then ${action}`),
  sql` `,
)} else 'accounts' end`;

/**
 * Where the rows of a list of the log come from: the log as the caller sees it, or of that what one account did, the one that the path
 * or the query names.
 */
export function logSource(
  { actor, query, on, timeZone }: { actor: Author; query: Narrowing; on: Queryable; timeZone: string },
  accountId = query.accountId,
) {
  const date = query.date === undefined ? undefined : dayOf(query.date, timeZone);
  const ofOpenings = query.action === 'openings';
  return {
    from: sql`activity l`,
    authority: seenBy(actor, { accountId, ofOpenings }),
    looksThrough: true as const,
    // A `date` is a day of the server's time zone, or the one at an instant.
    where: allOf([
      ...idsWithin({ ...query, date }),
      ...(date === undefined
        ? []
        : [sql`l.at >= day_start(${date}::date, ${timeZone}) and l.at < day_start(${date}::date + 1, ${timeZone})`]),
    ]),
    isNarrowed: date !== undefined || ofOpenings,
    extra: async () => ({ cleared: await clearedOf(on, actor, { ...query, date }, timeZone) }),
    of: async (): Promise<Described> => ({
      ...(date !== undefined && { Interval: `${date} of ${timeZone}` }),
      ...(await personOf(query.accountId, actor, on)),
    }),
    // Ids sort by the time at which they were made.
    key: sql`l.id`,
    select: LOG_ROW,
    // No index finds what a row is about.
    ...(query.action !== undefined && !ofOpenings && { lookedFor: sql`${ACTION} = ${query.action}` }),
    filters: { date: sql`l.at`, action: null, accountId: sql`l.account_id` },
    search: (pattern: string) =>
      sql`(l.username ilike ${pattern} or l.subject ilike ${pattern} or l.ip ilike ${pattern} or l.url ilike ${pattern}
        or l.method ilike ${pattern})`,
    toRow: toActivity,
  };
}

/** The models whose clearing takes rows out of the log. Rows about results are only hidden, and not from a superadmin. */
const OF_LOG = ['upcome', 'userlog'] as const;

/** What was cleared of the log as the caller sees it. */
async function clearedOf(
  on: Queryable,
  { id, networkId, role }: Author,
  { date, startDate, endDate }: Times,
  timeZone: string,
): Promise<string | null> {
  const networks = await on.query<{ id: number }>(
    sql`select n.id from networks n left join accounts a on a.id = n.admin_id where n.id = ${networkId} or a.chain @> array[${id}]::uuid[]`,
  );
  const [from, until] = [startDate ?? date, endDate ?? date].map((text) => text && new Date(text));
  return clearedNote(on, {
    networkIds: networks.map((network) => network.id),
    models: role === 'superadmin' ? OF_LOG : ['result', ...OF_LOG],
    from: from || undefined,
    // A day of the server’s ends within two days of its beginning by UTC.
    until: until ? (endDate === undefined ? new Date(until.getTime() + 2 * DAY_MS) : until) : undefined,
    timeZone,
  });
}

/** What the caller sees of the log, or of what one account did. That draws opened is nobody's doing. */
function seenBy(
  actor: Author,
  { accountId, ofOpenings }: { accountId: string | undefined; ofOpenings: boolean },
): Predicate {
  if (accountId === undefined) return ofOpenings ? openingsBelow(actor) : logBelow(actor);
  if (ofOpenings) return narrowed(NOTHING, ofNetworksOf(actor));
  return narrowed(everBelow('l', actor), sql`l.account_id = ${accountId} and ${ofNetworksOf(actor)}`);
}

/** Who is meant by the id that the log is narrowed by, for its files. */
async function personOf(id: string | undefined, actor: Author, on: Queryable): Promise<Described> {
  if (id === undefined) return {};
  const [person] = await on.query<{ username: string }>(
    sql`select username from accounts where id = ${id} and chain @> array[${actor.id}]::uuid[]`,
  );
  return person ? { Person: person.username } : {};
}
