import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { COMMAND_TIMEOUTS } from './timeouts.ts';
import { PROBE_TIMEOUTS, withClient } from './dedicated-connections.ts';

export const GRANTS: string = fileURLToPath(new URL('../../../../grants.sql', import.meta.url));
/** Serializes grants: PostgreSQL rejects concurrent changes to one table's grants. */
const GRANTS_LOCK = 3_407_513;

/** Grants exactly grants.sql and revokes everything else. Run as table owner. */
export async function grantTo(ownerUrl: string, role: string): Promise<void> {
  const sql = await readFile(GRANTS, 'utf8');
  await withClient(ownerUrl, COMMAND_TIMEOUTS, async (client) => {
    const lock = `select pg_advisory_xact_lock(${GRANTS_LOCK})`;
    await client.query(`begin; ${lock}; ${sql.replaceAll(':"server"', pg.escapeIdentifier(role))}; commit`);
  });
}

/** Phrase describing excess rights; `undefined` if none. */
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
  return new pg.Client({ connectionString }).user!;
}
