import { readdir, readFile } from 'node:fs/promises';
import type { Database } from '../../../apps/server/src/platform/db/database.ts';

/** Linux's USER_HZ, fixed at 100 on every platform used here. */
const TICKS_A_SECOND = 100;

/** Time of this process, and of PostgreSQL with its children. */
export interface CpuSeconds {
  readonly self: number;
  readonly postgres: number;
}

/** Needs Linux's /proc; throws elsewhere. */
export async function cpuMeter(db: Database): Promise<{ read: () => Promise<CpuSeconds> }> {
  const [row] = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = (await statOf(row!.pid))!.parent;
  return {
    async read() {
      const { user, system } = process.cpuUsage();
      let ticks = (await statOf(postmaster))!.withEnded;
      for (const name of await readdir('/proc')) {
        const stat = /^\d+$/.test(name) ? await statOf(Number(name)) : undefined;
        if (stat?.parent === postmaster) ticks += stat.own;
      }
      return { self: (user + system) / 1e6, postgres: ticks / TICKS_A_SECOND };
    },
  };
}

export async function cpuOf(pid: number): Promise<number> {
  const stat = await statOf(pid);
  if (!stat) throw new Error(`There is no process ${pid}.`);
  return stat.own / TICKS_A_SECOND;
}

/** Returns CPU seconds, with descendants. */
export async function cpuOfTree(pid: number): Promise<number> {
  const stats = new Map<number, { parent: number; own: number }>();
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name) ? await statOf(Number(name)) : undefined;
    if (stat) stats.set(Number(name), stat);
  }
  const isBelow = (one: number): boolean => {
    if (one === pid) return true;
    const stat = stats.get(one);
    return stat !== undefined && isBelow(stat.parent);
  };
  const ticks = [...stats].reduce((sum, [one, { own }]) => (isBelow(one) ? sum + own : sum), 0);
  return ticks / TICKS_A_SECOND;
}

/** Returns parent and CPU ticks, without and with exited children. */
async function statOf(pid: number): Promise<{ parent: number; own: number; withEnded: number } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // The second field, in parentheses, may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((index) => Number(fields[index]));
  return { parent: parent!, own: user! + system!, withEnded: user! + system! + endedUser! + endedSystem! };
}

/** Bytes. */
interface MemoryWatched {
  readonly peak: number;
  readonly grown: number;
}

/** Samples until the returned function is called. */
export function createMemoryWatch(everyMs: number): () => MemoryWatched {
  const base = process.memoryUsage().rss;
  let peak = base;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), everyMs);
  return () => {
    clearInterval(timer);
    return { peak, grown: peak - base };
  };
}
