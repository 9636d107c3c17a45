import { createHash } from 'node:crypto';
import type { Change } from '@drawhouse/contract/activity/activity';
import type { Queryable, Tx } from '../platform/db/database.ts';
import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import type { Services } from '../platform/services.ts';
import type { Origin } from '../platform/http/handler.ts';
import { activityText, type ActivityRow } from '@drawhouse/rules/records/activity-row';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { sql, type Sql } from '../platform/db/sql/sql.ts';
import { hundredthsIn, pointsText, type Hundredths } from '@drawhouse/contract/core/primitives';

/** `accountId` is null for a refused sign-in with an unknown name. */
export interface Author {
  readonly accountId: string | null;
  /** Kept in the details unless 0. */
  readonly login?: number | undefined;
  readonly username: string;
}

export interface ActivityEntry extends Author {
  readonly subject: string;
  readonly origin: Pick<Origin, 'url' | 'method' | 'ip'>;
  readonly detail?: Record<string, unknown> | undefined;
  readonly changes?: readonly Change[] | undefined;
}

export const SYSTEM = 'system';

/**
 * Changing, removing or reordering a row breaks every later hash. Leaves out the account chain, which follows from the
 * account.
 */
function activityHash(previous: Buffer, row: ActivityRow): Buffer {
  return createHash('sha256').update(previous).update(activityText(row)).digest();
}

const systemRowOwner = (networkId: number): Sql =>
  networkId === ROOT_NETWORK
    ? sql`(select id from accounts where role = 'superadmin' order by id limit 1)`
    : sql`(select admin_id from networks where id = ${networkId} union all select of_admin from staged_networks where id = ${networkId})`;

/** If a row's time is this far ahead, `detail.clock` keeps the clock reading. */
const CLOCK_BEHIND_MS = 60_000;

const FIRST_HASH: Buffer = Buffer.alloc(32);

interface Head {
  readonly seq: bigint;
  readonly hash: Buffer;
  readonly last_at: Date | null;
  readonly last_id: string | null;
  readonly wrote: readonly ChangedRows[] | null;
}

interface ChangedRows {
  readonly table: string;
  readonly fields?: readonly string[];
  readonly keys: readonly string[];
}

/** A row above 65,535 bytes is sealed as a bare hash and names nothing. */
const MOST_KEYS = 500;
const MOST_DETAIL = 20_000;

const PENDING = sql`from pending_changes where written_by = pg_current_xact_id()`;
const WROTE = sql`(select jsonb_agg(part) from (
  select jsonb_strip_nulls(jsonb_build_object('table', of_table, 'fields', to_jsonb(fields), 'keys', jsonb_agg(key
    order by key))) as part from (
    select of_table, key, case when bool_and(fields is not null) then array_agg(distinct field order by field) end as fields
    from (select of_table, key, fields ${PENDING}) as pending left join lateral unnest(fields) as field on true group by of_table, key
  ) as changed group by of_table, fields order by of_table, fields
) as parts)`;

/** Appends extra entries if the changed rows do not fit. */
function withWritten(entries: readonly ActivityEntry[], wrote: readonly ChangedRows[]): ActivityEntry[] {
  const parts = wrote.flatMap(({ keys, ...rest }) =>
    Array.from({ length: Math.ceil(keys.length / MOST_KEYS) }, (_, nth) => ({
      ...rest,
      keys: keys.slice(nth * MOST_KEYS, (nth + 1) * MOST_KEYS),
    })),
  );
  const groups: ChangedRows[][] = [];
  let count = Infinity;
  for (const part of parts) {
    count += part.keys.length;
    if (count > MOST_KEYS) {
      groups.push([]);
      count = part.keys.length;
    }
    groups.at(-1)!.push(part);
  }
  const { accountId, login, username, subject, origin } = entries[0]!;
  const naming = (entry: ActivityEntry): ActivityEntry => {
    const hasRoom = groups.length > 0 && JSON.stringify([entry.detail, entry.changes]).length <= MOST_DETAIL;
    return hasRoom ? { ...entry, detail: { ...entry.detail, wrote: groups.shift() } } : entry;
  };
  const named = entries.map(naming);
  while (groups.length > 0)
    named.push(naming({ accountId, login, username, subject: `${subject} (continued)`, origin }));
  return named;
}

function rowsAfter(
  head: Head,
  { clock, newId }: Pick<Services, 'clock' | 'newId'>,
  entries: readonly ActivityEntry[],
): {
  readonly rows: readonly (ActivityRow & { hash: Buffer })[];
  readonly seq: bigint;
  readonly hash: Buffer;
  readonly at: Date;
  readonly lastId: string;
} {
  let { seq, hash, last_id: lastId } = head;
  const now = clock.now();
  const at = head.last_at && head.last_at > now ? head.last_at : now;
  const behind = at.getTime() - now.getTime() > CLOCK_BEHIND_MS ? { clock: now.toISOString() } : undefined;
  const rows = withWritten(entries, head.wrote ?? []).map((entry) => {
    const record = {
      ...entry.detail,
      ...((entry.login ?? 0) > 0 && { login: entry.login }),
      ...(entry.changes && entry.changes.length > 0 && { changes: entry.changes }),
      ...behind,
    };
    const row: ActivityRow = {
      seq: ++seq,
      id: (lastId = newId(lastId ?? undefined)),
      at,
      account_id: entry.accountId,
      username: entry.username,
      subject: entry.subject,
      url: entry.origin.url,
      method: entry.origin.method,
      ip: entry.origin.ip,
      detail: Object.keys(record).length > 0 ? record : null,
    };
    hash = activityHash(hash, row);
    return { ...row, hash };
  });
  return { rows, seq, hash, at, lastId: lastId! };
}

/**
 * Locks the chain head until commit, so call it last. The first rows name this transaction's changes in `wrote`. Row
 * times never decrease, even if another server's clock is ahead.
 */
export async function appendActivity(
  tx: Tx,
  networkId: number,
  services: Pick<Services, 'clock' | 'newId'>,
  entries: readonly ActivityEntry[],
): Promise<readonly ActivityRow[]> {
  return append(tx, networkId, services, entries, 'of their owners');
}

/** System rows have no account chain, so they stay out of personal lists. */
export async function appendSystemRow(
  tx: Tx,
  networkId: number,
  services: Pick<Services, 'clock' | 'newId'>,
  entry: ActivityEntry & { readonly accountId: null },
): Promise<void> {
  await append(tx, networkId, services, [entry], 'nobody');
}

async function lockHead(tx: Tx, networkId: number): Promise<Head | undefined> {
  const [head] = await tx.query<Head>(
    sql`select seq, hash, last_at, last_id, ${WROTE} as wrote from activity_heads where network_id = ${networkId} for update`.named(
      'activity-head',
    ),
  );
  return head;
}

/** The root's log is locked before others. Call if a command logs to a network before it logs to the root. */
export async function lockRootLog(tx: Tx): Promise<void> {
  await lockHead(tx, ROOT_NETWORK);
}

async function beginLog(tx: Tx, networkId: number): Promise<Head> {
  await tx.query(
    sql`insert into activity_heads (network_id, seq, hash) values (${networkId}, 0, ${FIRST_HASH}) on conflict do nothing`.named(
      'activity-first',
    ),
  );
  return (await lockHead(tx, networkId))!;
}

async function append(
  tx: Tx,
  networkId: number,
  { clock, newId }: Pick<Services, 'clock' | 'newId'>,
  entries: readonly ActivityEntry[],
  visibility: 'of their owners' | 'nobody',
): Promise<readonly ActivityRow[]> {
  if (entries.length === 0) return [];
  const head = (await lockHead(tx, networkId)) ?? (await beginLog(tx, networkId));
  const { rows, at, ...last } = rowsAfter(head, { clock, newId }, entries);
  const owner = visibility === 'nobody' ? sql`e.account_id` : sql`coalesce(e.account_id, ${systemRowOwner(networkId)})`;
  const column = <K extends keyof (typeof rows)[number]>(name: K): (typeof rows)[number][K][] =>
    rows.map((row) => row[name]);
  await tx.send(
    sql`with added as (
       insert into activity (network_id, seq, id, at, account_id, username, subject, url, method, ip, detail, hash, chain)
       select ${networkId}::int, e.*, coalesce(a.chain, '{}')
       from unnest(${column('seq')}::bigint[], ${column('id')}::uuid[], ${column('at')}::timestamptz[],
         ${column('account_id')}::uuid[], ${column('username')}::text[], ${column('subject')}::text[], ${column('url')}::text[],
                   ${column('method')}::text[], ${column('ip')}::text[],
                     ${rows.map((row) => row.detail && JSON.stringify(row.detail))}::jsonb[],
                       ${column('hash')}::bytea[]) as e (seq, id, at, account_id)
       left join accounts a on a.id = ${owner}
     ), named as (
       delete ${PENDING}
     )
     update activity_heads set seq = ${last.seq}, hash = ${last.hash}, last_at = ${at}, last_id = ${last.lastId}
       where network_id = ${networkId}`.named(
      `activity-append${visibility === 'nobody' ? '-nobodys' : ''}${networkId === ROOT_NETWORK ? '-root' : ''}`,
    ),
  );
  return rows;
}

/** Keeps changes of `networks` and `logins`. Restores and clearings explain themselves and may touch every account. */
export async function discardPendingChanges(tx: Tx): Promise<void> {
  await tx.query(sql`delete ${PENDING} and of_table not in ('networks', 'logins')`.named('leave-unnamed'));
}

export async function latestLogTime(on: Queryable): Promise<Date | undefined> {
  const [row] = await on.query<{ at: Date | null }>(
    sql`select max(last_at) as at from activity_heads ${sql.raw(crossNetworkComment('doctor'))}`,
  );
  return row?.at ?? undefined;
}

/** Empty if unchanged. `of` names the subject if a log row covers several. */
export function changeOf(what: string, before: string | null, after: string | null, of?: string): Change[] {
  return before === after ? [] : [{ what, ...(of !== undefined && { of }), before, after }];
}

/** Negative `by`: the balance fell. */
export function balanceChange(what: string, now: Hundredths, by: Hundredths): Change[] {
  return changeOf(what, pointsText(now - by), pointsText(now));
}

/** For example `1,234.50`. */
export function pointsWords(points: number | null): string | null {
  if (points === null) return null;
  return pointsText(hundredthsIn(points));
}

export function percentWords(percent: number | null): string | null {
  return percent === null ? null : `${percent} %`;
}
