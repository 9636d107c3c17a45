import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { createHub } from '../../platform/cluster/hub.ts';
import {
  createOutbox,
  DATABASE_AWAY,
  type DatabaseAddresses,
  type FromWorker,
  type ToWorker,
} from '../../platform/cluster/messages.ts';
import { prepareDatabase } from '../serve.ts';
import { requireConnections } from '../../platform/db/connection/dedicated-connections.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
/** By failed starts in a row; the first applies after a process that had started. */
const WAITS_MS = [100, 500, 1_000, 2_000, 4_000];
const AWAY_MS = 2_000;

interface WorkersOptions {
  readonly count: number;
  readonly database: DatabaseAddresses;
  readonly logger: Logger;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
}

export interface Workers {
  moved(this: void): void;
  /** Resolves when all have stopped. Rejects if one repeatedly cannot start. */
  readonly ended: Promise<void>;
}

/**
 * Processes share one port (node:cluster) and restart if they die. Messages go through this process, except bets and
 * polling requests, which they send each other.
 */
export function runWorkers(options: WorkersOptions): Workers {
  const { count, database, logger, signal } = options;
  const hub = createHub();
  const senders = new Map<number, (message: ToWorker) => void>();
  const failed = new AbortController();
  const stopping = AbortSignal.any([signal, failed.signal]);
  let announcement: string | undefined;

  function fork(slot: number, folder: string, isFirst: boolean): Started {
    const worker = cluster.fork();
    const ready = Promise.withResolvers<boolean>();
    const send = createOutbox<ToWorker>((messages) => worker.isConnected() && worker.send(messages, () => {}));
    senders.set(slot, send);
    hub.join(slot, send);
    worker.on('message', (messages: readonly FromWorker[]) => {
      for (const message of messages) {
        if (message[0] === 'ready') {
          announcement ??= message[1];
          ready.resolve(true);
        } else hub.receive(slot, message);
      }
    });
    worker.once('exit', () => {
      ready.resolve(false);
      senders.delete(slot);
      hub.leave(slot);
    });
    send(['start', { slot, count, folder, isFirst, database: addressesOf(database) }]);
    if (stopping.aborted) send(['stop']);
    return { worker, ready: ready.promise };
  }

  async function runAll(): Promise<void> {
    await prepareDatabase(database);
    await requireConnections(database.serverUrl, count);
    // macOS and Linux limit socket paths to about 100 bytes.
    const folder = await mkdtemp(join(tmpdir(), 'drawhouse-'));
    cluster.setupPrimary({ exec: WORKER, args: [], serialization: 'advanced' });
    cluster.schedulingPolicy = cluster.SCHED_RR;
    const running: Promise<void>[] = [];
    const start = (slot: number): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const begin = (isFirst: boolean): Started => fork(slot, folder, isFirst && slot === 0);
      const ended = keepRunning(begin, { process: slot + 1, stopping, logger, started: resolve });
      running.push(ended.catch((error: unknown) => failed.abort(error)));
      return Promise.race([promise, ended.catch(() => {})]);
    };
    try {
      // The first one creates what all need: keys, catalogue, superadmin.
      await start(0);
      if (!stopping.aborted) await Promise.all(Array.from({ length: count - 1 }, (_, nth) => start(nth + 1)));
      if (announcement !== undefined) options.say(`${announcement}\n${count} serving processes.`);
      if (!stopping.aborted) await once(stopping, 'abort');
      for (const send of senders.values()) send(['stop']);
      await Promise.all(running);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    if (failed.signal.aborted) throw failed.signal.reason as Error;
  }

  return {
    moved() {
      for (const send of senders.values()) send(['database', addressesOf(database)]);
    },
    ended: runAll(),
  };
}

interface Started {
  readonly worker: Worker;
  readonly ready: Promise<boolean>;
}

/** Restarts a process until the signal. Calls `started` when it is first ready. */
async function keepRunning(
  begin: (isFirst: boolean) => Started,
  {
    process,
    stopping,
    logger,
    started,
  }: {
    readonly process: number;
    readonly stopping: AbortSignal;
    readonly logger: Logger;
    readonly started: () => void;
  },
): Promise<void> {
  let failures = 0;
  for (let isFirst = true; !stopping.aborted; isFirst = false) {
    const { worker, ready } = begin(isFirst);
    const exited = once(worker, 'exit');
    const wasReady = await ready;
    if (wasReady) started();
    const [code, by] = (await exited) as [number | null, string | null];
    if (stopping.aborted) return;
    if (!wasReady && isFirst) throw new CouldNotStart();
    if (code !== DATABASE_AWAY) failures = wasReady ? 0 : failures + 1;
    if (failures >= WAITS_MS.length)
      throw new Error(`Serving process ${process} could not start ${failures} times in a row. Its log says why.`);
    logger.error({ process, end: by ?? code }, 'a serving process ended unexpectedly; starting it again');
    const waitMs = code === DATABASE_AWAY ? AWAY_MS : WAITS_MS[failures];
    await delay(waitMs, undefined, { signal: stopping }).catch(() => {});
  }
}

/** The process has logged why. */
export class CouldNotStart extends Error {}

function addressesOf({ ownerUrl, serverUrl }: DatabaseAddresses): DatabaseAddresses {
  return { ownerUrl, serverUrl };
}
