import { hash, randomInt } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { inject } from 'vitest';
import { openDirectory, type OpenDirectory } from '../../src/cells/directory.ts';
import { directoryName } from '../../src/cells/own-names.ts';
import { joinGroup } from '../../src/cells/join-group.ts';
import { installationId } from '../../src/platform/settings/pinned-settings.ts';
import type { AppOptions } from '../../src/compose/app-options.ts';
import { FIRST_SUPERADMIN } from '../../src/compose/first-start.ts';
import { PATIENT } from '../busy-machine.ts';
import { OTHER_SUPERADMIN } from '../backups/move-tools.ts';
import { TestApp, type TestCell } from '../harness.ts';
import { ask, createDatabase, EMPTY, type TestDatabase } from '../test-databases.ts';

/** Refuses connections, as a stopped PostgreSQL does. */
const NOWHERE = 'postgresql://127.0.0.1:1/none';

/** Cells on one cluster, with a directory that can be down. */
export class TestGroup {
  readonly cells: (TestApp & { readonly directory: OpenDirectory })[] = [];
  readonly directories: OpenDirectory[] = [];
  #database: TestDatabase;
  #isAway = false;
  /** Groups of one cluster never move networks of the same number: replication slots contain the number. */
  readonly #skipped = randomInt(1_000_000);

  private constructor(database: TestDatabase) {
    this.#database = database;
  }

  static async start(): Promise<TestGroup> {
    return new TestGroup(await createDatabase(inject('cluster'), EMPTY));
  }

  static async startTwo() {
    const group = await TestGroup.start();
    const [first, second] = [await group.add('cell-1'), await group.add('cell-2')];
    return { group, first, second, here: await first.network(), there: await second.network() };
  }

  get directoryUrl(): string {
    return this.#isAway ? NOWHERE : this.#database.ownerUrl;
  }

  /** Cuts all connections and refuses new ones, or accepts them again. */
  async setAway(isAway: boolean): Promise<void> {
    this.#isAway = isAway;
    const { serverUrl } = this.#database;
    const name = new URL(serverUrl).pathname.slice(1);
    if (isAway)
      await ask(
        inject('cluster').ownerUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );
  }

  /** An empty directory replaces it. */
  async loseDirectory(): Promise<void> {
    const lost = this.#database;
    this.#database = await createDatabase(inject('cluster'), EMPTY);
    await lost.drop();
  }

  async add(
    name: string,
    started: {
      timeZone?: string;
      poolSize?: number;
      metrics?: AppOptions['metrics'];
      seals?: () => AppOptions['seals'];
      prepare?: (cell: TestCell) => Promise<void>;
    } = {},
  ) {
    const { prepare, ...options } = started;
    let directory: OpenDirectory | undefined;
    const join = async (cell: TestCell): Promise<OpenDirectory> => {
      await beNew(cell, name);
      await prepare?.(cell);
      directory = await this.open(name, cell);
      await joinGroup(directory, { db: cell.served, timeZone: cell.timeZone, ownerUrl: cell.ownerUrl });
      return directory;
    };
    const names = 1_000 * (this.cells.length + 1);
    const seedKey = seedKeyOf(name);
    const t = await TestApp.start({ cell: { join, names }, seedKey, ...options });
    await ask(
      t.database.ownerUrl,
      `select setval('networks_id_seq', last_value + ${this.#skipped}) from networks_id_seq`,
    );
    const cell = Object.assign(t, { directory: directory! });
    this.cells.push(cell);
    return cell;
  }

  /** Lets cells call each other. */
  async connectCells(): Promise<void> {
    for (const { app, directory, served } of this.cells) {
      const isOpen = app.http.server.listening;
      if (!isOpen) await app.http.listen({ port: 0, host: '127.0.0.1' });
      const { port } = app.http.server.address() as AddressInfo;
      await directory.announce(served, `http://127.0.0.1:${port}`);
    }
  }

  async open(name: string, { served }: Pick<TestCell, 'served'>): Promise<OpenDirectory> {
    const cell = { name, installation: await installationId(served) };
    const directory = openDirectory(
      () => this.directoryUrl,
      cell,
      () => {},
      PATIENT.patience,
    );
    this.directories.push(directory);
    return directory;
  }

  async close(): Promise<void> {
    for (const cell of this.cells) await cell.close();
    for (const directory of this.directories) await directory.close();
    await this.#database.drop();
  }
}

export function seedKeyOf(cell: string): string {
  return hash('sha256', cell);
}

/** All test databases are copies of one installation with one superadmin. */
async function beNew({ db }: TestCell, name: string): Promise<void> {
  await db.query(OTHER_SUPERADMIN);
  await db.query(`update pinned_settings set value = gen_random_uuid()::text where name = 'installation'`);
  await db.query('update accounts set username = $2, unique_id = $3 where username = $1', [
    FIRST_SUPERADMIN,
    directoryName(`superadmin-${name}`),
    `SA${name.toUpperCase()}`,
  ]);
  await db.query('delete from pending_changes');
}
