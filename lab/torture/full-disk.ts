import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pause } from '../../tools/demo/client.ts';
import type { Verdict } from './crash.ts';
import { acknowledgedOf, makeLoad, total } from './torture-load.ts';
import type { Load } from './torture-load.ts';
import { seeded } from './random.ts';
import { ServersStand } from './servers-stand.ts';
import { buildShim } from './shim.ts';
import { asOwner, EmbeddedStand } from './stand.ts';
import type { Stand } from './stand.ts';

const MEBIBYTE = 1024 * 1024;
/** Room for a new database, its log and a little play. */
const DISK_MEBIBYTES = 320;
const SIZE = { networks: 1, playersEach: 12, atOnce: 2 };
const PLAY_MS = 4_000;
/** So long a disk may take to fill and to be felt, and a server to take bets again. */
const PATIENCE_MS = 90_000;
/** After this long with the disk full a new segment of the log is asked for. */
const TABLES_GROW_MS = 20_000;
/** With the disk full so many bets in a row are refused before room is made. */
const REFUSALS = 200;

/** A disk that can be filled, with a server on it. */
interface SmallDisk {
  readonly how: string;
  readonly stand: Stand;
  fill(): Promise<void>;
  empty(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Fills the disk under a server that takes bets: bets are refused by 503, and `/readyz` says so, until there is room, and then taken again;
 * none that was acknowledged is lost. Twice, for a disk fills at any moment.
 */
export async function fullDisk(options: {
  seed: number;
  times: number;
  isMounted: boolean;
  say: (line: string) => void;
  signal?: AbortSignal;
}): Promise<Verdict> {
  const { seed, times, isMounted, say, signal } = options;
  const random = seeded(seed);
  const disk = await (isMounted ? mountedDisk() : shimmedDisk());
  try {
    const problems: string[] = [];
    const load = await makeLoad(disk.stand, SIZE, random);
    say(disk.how);
    for (let time = 1; time <= times && !signal?.aborted && problems.length === 0; time++) {
      load.play();
      await pause(random.next() * PLAY_MS, signal);
      await disk.fill();
      // Where its log needs room, PostgreSQL itself ends, and can't start until there is some. On a slow machine tables take long to grow.
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
      const goesOn = await until(() => acknowledgedOf(load.bets) > taken + 20);
      const afterMs = Math.round(performance.now() - from);
      if (!goesOn) problems.push('There is room again, and no bets are taken.');
      const withRoom = await readyStatus(disk.stand, (status) => status === 'ready');
      if (withRoom !== 'ready') problems.push(`There is room again, and the server says: ${withRoom}.`);
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

/** What `/readyz` says, once that is what is waited for; else what it said at last. */
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

/** Whether this process may mount a file system of a fixed size: root can, unless its container forbids it. */
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

/** A file system of its own, in memory, with all data of an embedded PostgreSQL and a file that takes what room is left. */
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
        if (bavail * bsize > MEBIBYTE) throw new Error('The file system can not be filled.');
      },
      empty: () => rm(filler, { force: true }),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Where nothing may be mounted: a shim beneath PostgreSQL that lets no file grow while a file of its own is there. */
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
