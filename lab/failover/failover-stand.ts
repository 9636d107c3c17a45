import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDataDir } from '../../apps/server/test/processes/data-dir.ts';
import {
  QUICK_PASSWORDS,
  runAudit,
  startServer,
  type ServerProcess,
} from '../../apps/server/test/processes/server-process.ts';
import { STAND_SETTINGS, untilServing, type Stand } from '../torture/stand.ts';

/** The addresses name all hosts. */
export interface StandDatabase {
  readonly serverUrl: string;
  readonly ownerUrl: string;
  readonly superuserUrl: string;
  stop(): Promise<void>;
}

/** One server on several database hosts. */
export class FailoverStand implements Stand {
  readonly sealDir: string;
  readonly #database: StandDatabase;
  readonly #dataDir: string;
  readonly #server: ServerProcess;

  private constructor(database: StandDatabase, dataDir: string, server: ServerProcess) {
    this.sealDir = join(dataDir, 'seals');
    this.#database = database;
    this.#dataDir = dataDir;
    this.#server = server;
  }

  /** Stops the database if the server does not start. */
  static async start(database: StandDatabase): Promise<FailoverStand> {
    try {
      const dataDir = await makeDataDir('failover');
      return new FailoverStand(database, dataDir, await startServer(dataDir, settingsFor(database), QUICK_PASSWORDS));
    } catch (error) {
      await database.stop();
      throw error;
    }
  }

  urls(): readonly string[] {
    return [this.#server.url];
  }

  ownerUrl(): Promise<string> {
    return Promise.resolve(this.#database.superuserUrl);
  }

  untilReady(): Promise<void> {
    return untilServing(() => this.urls());
  }

  audit(): Promise<{ code: number | null; output: string }> {
    return runAudit(this.#dataDir, settingsFor(this.#database));
  }

  /** The whole log of the server goes to a file that outlives the drill. */
  async describe(): Promise<string> {
    const ready = await fetch(`${this.#server.url}/readyz`).then((answer) => answer.text(), String);
    const log = join(tmpdir(), `drawhouse-failover-${this.#server.pid}.log`);
    await writeFile(log, this.#server.output());
    return `${ready}\nThe server's log: ${log}`;
  }

  async stop(): Promise<void> {
    await this.#server.end('SIGTERM');
    await this.#database.stop();
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}

function settingsFor({ serverUrl, ownerUrl }: StandDatabase): Record<string, string> {
  const logged = { LOG_LEVEL: 'error', LOG_FORMAT: 'text' };
  return { ...STAND_SETTINGS, ...logged, DATABASE_URL: serverUrl, DATABASE_OWNER_URL: ownerUrl };
}
