import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { COMMAND_TIMEOUTS } from './connection/timeouts.ts';
import { withDedicatedConnections, PROBE_TIMEOUTS, withClient } from './connection/dedicated-connections.ts';

export const MIGRATIONS: string = fileURLToPath(new URL('../../../migrations', import.meta.url));
const TABLE = 'migrations';
/** The migration runner drops error codes. */
const FORBIDDEN = /permission denied|must be owner/;
const NEEDS_OWNER =
  'The database must be updated, but the role of DATABASE_URL lacks permission. Set DATABASE_OWNER_URL to the role that owns the tables.';

/** Compared with this program. `unreleased`: predates the first release and its migrations. */
export type SchemaState = 'empty' | 'current' | 'older' | 'newer' | 'unreleased';

export const UNRELEASED =
  "The database is from before the first release of Drawhouse, and its data can't be used. Use an empty DATA_DIR or another database.";

export function schemaState(connectionString: string): Promise<SchemaState> {
  return withClient(connectionString, PROBE_TIMEOUTS, stateOf);
}

export function readMigrations(connectionString: string): Promise<string[]> {
  return withClient(connectionString, PROBE_TIMEOUTS, appliedIn);
}

async function appliedIn(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [TABLE]);
  if (!rows[0]!.found) return [];
  return (await client.query<{ name: string }>(`select name from ${TABLE} order by id`)).rows.map((row) => row.name);
}

async function stateOf(client: pg.Client): Promise<SchemaState> {
  const applied = await appliedIn(client);
  if (applied.length === 0) return 'empty';
  const own = await migrationsOf(MIGRATIONS);
  if (!applied.includes(own[0]!)) return 'unreleased';
  if (applied.some((name) => !own.includes(name))) return 'newer';
  return own.every((name) => applied.includes(name)) ? 'current' : 'older';
}

export async function migrationsOf(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  return files
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.slice(0, -'.sql'.length))
    .toSorted();
}

/**
 * Runs as owner. Concurrent servers wait for one migrator. Throws if a migration fails and rolls back, or if the schema
 * is newer or unreleased.
 */
export async function migrate(ownerUrl: string): Promise<void> {
  await withClient(ownerUrl, COMMAND_TIMEOUTS, async (client) => {
    const state = await stateOf(client);
    if (state === 'newer')
      throw new Error(
        'The database belongs to a later version of Drawhouse. Start that version, or use another database.',
      );
    if (state === 'unreleased') throw new Error(UNRELEASED);
    if (state === 'current') return;
    await run(client, MIGRATIONS).catch((error: Error) => {
      throw FORBIDDEN.test(error.message) ? new Error(NEEDS_OWNER, { cause: error }) : error;
    });
  });
}

/** Migrates a private database; default: to the folder's newest schema. No timeout, only the signal. */
export async function migrateTo(
  ownerUrl: string,
  { folder, schema, signal }: { readonly folder: string; readonly schema?: string; readonly signal: AbortSignal },
): Promise<void> {
  const all = await migrationsOf(folder);
  await withDedicatedConnections(ownerUrl, 1, signal, async ([client]) => {
    const { rows } = await client!.query<{ found: boolean }>('select to_regclass($1) is not null as found', [TABLE]);
    const had = rows[0]!.found ? (await client!.query(`select from ${TABLE}`)).rowCount! : 0;
    const wanted = schema === undefined ? all.length : all.indexOf(schema) + 1;
    // The runner treats 0 as 1.
    if (wanted > had) await run(client!, folder, wanted - had);
  });
}

async function run(client: pg.Client, folder: string, count = Infinity): Promise<void> {
  await runner({
    dbClient: client,
    dir: folder,
    direction: 'up',
    count,
    migrationsTable: TABLE,
    advisoryLockMode: 'wait',
    log: () => {},
  });
}
