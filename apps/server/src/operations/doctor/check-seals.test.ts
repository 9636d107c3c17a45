import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp } from '../../../test/harness.ts';
import { makeSealsPlace, sealAll } from '../../../test/worlds/sealed-app.ts';
import { dedicatedClient } from '../../platform/db/connection/dedicated-connections.ts';
import { SEALS } from '../../transparency/seal/run/run-sealing.ts';
import { examine } from '../../transparency/transparency.ts';
import { judgeSeals } from './check-seals.ts';
import { localText, type Finding } from './findings.ts';

let t: TestApp;
let place: Awaited<ReturnType<typeof makeSealsPlace>>;
let changes = 0;
beforeAll(async () => {
  t = await TestApp.start();
  place = await makeSealsPlace();
});
afterAll(async () => {
  await place.remove();
  await t.close();
});
beforeEach(() => sealAll(t, place));

async function change(): Promise<void> {
  await t.db.query("insert into pinned_settings (name, value) values ($1, 'x')", [`change ${++changes}`]);
}

interface Look {
  readonly dir?: string;
  readonly isRunning?: boolean;
  readonly pause?: () => Promise<void>;
}
async function look({ dir: sealDir = place.dir, isRunning = true, pause = async () => {} }: Look = {}): Promise<
  Finding | undefined
> {
  const key = { sealKey: undefined, sealKeyFile: undefined, sealName: undefined, dataDir: place.dir };
  const config = { sealDir, sealWitnesses: [], ...key };
  const seals = await examine(config, { db: t.served, isRunning, now: new Date(), pause });
  return judgeSeals(seals, { config, isRunning })[0];
}
const sealed = { of: 'seals', state: 'ok', says: expect.stringContaining('records are sealed in') as string };
const stateFile = (): string => join(place.dir, '1', 'state.json');
const sealedAt = async (): Promise<string> => localText((await stat(stateFile())).mtime);

describe('stopped sealing', () => {
  it('is not reported if all is sealed or a server is sealing', async () => {
    expect(await look()).toMatchObject(sealed);
    await change();
    expect(await look({ pause: () => sealAll(t, place) })).toMatchObject(sealed);
    // Constant betting must not count as waiting.
    await change();
    const sealAndChange = async (): Promise<void> => {
      await sealAll(t, place);
      await change();
    };
    expect(await look({ pause: sealAndChange })).toMatchObject(sealed);
  });

  it('is reported with its start, despite retries updating the time', async () => {
    const since = await sealedAt();
    await change();
    await t.db.query('update seal_progress set at = now()');
    const found = await look();
    expect(found).toMatchObject({
      state: 'fault',
      says: `Nothing has been sealed since ${since}, though a server runs.`,
      todo: expect.stringContaining("See the server's log for the reason") as string,
    });
    expect(await look({ isRunning: false })).toMatchObject({ state: 'warning' });
  });

  it('after a point-in-time recovery suggests a new log', async () => {
    const [before] = await t.db.query<{ size: bigint; root: Buffer; snapshot: string }>('select * from seal_progress');
    for (const _ of [1, 2]) {
      await change();
      await sealAll(t, place);
    }
    const [now] = await t.db.query<{ size: bigint; root: Buffer; snapshot: string }>('select * from seal_progress');
    const put = ({ size, root, snapshot }: NonNullable<typeof now>): Promise<unknown> =>
      t.db.query('update seal_progress set size = $1, root = $2, snapshot = $3', [size, root, snapshot]);
    await put(before!);
    for (const isRunning of [true, false])
      expect(await look({ isRunning })).toMatchObject({
        state: 'fault',
        says: expect.stringContaining(`since ${await sealedAt()}: ${place.dir} has ${now!.size} records`) as string,
        todo: expect.stringContaining('npm run seals -- begin') as string,
      });
    await put(now!);
  });

  it("names the connection holding the sealer's lock", async () => {
    await change();
    const client = dedicatedClient(t.database.serverUrl, 'psql');
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      'select pg_backend_pid() as pid, pg_advisory_lock(hashtextextended($1, 0))',
      [SEALS],
    );
    expect((await look())?.todo).toContain(`The connection ${rows[0]!.pid} (psql) holds the sealing lock`);
    await client.end();
  });

  it('says that a missing folder can’t be written to', async () => {
    await t.db.query('delete from seal_progress');
    expect(await look({ dir: join(place.dir, 'none') })).toMatchObject({
      state: 'fault',
      says: 'Nothing has been sealed yet, though a server runs.',
      todo: expect.stringContaining('can’t be written to') as string,
    });
  });
});
