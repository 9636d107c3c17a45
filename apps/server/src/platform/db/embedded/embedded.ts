import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { complete, findRunning, hasCluster, pathsOf, readPasswords, urlOf } from './embedded-cluster.ts';
import { isAlive, nameOfProcess } from './embedded-process.ts';
import { firstStart, starter, stopRunning, type Running, type Start } from './embedded-start.ts';
import { superviseCluster, type Watcher } from './embedded-watch.ts';

export interface EmbeddedPostgres {
  readonly ownerUrl: string;
  /** For the serving role. May change after a restart. */
  readonly serverUrl: string;
  /** This process stops it: it started it, or adopted it from a dead owner. */
  readonly owned: boolean;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** For servers: throws if another live server owns the data folder. */
  readonly exclusive: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  readonly watcher?: Watcher;
}

/**
 * Runs in `dataDir`/postgres, or connects to a running cluster. Only servers create a cluster; others get `undefined`.
 * Uses a random free loopback port and random passwords kept in the folder.
 */
export async function startEmbedded(
  dataDir: string,
  options: EmbeddedOptions & { exclusive: true },
): Promise<EmbeddedPostgres>;
export async function startEmbedded(dataDir: string, options: EmbeddedOptions): Promise<EmbeddedPostgres | undefined>;
export async function startEmbedded(
  dataDir: string,
  { exclusive, settings, watcher }: EmbeddedOptions,
): Promise<EmbeddedPostgres | undefined> {
  const paths = pathsOf(dataDir);
  if (exclusive) await mkdir(dataDir, { recursive: true });
  else if (!hasCluster(paths)) return undefined;

  const found = await findRunning(paths);
  const owner = await livingOwner(paths.owner, found !== undefined);
  if (owner && exclusive)
    throw new Error(
      `A server is already running on ${dataDir} (process ${owner}). Stop it first, or set DATA_DIR to another folder.`,
    );
  if (owner && !found)
    throw new Error(
      `The server running on ${dataDir} (process ${owner}) has lost its database. Try again in a moment.`,
    );
  if (!owner) await claim(paths.owner);

  try {
    let prepared: Start | undefined;
    const start: Start = async (...how) => (prepared ??= await starter(paths, exclusive, settings))(...how);
    let running: Running = found ?? (await firstStart(start));
    const passwords = exclusive ? await complete(running.port, paths) : await readPasswords(paths);
    const watch = watcher && superviseCluster(paths, running, start, watcher, (next) => (running = next));
    return {
      get ownerUrl() {
        return urlOf(running.port, passwords, 'owner');
      },
      get serverUrl() {
        return urlOf(running.port, passwords, 'server');
      },
      owned: !owner,
      async stop() {
        if (owner) return;
        await watch?.end();
        await stopRunning(running);
        await rm(paths.owner, { force: true });
      },
    };
  } catch (error) {
    if (!owner) await rm(paths.owner, { force: true });
    throw error;
  }
}

/**
 * While PostgreSQL runs, its owner's pid suffices; otherwise the start time must match too, because pids are reused.
 */
async function livingOwner(file: string, isRunning: boolean): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  if (!isAlive(pid) || pid === process.pid) return undefined;
  const isSame = text.includes(' ') ? text === nameOfProcess(pid) : isRunning;
  return isSame ? pid : undefined;
}

/** If two processes race, the later one throws. */
async function claim(file: string): Promise<void> {
  await rm(file, { force: true });
  await writeFile(file, nameOfProcess(process.pid), { flag: 'wx' });
}
