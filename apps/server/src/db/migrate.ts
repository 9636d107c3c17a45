import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/**
 * Brings the database to the newest schema. Several servers may start at once: one migrates, the others wait. Throws when a
 * migration fails; its transaction is rolled back.
 */
export async function migrate(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await runner({
      dbClient: client,
      dir: MIGRATIONS,
      direction: 'up',
      migrationsTable: 'migrations',
      advisoryLockMode: 'wait',
      log: () => {},
    });
  } finally {
    await client.end();
  }
}
