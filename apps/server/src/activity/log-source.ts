import {
  ACTION_PATHS,
  type ActionKind,
  type Activity,
  CLIENT_REPORT_PREFIX,
  SIGN_IN_PATHS,
} from '@drawhouse/contract/activity/activity';
import { CLEARING_MODELS, type ClearingModel } from '@drawhouse/contract/clearing/clearing-texts';
import type { Role } from '@drawhouse/contract/core/primitives';
import type { ActivityRow } from '@drawhouse/rules/records/activity-row';
import { dayOf, dayWords } from '@drawhouse/rules/time/zone-days';
import type { Queryable } from '../platform/db/database.ts';
import { allOf, sql, type Sql } from '../platform/db/sql/sql.ts';
import { leastIdAt } from '../platform/db/sql/uuids.ts';
import type { Described } from '../platform/lists/list-source.ts';
import {
  inOwnNetwork,
  inSubtreeEver,
  inVisibleKeys,
  narrowPredicate,
  NO_ROWS,
  ownedByColumn,
  type Predicate,
  selectVisible,
} from '../platform/db/visibility-predicate.ts';
import type { CommandActor } from './run-command.ts';
import { crossNetworkComment, networkOrColumnSql, singleNetwork } from '../platform/db/cross-network-sql.ts';
import { ACTIVITY_TEXTS } from './activity-texts.ts';

export type LogRow = Omit<ActivityRow, 'seq' | 'detail'> & Pick<Activity, 'about'>;

/** First match wins: a claim is about its ticket. */
const ABOUT: readonly (readonly [field: string, kind: NonNullable<Activity['about']>['kind']])[] = [
  ['ticketId', 'ticket'],
  ['transferId', 'transaction'],
  ['messageId', 'transaction'],
  ['drawId', 'draw'],
  ['accountId', 'account'],
  ['targetId', 'account'],
  ['adminId', 'account'],
];
const ABOUT_ROW: Sql = sql.join(
  ABOUT.map(
    ([field, kind]) =>
      sql`when jsonb_typeof(l.detail -> ${field}) = 'string' then jsonb_build_object('kind', ${kind}::text, 'id', l.detail ->> ${field})`,
  ),
  sql` `,
);

export const LOG_ROW: Sql = sql`l.id, l.account_id, l.username, l.subject, l.url, l.method, l.ip, l.at, case ${ABOUT_ROW} end as about`;

export function toActivity({ id, account_id, username, subject, url, method, ip, at, about }: LogRow): Activity {
  return {
    _id: id,
    accountId: account_id,
    username,
    subject,
    requestUrl: url,
    method,
    ipAddress: ip,
    createdAt: at.toISOString(),
    about,
  };
}

interface Times {
  readonly date?: string | undefined;
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

interface LogFilter extends Times {
  readonly action?: ActionKind | undefined;
  readonly accountId?: string | undefined;
  readonly signIns?: 'hidden' | undefined;
}

const DAY_MS = 86_400_000;

/** Ids are created after the row's time. Allows one day for clock corrections and one for time zones. */
function idsWithin({ date, startDate, endDate }: Times): Sql[] {
  const from = [date && Date.parse(date) - DAY_MS, startDate && Date.parse(startDate)];
  const to = [date && Date.parse(date) + 3 * DAY_MS, endDate && Date.parse(endDate) + DAY_MS];
  const isNumber = (ms: number | string | undefined): ms is number => typeof ms === 'number';
  return [
    ...from.filter(isNumber).map((ms) => sql`l.id >= ${leastIdAt(new Date(ms))}`),
    ...to.filter(isNumber).map((ms) => sql`l.id < ${leastIdAt(new Date(ms))}`),
  ];
}

const ACTION: Sql = sql`case when starts_with(l.subject, ${CLIENT_REPORT_PREFIX}) then 'noted' ${sql.join(
  Object.entries(ACTION_PATHS).map(([action, path]) => sql`when l.url ~ ${path} then ${action}`),
  sql` `,
)} else 'accounts' end`;

export function logSource(
  { actor, query, on, timeZone }: { actor: CommandActor; query: LogFilter; on: Queryable; timeZone: string },
  accountId = query.accountId,
) {
  const date = query.date === undefined ? undefined : dayOf(query.date, timeZone);
  const ofOpenings = query.action === 'openings';
  const conditions = [
    ...(query.action !== undefined && !ofOpenings ? [sql`${ACTION} = ${query.action}`] : []),
    ...(query.signIns === 'hidden' ? [sql`l.url !~ ${SIGN_IN_PATHS}`] : []),
  ];
  return {
    from: sql`activity l`,
    authority: visibleTo(actor, { accountId, ofOpenings }),
    isScanned: true as const,
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
      ...(await accountLabel(query.accountId, actor, on)),
    }),
    key: sql`l.id`,
    select: LOG_ROW,
    ...(conditions.length > 0 && { condition: allOf(conditions) }),
    filters: { date: sql`l.at`, action: null, accountId: sql`l.account_id`, signIns: null },
    search: (pattern: string) =>
      sql`(l.username ilike ${pattern} or l.subject ilike ${pattern} or l.ip ilike ${pattern} or l.url ilike ${pattern}
        or l.method ilike ${pattern})`,
    toRow: toActivity,
  };
}

/** Clearing these models deletes log rows. Results are only hidden, and stay visible to superadmins. */
const OF_LOG = ['upcome', 'userlog'] as const;

async function clearedOf(
  on: Queryable,
  { id, networkId, role }: CommandActor,
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
    // A server day ends within two days of its UTC start.
    until: until ? (endDate === undefined ? new Date(until.getTime() + 2 * DAY_MS) : until) : undefined,
    timeZone,
  });
}

function visibleTo(
  actor: CommandActor,
  { accountId, ofOpenings }: { accountId: string | undefined; ofOpenings: boolean },
): Predicate {
  if (accountId === undefined) return ofOpenings ? visibleOpenings(actor) : visibleLog(actor);
  if (ofOpenings) return narrowPredicate(NO_ROWS, inLiveNetworks(actor));
  return narrowPredicate(inSubtreeEver('l', actor), sql`l.account_id = ${accountId} and ${inLiveNetworks(actor)}`);
}

async function accountLabel(id: string | undefined, actor: CommandActor, on: Queryable): Promise<Described> {
  if (id === undefined) return {};
  const [person] = await on.query<{ username: string }>(
    sql`select username from accounts where id = ${id} and chain @> array[${actor.id}]::uuid[]`,
  );
  return person ? { Person: person.username } : {};
}

/** Admins use the network column. */
const COLUMNS: Record<Exclude<Role, 'admin'>, string> = {
  superadmin: 'superadmin_id',
  superdistributor: 'superdistributor_id',
  distributor: 'distributor_id',
  retailer: 'retailer_id',
  user: 'account_id',
};

/**
 * Actions in the account's subtree while the authors were there. Unknown sign-in names and system rows are visible to
 * admin and superadmin. Excludes draw openings, by far the most frequent rows.
 */
export function visibleLog(actor: CommandActor): Predicate {
  const { role } = actor;
  if (role === 'admin') return narrowPredicate(inOwnNetwork('l', actor), sql`l.chain <> '{}' and ${notHidden(actor)}`);
  return narrowPredicate(ownedByColumn(`l.${COLUMNS[role]}`, actor), inLiveNetworks(actor));
}

function notHidden({ networkId }: CommandActor): Sql {
  return sql`not exists (select from cleared_results h where h.network_id = ${networkId} and h.seq = l.seq)`;
}

function inLiveNetworks(actor: CommandActor): Sql {
  return actor.role === 'superadmin'
    ? sql`l.network_id in (select id from networks) ${sql.raw(crossNetworkComment('superadmin'))}`
    : sql`l.network_id = ${actor.networkId} and ${notHidden(actor)}`;
}

export function visibleOpenings(actor: CommandActor): Predicate {
  const { role } = actor;
  if (role === 'admin') return narrowPredicate(inOwnNetwork('l', actor), sql`l.chain = '{}'`);
  if (role !== 'superadmin') return narrowPredicate(NO_ROWS, inLiveNetworks(actor));
  const ofNetworksBelow = inVisibleKeys('l.network_id', {
    key: sql`n.id`,
    from: sql`networks n join accounts a on a.id = n.admin_id`,
    authority: inSubtreeEver('a', actor),
  });
  return narrowPredicate(ofNetworksBelow, sql`l.chain = '{}' ${sql.raw(crossNetworkComment('superadmin'))}`);
}

const NAMED_BY = ['transferId', 'reverses', 'messageId', 'settled', 'ticketId', 'drawId'] as const;
const NAMED_MOST = 100;

export async function readLogNaming(
  on: Queryable,
  actor: CommandActor,
  { ids, from, until }: { readonly ids: readonly string[]; readonly from: Date; readonly until: Date },
): Promise<Activity[]> {
  const within = idsWithin({ startDate: from.toISOString(), endDate: until.toISOString() });
  const names = sql.join(
    NAMED_BY.map((name) => sql`l.detail ->> ${name} = any(${ids}::text[])`),
    sql` or `,
  );
  const seen = selectVisible({
    select: LOG_ROW,
    from: sql`activity l`,
    authority: visibleLog(actor),
    where: sql`${allOf(within)} and (${names})`,
  });
  const rows = await on.query<LogRow>(sql`${seen} order by l.id limit ${NAMED_MOST}`);
  return rows.map(toActivity);
}

interface NoteScope {
  readonly networkIds: readonly number[];
  readonly models: readonly ClearingModel[];
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
  readonly timeZone: string;
}

export async function clearedNote(on: Queryable, scope: NoteScope): Promise<string | null> {
  const { networkIds, from = null, until = null } = scope;
  const [row] = await on.query<{
    models: ClearingModel[] | null;
    first: Date;
    last: Date;
  }>(sql`select array_agg(distinct model) as models, min(starts_at) as first, max(ends_at) - interval '1 millisecond' as last
        from unnest(${networkIds}::int[]) as n (id)
        join clearings c on c.network_id = ${networkOrColumnSql(singleNetwork(networkIds), 'n.id')}
        where c.model = any(${scope.models}) and c.removed > 0
          and c.starts_at < coalesce(${until}::timestamptz, 'infinity') and c.ends_at > coalesce(${from}::timestamptz, '-infinity')`);
  const { models, first, last } = row!;
  if (!models) return null;
  const modelNames = scope.models
    .filter((model) => models.includes(model))
    .map((model) => CLEARING_MODELS[model].title);
  const days = [first, last].map((at) => dayWords(at, scope.timeZone));
  return ACTIVITY_TEXTS.cleared(
    modelNames.join(', '),
    days[0] === days[1] ? `of ${days[0]}` : `from ${days.join(' to ')}`,
  );
}

interface LoggedAct {
  readonly by: Sql;
  readonly of: 'transferId' | 'drawId';
  readonly id: Sql;
  readonly from: Sql;
  readonly until?: Sql;
  /** Default: the name. */
  readonly column?: Sql;
}

/**
 * For example `anita1111 / Meera`, from the sealed log, because draws and transfers name accounts only. Null if the log
 * of that time is cleared.
 */
export function loggedPerson({ by, of, id, from, until = from, column = sql`l.username` }: LoggedAct): Sql {
  return sql`(select ${column} from activity l where l.account_id = ${by}
    and l.id >= least_id(${from} - interval '1 minute') and l.id <= least_id(${until} + interval '1 minute')
    and l.detail ->> ${sql.raw(`'${of}'`)} = ${id}::text order by l.id desc limit 1 ${sql.raw(crossNetworkComment('named'))})`;
}

export const SAVED_BY: Sql = sql`case when d.saved_by is not null then coalesce(
  ${loggedPerson({ by: sql`d.saved_by`, of: 'drawId', id: sql`d.id`, from: sql`d.saved_at` })},
  (select username from accounts where id = d.saved_by)) end`;

export const CONFIRMED_BY: Sql = sql`case when d.confirmed_by is not null then coalesce(
  ${loggedPerson({
    by: sql`d.confirmed_by`,
    of: 'drawId',
    id: sql`d.id`,
    from: sql`d.saved_at`,
    until: sql`coalesce(d.awaits_until, d.draws_at)`,
  })},
  (select username from accounts where id = d.confirmed_by)) end`;
