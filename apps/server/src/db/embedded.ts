import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { complete, findRunning, hasCluster, pathsOf, readPasswords, urlOf } from './embedded-cluster.ts';
import { isAlive, nameOfProcess } from './embedded-process.ts';
import { firstStart, starter, stopRunning } from './embedded-start.ts';
import type { Running, Start } from './embedded-start.ts';
import { keepRunning } from './embedded-watch.ts';
import type { Watcher } from './embedded-watch.ts';

/** A PostgreSQL that this process started or found running in its data folder. */
export interface EmbeddedPostgres {
  /** Connection string of the database `drawhouse` for the role that owns it and its tables. */
  readonly ownerUrl: string;
  /** The same for the role that serves. It may change when PostgreSQL had to be started again. */
  readonly serverUrl: string;
  /** Whether this process is the one that stops it: it started it, or adopted it after its owner died. */
  readonly owned: boolean;
  /** Stops PostgreSQL cleanly when it is owned; otherwise does nothing. */
  stop(): Promise<void>;
}

/** How to start it. */
export interface EmbeddedOptions {
  /** Whether this is a server: two on one data folder would be a mistake, so it throws when a living one owns the folder. */
  readonly exclusive: boolean;
  /** Settings of PostgreSQL in place of those that it has here. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Hears of its end, and that it is there again: then it is kept running. Without it, its end is left as it is. */
  readonly watcher?: Watcher;
}

/**
 * Starts PostgreSQL in `dataDir`/postgres; or connects to the one that already runs there. A server makes it at its first start;
 * for anything else there is none then, and it gives `undefined`. The address is a random free port of the loopback interface,
 * the passwords random ones kept in the folder.
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
      `A server already runs on ${dataDir} (process ${owner}). Stop it first, or set DATA_DIR to another folder.`,
    );
  if (owner && !found)
    throw new Error(
      `The server that runs on ${dataDir} (process ${owner}) has lost its database. Try again in a moment.`,
    );
  if (!owner) await claim(paths.owner);

  try {
    let prepared: Start | undefined;
    const start: Start = async (...how) => (prepared ??= await starter(paths, exclusive, settings))(...how);
    let running: Running = found ?? (await firstStart(start));
    const passwords = exclusive ? await complete(running.port, paths) : await readPasswords(paths);
    const watch = watcher && keepRunning(paths, running, start, watcher, (next) => (running = next));
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
 * The process that looks after this data folder, if it lives. While PostgreSQL runs, its number is enough; otherwise the number may
 * be some other process's by now, so it counts only with the time at which it began.
 */
async function livingOwner(file: string, isRunning: boolean): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  if (!isAlive(pid) || pid === process.pid) return undefined;
  const isSame = text.includes(' ') ? text === nameOfProcess(pid) : isRunning;
  return isSame ? pid : undefined;
}

/** Writes down that this process looks after the folder. Of two that begin at the same moment the later one throws. */
async function claim(file: string): Promise<void> {
  await rm(file, { force: true });
  await writeFile(file, nameOfProcess(process.pid), { flag: 'wx' });
}
