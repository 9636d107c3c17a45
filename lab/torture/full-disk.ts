import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pause } from '../../tools/demo/client.ts';
import type { Verdict } from './crash.ts';
import { acknowledgedOf, makeLoad, total, type Load } from './load/torture-load.ts';
import { createSeededRandom } from './load/random.ts';
import { ServersStand } from './servers-stand.ts';
import { buildShim } from './own-postgres.ts';
import { asOwner, EmbeddedStand, type Stand } from './stand.ts';

const MEBIBYTE = 1024 * 1024;
/** Fits a new database, its log and a short run. */
const DISK_MEBIBYTES = 320;
const SIZE = { networks: 1, playersEach: 12, atOnce: 2 };
const PLAY_MS = 4_000;
const PATIENCE_MS = 90_000;
/** Forces a new log segment afterwards. */
const TABLES_GROW_MS = 20_000;
const REFUSALS = 200;

interface SmallDisk {
  readonly how: string;
  readonly stand: Stand;
  fill(): Promise<void>;
  empty(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Fills the disk under load, twice. Bets and `/readyz` must answer 503 until space is freed, then work again without
 * losing acknowledged bets.
 */
export async function fullDisk(options: {
  seed: number;
  times: number;
  isMounted: boolean;
  say: (line: string) => void;
  signal?: AbortSignal;
}): Promise<Verdict> {
  const { seed, times, isMounted, say, signal } = options;
  const random = createSeededRandom(seed);
  const disk = await (isMounted ? mountedDisk() : shimmedDisk());
  try {
    const problems: string[] = [];
    const load = await makeLoad(disk.stand, SIZE, random);
    say(disk.how);
    for (let time = 1; time <= times && !signal?.aborted && problems.length === 0; time++) {
      load.play();
      await pause(random.next() * PLAY_MS, signal);
      await disk.fill();
      // PostgreSQL exits if its log has no space, but not for a full table. Tables grow slowly on slow machines.
      const isLog = time % 2 === 0;
      const before = outagesOf(load);
      const logAfterMs = performance.now() + (isLog ? 0 : TABLES_GROW_MS);
      const refuses = await until(
        () => outagesOf(load) >= before + REFUSALS,
        async () => {
          if (performance.now() < logAfterMs) return;
          await asOwner(disk.stand, (on) => on.query('select pg_switch_wal()')).catch(() => {});
        },
      );
      if (!refuses) problems.push('The disk was full, and bets were not refused.');
      const whileFull = await readyStatus(disk.stand, (status) => status !== 'ready');
      if (whileFull === 'ready') problems.push('The disk was full, and the server said that it was ready.');
      const taken = acknowledgedOf(load.bets);
      await disk.empty();
      const from = performance.now();
      const isTakingBets = await until(() => acknowledgedOf(load.bets) > taken + 20);
      const afterMs = Math.round(performance.now() - from);
      if (!isTakingBets) problems.push('There is room again, and no bets are taken.');
      const withRoom = await readyStatus(disk.stand, (status) => status === 'ready');
      if (withRoom !== 'ready') problems.push(`There is room again, and the server label: ${withRoom}.`);
      await pause(random.next() * PLAY_MS, signal);
      problems.push(...(await load.check()));
      const answers = total(load.bets.map(({ outages }) => outages));
      say(
        `disk full ${time} (${whileFull}): bets were taken again ${afterMs} ms after there was room; asked again so far: ${answers}`,
      );
    }
    return { problems, summary: load.summary() };
  } finally {
    await disk.stand.stop();
    await disk.remove();
  }
}

function outagesOf(load: Load): number {
  return load.bets.reduce((sum, { outages }) => [...outages.values()].reduce((more, count) => more + count, sum), 0);
}

async function readyStatus(stand: Stand, isIt: (status: string) => boolean): Promise<string> {
  let status = '';
  await until(
    () => status !== '' && isIt(status),
    async () => {
      const answer = await fetch(`${stand.urls()[0]}/readyz`, { signal: AbortSignal.timeout(10_000) });
      ({ status } = (await answer.json()) as { status: string });
    },
  );
  return status;
}

async function until(isSo: () => boolean, meanwhile?: () => Promise<void>): Promise<boolean> {
  const end = performance.now() + PATIENCE_MS;
  while (!isSo() && performance.now() < end) {
    await meanwhile?.();
    await pause(100);
  }
  return isSo();
}

/** Root may mount, unless its container forbids it. */
export async function mayMount(): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'drawhouse-mount-'));
  try {
    mount(folder, 1);
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function mount(folder: string, mebibytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
}

/** Has all PostgreSQL data and a filler file. */
async function mountedDisk(): Promise<SmallDisk> {
  const folder = await mkdtemp(path.join(tmpdir(), 'drawhouse-disk-'));
  mount(folder, DISK_MEBIBYTES);
  const remove = async (): Promise<void> => {
    execFileSync('umount', [folder], { stdio: 'ignore' });
    await rm(folder, { recursive: true, force: true });
  };
  const filler = path.join(folder, 'filler');
  try {
    const dataDir = path.join(folder, 'data');
    await mkdir(dataDir);
    return {
      how: `the data folder is on a file system of ${DISK_MEBIBYTES} MiB`,
      stand: await EmbeddedStand.start(dataDir),
      async fill() {
        const file = await open(filler, 'w');
        try {
          const block = Buffer.alloc(MEBIBYTE / 16);
          for (;;) await file.write(block);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        } finally {
          await file.close();
        }
        const { bavail, bsize } = await statfs(folder);
        if (bavail * bsize > MEBIBYTE) throw new Error('The file system cannot be filled.');
      },
      empty: () => rm(filler, { force: true }),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A shim stops file growth while a marker file exists. */
async function shimmedDisk(): Promise<SmallDisk> {
  const library = await buildShim();
  const full = path.join(path.dirname(library), 'full');
  await chmod(path.dirname(library), 0o755);
  return {
    how: 'nothing can be mounted here: a shim refuses PostgreSQL every write that makes a file grow',
    stand: await ServersStand.start(1, { library, settings: { SHIM_FULL_FILE: full } }),
    fill: () => writeFile(full, ''),
    empty: () => rm(full, { force: true }),
    remove: () => rm(path.dirname(library), { recursive: true, force: true }),
  };
}
