import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCluster, type ClusterPaths } from './embedded-cluster.ts';
import { isAlive } from './embedded-process.ts';
import type { Running, Start } from './embedded-start.ts';

export interface Watcher {
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
export function superviseCluster(
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
