import type { Queryable } from '../platform/db/database.ts';
import type { Copier } from '../platform/db/sql/copy-rows.ts';
import { TABLE_OWNERS } from '../config/tables/table-owners.ts';
import { IN_MASSES, ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { sql, type Sql } from '../platform/db/sql/sql.ts';

export interface TableToCopy {
  readonly table: string;
  /** Without generated columns, network number and transaction id, which are local to a database. */
  readonly columns: readonly string[];
  readonly select: Sql;
  /** PostgreSQL's estimate, uncompressed. */
  readonly expectedBytes: number;
}

const COLUMNS = sql`select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and a.attname not in ('network_id', 'written_by')
  group by c.relname`;

export type CopiedTable = Pick<TableToCopy, 'table' | 'columns'>;

export async function columnsByTable(on: Pick<Queryable, 'query'>): Promise<Map<string, readonly string[]>> {
  const found = await on.query<{ table: string; columns: string[] }>(COLUMNS);
  return new Map(found.map(({ table, columns }) => [table, columns]));
}

/** In load order (`table-owners.ts`). */
export function copiedNames(): string[] {
  return Object.entries(TABLE_OWNERS).flatMap(([table, { backup }]) => (backup && 'left' in backup ? [] : [table]));
}

/** Reads tables of the newest schema, plus {@link ROOT_LOG_EXTRACT}. */
export async function copiedTables(on: Pick<Queryable, 'query'>): Promise<CopiedTable[]> {
  const columnsOf = await columnsByTable(on);
  return [...copiedNames().map((table) => ({ table, columns: columnsOf.get(table)! })), ROOT_LOG_EXTRACT];
}

export async function tablesToCopy(
  on: Copier,
  networkId: number,
  without?: ReadonlySet<string>,
): Promise<TableToCopy[]> {
  const tables: TableToCopy[] = [];
  for (const { table, columns } of await copiedTables(on)) {
    if (without?.has(table)) continue;
    // COPY takes no parameters.
    const network = sql.lit(networkId);
    const rows =
      table === ROOT_LOG_EXTRACT.table
        ? sql`(${selectRootLogExtract(network)}) as told`
        : sql.raw(`${table} where ${conditionOf(table, networkId)}`);
    const select = sql`select ${sql.raw(columns.join(', '))} from ${rows}`;
    // Replication leaves little to copy, and the network is closed meanwhile.
    tables.push({ table, columns, select, expectedBytes: without ? 0 : await expectBytes(on, select) });
  }
  return tables;
}

function conditionOf(table: string, networkId: number): string {
  const { backup } = TABLE_OWNERS[table]!;
  return backup && 'where' in backup ? backup.where(networkId) : `network_id = ${networkId}`;
}

async function expectBytes(on: Copier, select: Sql): Promise<number> {
  const [row] = await on.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number; 'Plan Width': number } }] }>(
    sql`explain (format json) ${select}`,
  );
  const { 'Plan Rows': rows, 'Plan Width': width } = row!['QUERY PLAN'][0].Plan;
  return rows * width;
}

/**
 * Without facts about others. After a move, accounts, percentages and draws derive from these rows (`moved_activity`).
 */
export const ROOT_LOG_EXTRACT = {
  table: 'root_activity',
  columns: ['seq', 'at', 'id', 'account_id', 'username', 'subject', 'detail'],
} as const;

/** Root log row `l` concerns accounts, transfers or draws of the network. Ignores account `but`. */
export function concernsNetwork(network: Sql, but: Sql = sql`null`): Sql {
  return sql`((l.detail ? 'accountId' and l.detail ->> 'accountId' is distinct from ${but}::text
      and l.detail ->> 'accountId' in (select id::text from accounts where network_id = ${network}))
    or (l.detail ? 'transferId' and l.detail ->> 'transferId' in (
      select t.id::text from transfers t where t.network_id = ${network} and t.kind not in ${sql.raw(IN_MASSES)}))
    or (l.detail ? 'drawId' and exists (select from draws d where d.network_id = ${network} and d.id = (l.detail ->> 'drawId')::uuid)))`;
}

/** Root log row `l` sets limits or win percentages of the admin's games. */
export const setsForAdmin = (admin: Sql): Sql => sql`((l.detail ? 'limits' and l.detail ->> 'adminId' = ${admin})
    or exists (select from jsonb_path_query(l.detail, '$.percentages[*]') as told where told ->> 'adminId' = ${admin}))`;

/** Numbers count down from 0, the log's end. Hides the superadmin's address and other networks' details. */
export const selectRootLogExtract = (
  network: Sql,
): Sql => sql`select l.seq - h.seq as seq, l.at, l.id, l.account_id, l.username,
    case when l.detail ? 'percentages' then 'Set win percentages' else l.subject end as subject,
    case when l.detail ? 'percentages' then jsonb_build_object('percentages', coalesce(
      (select jsonb_agg(told) from jsonb_path_query(l.detail, '$.percentages[*]') as told where told ->> 'adminId' = a.id), '[]'))
    else l.detail end as detail
  from activity l join activity_heads h on h.network_id = l.network_id
  cross join (select admin_id::text as id from networks where id = ${network}) as a
  where l.network_id = ${sql.lit(ROOT_NETWORK)} and l.detail is not null and l.seq not in (select seq from undone_activity
    where network_id = ${network}) and (
    ${concernsNetwork(network)}
    or ${setsForAdmin(sql`a.id`)}
    or (l.detail ? 'gameId' and l.detail -> 'after' ?| array['unitPrice', 'pays', 'resultMode', 'manualClaims']
      and l.detail ->> 'gameId' in (select g.game_key from wallets w join games g on g.id = w.owner_id where w.network_id = ${network})))`;

export function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
