import { join } from 'node:path';
import {
  QUICK_PASSWORDS,
  runAudit,
  startServer,
  type ServerProcess,
} from '../../apps/server/test/processes/server-process.ts';
import { OwnPostgres, type Preload } from './own-postgres.ts';
import { killAll, STAND_SETTINGS, untilServing, type Stand } from './stand.ts';

export class ServersStand implements Stand {
  readonly postgres: OwnPostgres;
  readonly #servers: (ServerProcess | undefined)[] = [];

  private constructor(postgres: OwnPostgres) {
    this.postgres = postgres;
  }

  static async start(count: number, preload?: Preload): Promise<ServersStand> {
    const stand = new ServersStand(await OwnPostgres.start(preload));
    for (let at = 0; at < count; at++) await stand.startAgain(at);
    return stand;
  }

  get #settings(): Record<string, string> {
    const { serverUrl, ownerUrl } = this.postgres;
    return { ...STAND_SETTINGS, DATABASE_URL: serverUrl, DATABASE_OWNER_URL: ownerUrl };
  }

  async startAgain(at: number): Promise<void> {
    this.#servers[at] = await startServer(this.postgres.dataDir, this.#settings, QUICK_PASSWORDS);
  }

  get pids(): readonly number[] {
    return this.#servers.flatMap((server) => server?.pid ?? []);
  }

  /** Killed processes stay down. Returns the time. */
  async kill(places: readonly number[], database: boolean): Promise<Date> {
    const killed = places.flatMap((at) => this.#servers[at] ?? []);
    for (const at of places) this.#servers[at] = undefined;
    if (database) await this.postgres.kill();
    const at = killAll(killed.map(({ pid }) => pid));
    await Promise.all(killed.map(({ ended }) => ended));
    return at;
  }

  get sealDir(): string {
    return join(this.postgres.dataDir, 'seals');
  }

  urls(): readonly string[] {
    return this.#servers.flatMap((server) => server?.url ?? []);
  }

  ownerUrl(): Promise<string> {
    return Promise.resolve(this.postgres.ownerUrl);
  }

  untilReady(): Promise<void> {
    return untilServing(() => this.urls());
  }

  audit(): Promise<{ code: number | null; output: string }> {
    return runAudit(this.postgres.dataDir, this.#settings);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map(async (server) => server?.end('SIGTERM')));
    await this.postgres.stop();
  }
}
