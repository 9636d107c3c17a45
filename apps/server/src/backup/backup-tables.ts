import type { Queryable } from '../platform/db/database.ts';
import type { Copier } from '../platform/db/sql/copy-snapshot.ts';
import { TABLE_OWNERS } from '../config/tables/table-owners.ts';
import { ROOT_LOG_EXTRACT, SELECT_ROOT_LOG_EXTRACT } from './restore/root-log-extract.ts';

export interface TableToCopy {
  readonly table: string;
  /** Excludes generated columns, network number and transaction id, which are local to a database. */
  readonly columns: readonly string[];
  readonly select: string;
  /** PostgreSQL's estimate, uncompressed. */
  readonly expectedBytes: number;
}

const COLUMNS = `select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and a.attname not in ('network_id', 'written_by')
  group by c.relname`;

export type CopiedTable = Pick<TableToCopy, 'table' | 'columns'>;

export async function columnsByTable(on: Pick<Queryable, 'query'>): Promise<Map<string, readonly string[]>> {
  const found = await on.query<{ table: string; columns: string[] }>(COLUMNS);
  return new Map(found.map(({ table, columns }) => [table, columns]));
}

/** Load order (`table-owners.ts`). */
export function copiedNames(): string[] {
  return Object.entries(TABLE_OWNERS).flatMap(([table, { backup }]) =>
    backup !== 'of the network' && 'left' in backup ? [] : [table],
  );
}

/** Tables and columns of the newest schema, plus {@link ROOT_LOG_EXTRACT}. */
export async function copiedTables(on: Pick<Queryable, 'query'>): Promise<CopiedTable[]> {
  const columnsOf = await columnsByTable(on);
  return [...copiedNames().map((table) => ({ table, columns: columnsOf.get(table)! })), ROOT_LOG_EXTRACT];
}

export async function tablesToCopy(on: Copier, networkId: number): Promise<TableToCopy[]> {
  const tables: TableToCopy[] = [];
  for (const { table, columns } of await copiedTables(on)) {
    const rows =
      table === ROOT_LOG_EXTRACT.table
        ? `(${SELECT_ROOT_LOG_EXTRACT}) as told`
        : `${table} where ${conditionOf(table)}`;
    const select = `select ${columns.join(', ')} from ${rows}`.replaceAll('$1', String(networkId));
    tables.push({ table, columns, select, expectedBytes: await expectBytes(on, select) });
  }
  return tables;
}

function conditionOf(table: string): string {
  const { backup } = TABLE_OWNERS[table]!;
  return backup === 'of the network' ? 'network_id = $1' : (backup as { where: string }).where;
}

async function expectBytes(on: Copier, select: string): Promise<number> {
  const [row] = await on.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number; 'Plan Width': number } }] }>(
    `explain (format json) ${select}`,
  );
  const { 'Plan Rows': rows, 'Plan Width': width } = row!['QUERY PLAN'][0].Plan;
  return rows * width;
}
