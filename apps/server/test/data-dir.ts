import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Linux keeps files in memory, and how much must be free there: making a database on a disk costs the system ten times as much. */
const IN_MEMORY = { path: '/dev/shm', leastFreeBytes: 4 * 2 ** 30 };

/** Makes a folder for the data of a test's PostgreSQL, in memory where there is room. It outlives every process, as a disk does. */
export async function makeDataDir(name: string): Promise<string> {
  const room = await statfs(IN_MEMORY.path).catch(() => undefined);
  const isRoomy = room !== undefined && room.bavail * room.bsize >= IN_MEMORY.leastFreeBytes;
  return mkdtemp(join(isRoomy ? IN_MEMORY.path : tmpdir(), `drawhouse-${name}-`));
}
