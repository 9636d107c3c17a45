import { createHash } from 'node:crypto';
import type { Change } from '@drawhouse/contract/activity/activity';
import type { Queryable, Tx } from '../db/database.ts';
import { overNetworks } from '../over-networks.ts';
import type { Services } from '../services.ts';
import type { Origin } from '../http/handler.ts';
import { activityText } from '@drawhouse/rules/activity-row';
import type { ActivityRow } from '@drawhouse/rules/activity-row';
import { ROOT_NETWORK } from '@drawhouse/rules/ledger-kinds';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';

/** What is to be logged. `accountId` is null for a refused sign-in with a name that nobody has. */
export interface ActivityEntry {
  readonly accountId: string | null;
  readonly username: string;
  readonly subject: string;
  readonly origin: Pick<Origin, 'url' | 'method' | 'ip'>;
  readonly detail?: Record<string, unknown> | undefined;
  readonly changes?: readonly Change[] | undefined;
}

/** Who the log says has done what the product itself did: nobody. */
export const SYSTEM = 'system';

/**
 * SHA-256 of the hash before and the row: changing, removing or reordering any row breaks every hash after it. The chain by which a row is
 * found is not in it: that follows from the account.
 */
function activityHash(previous: Buffer, row: ActivityRow): Buffer {
  return createHash('sha256').update(previous).update(activityText(row)).digest();
}

/** Whose a row of a network is that nobody did: its admin's, and of the root the first superadmin's. */
const ownerOfNobodys = (networkId: number): Sql =>
  networkId === ROOT_NETWORK
    ? sql`(select id from accounts where role = 'superadmin' order by id limit 1)`
    : sql`(select admin_id from networks where id = ${networkId} union all select of_admin from networks_beside where id = ${networkId})`;

/** A row that stands this much later than the clock said keeps what it said, as `clock` in its detail. */
const CLOCK_BEHIND_MS = 60_000;

/** The hash before the first row of a network. */
const FIRST_HASH: Buffer = Buffer.alloc(32);

/** Where the log of a network ends: its last row, and when and under which id that was written. */
interface Head {
  readonly seq: bigint;
  readonly hash: Buffer;
  readonly last_at: Date | null;
  readonly last_id: string | null;
  /** The rows that this transaction has changed and no row of a log names yet. */
  readonly wrote: readonly WrittenRows[] | null;
}

/** Rows of one table as the log names them: with the fields that changed, or whole where they were added or removed. */
interface WrittenRows {
  readonly table: string;
  readonly fields?: readonly string[];
  /** The columns of each key, with tabs between them. */
  readonly keys: readonly string[];
}

/** A row of the log names at most so many rows, and none where its own detail has more characters: one past 65,535 bytes is sealed as a hash that names nothing. */
const MOST_KEYS = 500;
const MOST_DETAIL = 20_000;

/** SQL for what of a transaction waits to be named by the log. */
const PENDING = 'from pending_changes where written_by = pg_current_xact_id()';
const WROTE = `(select jsonb_agg(part) from (
  select jsonb_strip_nulls(jsonb_build_object('table', of_table, 'fields', to_jsonb(fields), 'keys', jsonb_agg(key order by key))) as part from (
    select of_table, key, case when bool_and(fields is not null) then array_agg(distinct field order by field) end as fields
    from (select of_table, key, fields ${PENDING}) as pending left join lateral unnest(fields) as field on true group by of_table, key
  ) as changed group by of_table, fields order by of_table, fields
) as parts)`;

/** The entries with the changed rows in their details. Further entries follow where these have no room for all. */
function withWritten(entries: readonly ActivityEntry[], wrote: readonly WrittenRows[]): ActivityEntry[] {
  const parts = wrote.flatMap(({ keys, ...rest }) =>
    Array.from({ length: Math.ceil(keys.length / MOST_KEYS) }, (_, nth) => ({
      ...rest,
      keys: keys.slice(nth * MOST_KEYS, (nth + 1) * MOST_KEYS),
    })),
  );
  const groups: WrittenRows[][] = [];
  let count = Infinity;
  for (const part of parts) {
    count += part.keys.length;
    if (count > MOST_KEYS) {
      groups.push([]);
      count = part.keys.length;
    }
    groups.at(-1)!.push(part);
  }
  const { accountId, username, subject, origin } = entries[0]!;
  const naming = (entry: ActivityEntry): ActivityEntry => {
    const hasRoom = groups.length > 0 && JSON.stringify([entry.detail, entry.changes]).length <= MOST_DETAIL;
    return hasRoom ? { ...entry, detail: { ...entry.detail, wrote: groups.shift() } } : entry;
  };
  const named = entries.map(naming);
  while (groups.length > 0) named.push(naming({ accountId, username, subject: `${subject} (continued)`, origin }));
  return named;
}

/** The rows of entries after a head that is locked, with their hashes, and where the log then ends. */
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
    const told = {
      ...entry.detail,
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
      detail: Object.keys(told).length > 0 ? told : null,
    };
    hash = activityHash(hash, row);
    return { ...row, hash };
  });
  return { rows, seq, hash, at, lastId: lastId! };
}

/**
 * Appends rows to the log of one network, in order. It locks the head of the network's chain until the transaction ends, so
 * it belongs at the end of one. The first rows name what the transaction has changed so far of the tables that people change (`wrote` in their details).
 * The rows' time is taken under that lock and is never before that of the row above, not even where
 * another server's clock was ahead: a network's log does not go back. Gives the rows as they are.
 */
export async function appendActivity(
  tx: Tx,
  networkId: number,
  services: Pick<Services, 'clock' | 'newId'>,
  entries: readonly ActivityEntry[],
): Promise<readonly ActivityRow[]> {
  return append(tx, networkId, services, entries, 'of their owners');
}

/**
 * Appends a row that is nobody's, such as that of draws that open, to the log of a network in the same way. It has no chain: no list of what people
 * did has it.
 */
export async function appendNobodys(
  tx: Tx,
  networkId: number,
  services: Pick<Services, 'clock' | 'newId'>,
  entry: ActivityEntry & { readonly accountId: null },
): Promise<void> {
  await append(tx, networkId, services, [entry], 'nobody');
}

/** Locks where the log of a network ends; undefined where it has not begun. */
async function lockHead(tx: Tx, networkId: number): Promise<Head | undefined> {
  const [head] = await tx.query<Head>(
    sql`select seq, hash, last_at, last_id, ${sql.raw(WROTE)} as wrote from activity_heads where network_id = ${networkId} for update`.named(
      'activity-head',
    ),
  );
  return head;
}

/** Begins the log of a network, unless somebody else just has, and locks where it ends. */
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
  whose: 'of their owners' | 'nobody',
): Promise<readonly ActivityRow[]> {
  if (entries.length === 0) return [];
  const head = (await lockHead(tx, networkId)) ?? (await beginLog(tx, networkId));
  const { rows, at, ...last } = rowsAfter(head, { clock, newId }, entries);
  const column = <K extends keyof (typeof rows)[number]>(name: K): (typeof rows)[number][K][] =>
    rows.map((row) => row[name]);
  await tx.send(
    sql`with added as (
       insert into activity (network_id, seq, id, at, account_id, username, subject, url, method, ip, detail, hash, chain)
       select ${networkId}::int, e.*, coalesce(a.chain, '{}')
       from unnest(${column('seq')}::bigint[], ${column('id')}::uuid[], ${column('at')}::timestamptz[], ${column('account_id')}::uuid[], ${column('username')}::text[], ${column('subject')}::text[], ${column('url')}::text[],
                   ${column('method')}::text[], ${column('ip')}::text[], ${rows.map((row) => row.detail && JSON.stringify(row.detail))}::jsonb[], ${column('hash')}::bytea[]) as e (seq, id, at, account_id)
       left join accounts a on a.id = ${whose === 'nobody' ? sql`e.account_id` : sql`coalesce(e.account_id, ${ownerOfNobodys(networkId)})`}
     ), named as (
       delete ${sql.raw(PENDING)}
     )
     update activity_heads set seq = ${last.seq}, hash = ${last.hash}, last_at = ${at}, last_id = ${last.lastId} where network_id = ${networkId}`.named(
      `activity-append${whose === 'nobody' ? '-nobodys' : ''}${networkId === ROOT_NETWORK ? '-root' : ''}`,
    ),
  );
  return rows;
}

/**
 * Leaves the changes of this transaction so far out of the log, but for those of networks: what is brought back or cleared is explained by that itself, and may be all accounts of a
 * network.
 */
export async function leaveUnnamed(tx: Tx): Promise<void> {
  await tx.query(sql`delete ${sql.raw(PENDING)} and of_table <> 'networks'`.named('leave-unnamed'));
}

/** When the newest row of any log was written; undefined where there is none. */
export async function newestLogged(on: Queryable): Promise<Date | undefined> {
  const [row] = await on.query<{ at: Date | null }>(
    sql`select max(last_at) as at from activity_heads ${sql.raw(overNetworks('doctor'))}`,
  );
  return row?.at ?? undefined;
}
