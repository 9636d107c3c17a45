import { execFileSync } from 'node:child_process';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { fairSeals } from '@drawhouse/contract/seals/seals';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network } from '../../../../test/harness.ts';
import { makeSealsPlace } from '../../../../test/worlds/sealed-app.ts';
import { seal, type Seals } from '../../transparency.ts';

let t: TestApp;
let net: Network;
let seals: Seals;
let place: Awaited<ReturnType<typeof makeSealsPlace>>;

beforeAll(async () => {
  place = await makeSealsPlace();
  const served = { place, witnesses: [] };
  t = await TestApp.start({
    seals: () => ({ served, newest: () => undefined, grade: () => seals.grade(), look: () => seals.look() }),
    notices: () => seals.notices(),
  });
  seals = await seal(
    {
      sealDir: place.dir,
      sealKey: '5b'.repeat(32),
      sealKeyFile: undefined,
      sealName: undefined,
      sealWitnesses: [],
      dataDir: place.dir,
    },
    t.served,
    { address: () => t.database.serverUrl, logger: pino({ level: 'silent' }), clock: t.clock },
  );
  net = await t.network();
  seals.start();
});
afterAll(async () => {
  await seals.stop();
  await t.close();
  await place.remove();
});

const PATIENCE = { timeout: 50_000 };
const isNoticed = async () =>
  (await t.ok(listNotices, {}, net.superadmin)).data.some(({ code }) => code === 'SEALS_STOPPED');
async function halfAMinute(): Promise<void> {
  for (let second = 0; second < 30; second += 10) {
    t.clock.advance(10_000);
    await t.app.tick();
  }
}
const isSealed = async (): Promise<boolean> => {
  const [row] = await t.db.query<{ sealed: boolean }>(
    'select bool_and(pg_visible_in_snapshot(written_by, snapshot)) as sealed from pinned_settings cross join seal_progress',
  );
  return row?.sealed ?? false;
};
const change = (): Promise<unknown> =>
  t.db.query("insert into pinned_settings (name, value) values (gen_random_uuid()::text, 'x')");

it('a sealer on a hanging disk is noticed from outside, until it continues', async () => {
  await expect.poll(isSealed, PATIENCE).toBe(true);
  await halfAMinute();
  expect(await isNoticed()).toBe(false);

  // Opening a pipe blocks until a writer comes, and the thread cannot notice.
  const file = join(place.dir, '1', 'state.json');
  const before = seals.newest();
  const state = await readFile(file);
  await rm(file);
  execFileSync('mkfifo', [file]);
  try {
    await change();
    await halfAMinute();
    expect(await isNoticed()).toBe(false);
    await halfAMinute();
    expect(await isNoticed()).toBe(true);
    expect(await t.ok(fairSeals, {})).toMatchObject({ seals: { isStopped: true } });
  } finally {
    const pipe = await open(file, 'w');
    await writeFile(`${file}.whole`, state);
    await rename(`${file}.whole`, file);
    await pipe.writeFile(state);
    await pipe.close();
  }
  await expect.poll(seals.newest, PATIENCE).not.toBe(before);
  await halfAMinute();
  expect(await isNoticed()).toBe(false);
  expect(await t.ok(fairSeals, {})).toMatchObject({ seals: { isStopped: false } });
});
