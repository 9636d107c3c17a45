import { mkdtemp, readFile, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** Creating a database on disk costs ten times as much system time. */
const IN_MEMORY = { path: '/dev/shm', leastFreeBytes: 4 * 2 ** 30 };

/** In memory if space allows. Survives process kills, like a disk. */
export async function makeDataDir(name: string): Promise<string> {
  const room = await statfs(IN_MEMORY.path).catch(() => undefined);
  const isRoomy = room !== undefined && room.bavail * room.bsize >= IN_MEMORY.leastFreeBytes;
  return mkdtemp(join(isRoomy ? IN_MEMORY.path : tmpdir(), `drawhouse-${name}-`));
}

/** Connects to the embedded PostgreSQL of a running server, as owner. */
export async function withDatabase<T>(
  dataDir: string,
  act: (client: pg.Client) => Promise<T>,
  database = 'drawhouse',
): Promise<T> {
  const lines = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  const password = await readFile(join(dataDir, 'postgres.password'), 'utf8');
  const client = new pg.Client({
    connectionString: `postgresql://drawhouse:${password}@127.0.0.1:${lines[3]}/${database}`,
  });
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}
