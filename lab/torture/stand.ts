import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type Queryable } from '../../apps/server/src/platform/db/database.ts';
import { FILE_TIMEOUTS } from '../../apps/server/src/platform/db/connection/timeouts.ts';
import {
  pathsOf,
  readPasswords,
  findRunning,
  urlOf,
} from '../../apps/server/src/platform/db/embedded/embedded-cluster.ts';
import { makeDataDir } from '../../apps/server/test/processes/data-dir.ts';
import {
  postgresPids,
  QUICK_PASSWORDS,
  runAudit,
  startServer,
  type ServerProcess,
} from '../../apps/server/test/processes/server-process.ts';
import { pause } from '../../tools/demo/client.ts';
import { isReady } from '../../tools/demo/demo-server.ts';

export const STAND_PASSWORD = 'correct horse battery';
export const FIRST_PASSWORD = 'first horse battery';

/** All load comes from one address. */
export const STAND_SETTINGS: Readonly<Record<string, string>> = {
  SUPERADMIN_PASSWORD: STAND_PASSWORD,
  SEED_KEY: '5a'.repeat(32),
  TIME_ZONE: 'Asia/Kolkata',
  // Outages are intended; log fatal errors only.
  LOG_LEVEL: 'fatal',
  SESSION_CALLS_PER_SECOND: '999999',
  ADDRESS_CALLS_PER_SECOND: '999999',
  // Small pieces leave room for kills between them.
  SETTLE_WHOLE_UP_TO: '20',
  SETTLE_PIECE_PLAYERS: '3',
};

export interface Stand {
  urls(): readonly string[];
  readonly sealDir: string;
  ownerUrl(): Promise<string>;
  untilReady(): Promise<void>;
  audit(): Promise<{ code: number | null; output: string }>;
  stop(): Promise<void>;
}

/** Killed by `SIGKILL`. */
export const KILLS = ['postgres', 'server', 'backend', 'everything'] as const;
export type Kill = (typeof KILLS)[number];

const READY_MS = 60_000;

export async function asOwner<T>(stand: Stand, ask: (on: Queryable) => Promise<T>): Promise<T> {
  const db = connect(await stand.ownerUrl(), { onError: () => {}, poolSize: 1, patience: FILE_TIMEOUTS });
  try {
    return await ask(db);
  } finally {
    await db.close();
  }
}

/** Returns the time. Ignores exited processes. */
export function killAll(pids: readonly number[]): Date {
  for (const pid of pids) signalIfAlive(pid, 'SIGKILL');
  return new Date();
}

export function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export async function untilServing(urls: () => readonly string[]): Promise<void> {
  const until = performance.now() + READY_MS;
  for (;;) {
    const answers = await Promise.all(urls().map(isReady));
    if (answers.length > 0 && answers.every(Boolean)) return;
    if (performance.now() > until) throw new Error(`No server is ready after ${READY_MS / 1000} s.`);
    await pause(20);
  }
}

/** Runs with embedded PostgreSQL, as `npm start` does. */
export class EmbeddedStand implements Stand {
  readonly sealDir: string;
  readonly #dataDir: string;
  readonly #settings: Record<string, string>;
  #server: ServerProcess;
  #isUp = true;

  private constructor(dataDir: string, settings: Record<string, string>, server: ServerProcess) {
    this.#dataDir = dataDir;
    this.sealDir = join(dataDir, 'seals');
    this.#settings = settings;
    this.#server = server;
  }

  /** `more` overrides {@link STAND_SETTINGS}. */
  static async start(dataDir?: string, more: Readonly<Record<string, string>> = {}): Promise<EmbeddedStand> {
    const folder = dataDir ?? (await makeDataDir('torture'));
    const settings = { ...STAND_SETTINGS, ...more };
    return new EmbeddedStand(folder, settings, await startServer(folder, settings, QUICK_PASSWORDS));
  }

  urls(): readonly string[] {
    return this.#isUp ? [this.#server.url] : [];
  }

  get serverPid(): number {
    return this.#server.pid;
  }

  async ownerUrl(): Promise<string> {
    const paths = pathsOf(this.#dataDir);
    const running = await findRunning(paths);
    if (!running) throw new Error('PostgreSQL does not run.');
    return urlOf(running.port, await readPasswords(paths), 'owner');
  }

  untilReady(): Promise<void> {
    return untilServing(() => this.urls());
  }

  /** Restarts a killed server. `choose` picks a PostgreSQL process. Returns the time. */
  async kill(kill: Kill, choose: (pids: readonly number[]) => number): Promise<Date> {
    const at = await this.strike(kill, choose);
    await this.recover();
    return at;
  }

  /** Kills without restart; see {@link recover}. Returns the time. */
  async strike(kill: Kill, choose: (pids: readonly number[]) => number = ([first]) => first!): Promise<Date> {
    // All pids first, so nothing can shut down cleanly.
    const [postmaster, ...others] = await postgresPids(this.#dataDir);
    const server = this.#server.pid;
    this.#isUp = kill === 'postgres' || kill === 'backend';
    return killAll(
      {
        postgres: [postmaster, ...others],
        server: [server],
        backend: [choose(others)],
        everything: [server, postmaster, ...others],
      }[kill],
    );
  }

  async recover(): Promise<void> {
    if (this.#isUp) return;
    await this.#server.ended;
    this.#server = await startServer(this.#dataDir, this.#settings, QUICK_PASSWORDS);
    this.#isUp = true;
  }

  audit(): Promise<{ code: number | null; output: string }> {
    return runAudit(this.#dataDir, { ...this.#settings, DATABASE_URL: '' });
  }

  async stop(): Promise<void> {
    await this.#server.end('SIGTERM');
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}
