import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import {
  complete,
  findRunning,
  hasCluster,
  pathsOf,
  readPasswords,
  urlOf,
  type ClusterPaths,
} from './embedded-cluster.ts';
import { isAlive, nameOfProcess } from './embedded-process.ts';
import { firstStart, starter, stopRunning, type Running, type Start } from './embedded-start.ts';

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

interface Watcher {
  away(message: string): void;
  back(message: string): void;
  lost(error: Error): void;
}

const WAITS_MS = [100, 500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** Uptime that resets the backoff. */
const STEADY_MS = 60_000;
const POLL_EVERY_MS = 250;
const PERMANENT_FAILURE = new RegExp(
  [
    'is not a valid data directory',
    'database files are incompatible',
    'checkpoint record',
    'incorrect checksum in control file',
    'could not (?:open|read) file "global/pg_control"',
  ].join('|'),
);

/** Restarts PostgreSQL after every exit, until stopped. `restarted` receives the new address. */
function superviseCluster(
  paths: ClusterPaths,
  first: Running,
  start: Start,
  watcher: Watcher,
  restarted: (running: Running) => void,
): { end(): Promise<void> } {
  const letBe = new AbortController();
  const { signal } = letBe;

  async function watch(): Promise<void> {
    let running = first;
    let tries = 0;
    for (;;) {
      const since = performance.now();
      await ended(running, signal);
      if (signal.aborted) return;
      if (performance.now() - since > STEADY_MS) tries = 0;
      watcher.away('PostgreSQL stopped unexpectedly. Restarting it.');
      for (let isUp = false; !isUp;) {
        await delay(WAITS_MS[Math.min(tries++, WAITS_MS.length - 1)], undefined, { signal });
        if (!hasCluster(paths)) throw new Error(`The database folder ${paths.cluster} is gone.`);
        const outcome = await start(running.port, signal).catch((error: Error) => ({ failure: error.message }));
        if (!('failure' in outcome)) {
          running = outcome;
          isUp = true;
          restarted(running);
          watcher.back('PostgreSQL is running again.');
        } else if (!signal.aborted) {
          if (PERMANENT_FAILURE.test(outcome.failure))
            throw new Error(`PostgreSQL can't be restarted:\n${outcome.failure}`);
          const seconds = WAITS_MS[Math.min(tries, WAITS_MS.length - 1)]! / 1_000;
          watcher.away(`PostgreSQL does not start: ${reasonOf(outcome.failure)} Retrying in ${seconds} s.`);
        }
      }
    }
  }

  const watching = watch().catch((error: Error) => {
    if (!signal.aborted) watcher.lost(error);
  });
  return {
    async end() {
      letBe.abort();
      await watching;
    },
  };
}

async function ended({ pid, child }: Running, signal: AbortSignal): Promise<void> {
  if (child) {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit', { signal });
    return;
  }
  while (isAlive(pid)) await delay(POLL_EVERY_MS, undefined, { signal });
}

/** First log line with a cause, without timestamp and pid. Skips messages to clients. */
export function reasonOf(log: string): string {
  const lines = log.trim().split('\n');
  const line = lines.find((text) => /\b(?:PANIC|FATAL):(?!\s+the database system is)/.test(text)) ?? lines.at(-1)!;
  return `${line.replace(/^.*?\b(?:PANIC|FATAL|ERROR):\s+/, '').replace(/\.$/, '')}.`;
}
