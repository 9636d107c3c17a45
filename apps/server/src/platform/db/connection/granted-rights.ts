import { readFile } from 'node:fs/promises';
import type { Queryable } from '../database.ts';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { ClusterClient } from './cluster-client.ts';
import { COMMAND_TIMEOUTS } from './timeouts.ts';
import { PROBE_TIMEOUTS, withClient } from './dedicated-connections.ts';
import { sql } from '../sql/sql.ts';

interface Rights {
  readonly select: boolean;
  readonly insert: boolean;
  readonly delete: boolean;
  readonly truncate: boolean;
  readonly updates: readonly string[] | null;
}

interface TableGrant {
  readonly words: ReadonlySet<string>;
  readonly updates: readonly string[] | undefined;
}

const GRANT = /\bgrant ([^;]*?) on ([\w\s,]+?) to :"server"/g;
const NO_TABLE = /^(?:schema|function|all tables)\b/;

function readGrants(script: string): ReadonlyMap<string, TableGrant> {
  const plain = script.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ');
  const grants = new Map<string, TableGrant>();
  for (const [, words, tables] of plain.matchAll(GRANT)) {
    if (NO_TABLE.test(tables!)) continue;
    const columns = /\bupdate \(([^)]*)\)/.exec(words!)?.[1];
    const one = {
      words: new Set(
        words!
          .replaceAll(/\([^)]*\)/g, '')
          .split(',')
          .map((word) => word.trim()),
      ),
      updates: columns?.split(',').map((column) => column.trim()),
    };
    for (const table of tables!.split(',')) grants.set(table.trim(), one);
  }
  return grants;
}

/** For example `delete on tickets`. */
export interface RightsDifference {
  readonly beyond: readonly string[];
  readonly lacking: readonly string[];
}

/** The owner has all rights. */
export async function compareRights(on: Queryable): Promise<RightsDifference> {
  const grants = readGrants(await readFile(GRANTS, 'utf8'));
  const rows = await on.query<Rights & { table: string; columns: string[] }>(
    sql`select c.relname::text as table, has_table_privilege(c.oid, 'select') as select, has_table_privilege(c.oid, 'insert') as insert,
       has_table_privilege(c.oid, 'delete') as delete, has_table_privilege(c.oid, 'truncate') as truncate,
       array_agg(a.attname::text) as columns,
       array_agg(a.attname::text) filter (where has_column_privilege(c.oid, a.attnum, 'update')) as updates
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') group by c.oid, c.relname order by c.relname`,
  );
  const [beyond, lacking]: [string[], string[]] = [[], []];
  for (const row of rows) {
    const to = grants.get(row.table);
    for (const right of ['select', 'insert', 'delete', 'truncate'] as const) {
      const isExpected = to?.words.has(right) ?? false;
      if (row[right] !== isExpected) (isExpected ? lacking : beyond).push(`${right} on ${row.table}`);
    }
    const expectedColumns = new Set(to?.words.has('update') ? (to.updates ?? row.columns) : []);
    const grantedColumns = new Set(row.updates ?? []);
    const more = row.columns.filter((column) => grantedColumns.has(column) && !expectedColumns.has(column));
    const fewer = row.columns.filter((column) => expectedColumns.has(column) && !grantedColumns.has(column));
    if (more.length > 0)
      beyond.push(`update of ${more.length === row.columns.length ? 'anything' : more.join(', ')} on ${row.table}`);
    if (fewer.length > 0)
      lacking.push(`update of ${fewer.length === row.columns.length ? 'anything' : fewer.join(', ')} on ${row.table}`);
  }
  return { beyond, lacking };
}

const GRANTS: string = fileURLToPath(new URL('../../../../grants.sql', import.meta.url));
/** PostgreSQL rejects concurrent changes to one table's grants. */
const GRANTS_LOCK = 3_407_513;

/** Revokes everything else. Run as table owner. */
export async function grantTo(ownerUrl: string, role: string): Promise<void> {
  const script = await readFile(GRANTS, 'utf8');
  await withClient(ownerUrl, COMMAND_TIMEOUTS, async (client) => {
    const lock = `select pg_advisory_xact_lock(${GRANTS_LOCK})`;
    await client.query(`begin; ${lock}; ${script.replaceAll(':"server"', pg.escapeIdentifier(role))}; commit`);
  });
}

export async function excessOf(serverUrl: string): Promise<string | undefined> {
  const { rows } = await withClient(serverUrl, PROBE_TIMEOUTS, (client) =>
    client.query<{ superuser: boolean; owner: boolean }>(
      `select r.rolsuper as superuser,
              exists (select from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
                        and pg_has_role(c.relowner, 'usage')) as owner
       from pg_roles r where r.rolname = current_user`,
    ),
  );
  const { superuser, owner } = rows[0]!;
  return superuser ? 'is a superuser' : owner ? 'owns the tables' : undefined;
}

export function roleOf(connectionString: string): string {
  return new ClusterClient({ connectionString }).user!;
}
