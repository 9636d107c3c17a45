import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '../../apps/server/src/db/database.ts';
import { PATIENT } from '../../apps/server/src/db/patience.ts';
import type { Queryable } from '../../apps/server/src/db/database.ts';
import { pathsOf, readPasswords, findRunning, urlOf } from '../../apps/server/src/db/embedded-cluster.ts';
import { makeDataDir } from '../../apps/server/test/data-dir.ts';
import { postgresPids, QUICK_PASSWORDS, runAudit, startServer } from '../../apps/server/test/server-process.ts';
import type { ServerProcess } from '../../apps/server/test/server-process.ts';
import { pause } from '../../tools/demo/client.ts';
import { isReady } from '../../tools/demo/demo-server.ts';

/** The password of everybody on a stand. */
export const STAND_PASSWORD = 'correct horse battery';

/** The settings of a server under torture: the load of many comes from one address here. */
export const STAND_SETTINGS: Readonly<Record<string, string>> = {
  SUPERADMIN_PASSWORD: STAND_PASSWORD,
  SEED_KEY: '5a'.repeat(32),
  TIME_ZONE: 'Asia/Kolkata',
  // An outage is what is wanted: of it only what is fatal is said.
  LOG_LEVEL: 'fatal',
  SESSION_CALLS_PER_SECOND: '999999',
  ADDRESS_CALLS_PER_SECOND: '999999',
  // Most draws are paid in pieces, between which a kill may come.
  SETTLE_WHOLE_UP_TO: '20',
  SETTLE_PIECE_PLAYERS: '3',
};

/** Servers and their database, which break on purpose. */
export interface Stand {
  /** The addresses of its servers. One that is down keeps its address out of the list. */
  urls(): readonly string[];
  /** The folder of its seals. */
  readonly sealDir: string;
  /** Where the owner of the tables connects. */
  ownerUrl(): Promise<string>;
  /** Waits until all of its servers serve again. Throws when they do not. */
  untilReady(): Promise<void>;
  audit(): Promise<{ code: number | null; output: string }>;
  /** Stops everything and removes its data. */
  stop(): Promise<void>;
}

/** What is killed: by `SIGKILL`, all of it at once, and nothing is told before. */
export const KILLS = ['postgres', 'server', 'backend', 'everything'] as const;
/** One of {@link KILLS}: PostgreSQL with all of its processes, the server alone, one of PostgreSQL's processes, or both whole. */
export type Kill = (typeof KILLS)[number];

/** How long anything may take to serve again. */
const READY_MS = 60_000;

/** Asks the database as the owner of its tables, on a connection of its own. */
export async function asOwner<T>(stand: Stand, ask: (on: Queryable) => Promise<T>): Promise<T> {
  const db = connect(await stand.ownerUrl(), { onError: () => {}, poolSize: 1, patience: PATIENT });
  try {
    return await ask(db);
  } finally {
    await db.close();
  }
}

/** Kills processes at once, and gives when. One that has ended meanwhile is no matter. */
export function killAll(pids: readonly number[]): Date {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  return new Date();
}

/** Waits until these addresses answer that they are ready. */
export async function untilServing(urls: () => readonly string[]): Promise<void> {
  const until = performance.now() + READY_MS;
  for (;;) {
    const answers = await Promise.all(urls().map(isReady));
    if (answers.length > 0 && answers.every(Boolean)) return;
    if (performance.now() > until) throw new Error(`No server is ready after ${READY_MS / 1000} s.`);
    await pause(20);
  }
}

/** One server with the embedded PostgreSQL, as `npm start` starts it, in a folder of its own. */
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

  /** Starts it with {@link STAND_SETTINGS} and `more` of them, in a folder of its own or a given one. */
  static async start(dataDir?: string, more: Readonly<Record<string, string>> = {}): Promise<EmbeddedStand> {
    const folder = dataDir ?? (await makeDataDir('torture'));
    const settings = { ...STAND_SETTINGS, ...more };
    return new EmbeddedStand(folder, settings, await startServer(folder, settings, QUICK_PASSWORDS));
  }

  urls(): readonly string[] {
    return this.#isUp ? [this.#server.url] : [];
  }

  /** The process of the server. */
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

  /** Kills what is named; `choose` picks one of PostgreSQL's processes. A server that was killed is started again. Gives when it was killed. */
  async kill(kill: Kill, choose: (pids: readonly number[]) => number): Promise<Date> {
    const at = await this.strike(kill, choose);
    await this.recover();
    return at;
  }

  /** Kills what is named, at once, and leaves it as it is until {@link recover}. Gives when. */
  async strike(kill: Kill, choose: (pids: readonly number[]) => number = ([first]) => first!): Promise<Date> {
    // All numbers are known before the first one dies: nothing gets the time to end in good order.
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

  /** Starts a server again that was killed. */
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
