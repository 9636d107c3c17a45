import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exportBackup, importBackup } from '@drawhouse/contract/backup/backups';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findBackup } from '../../src/backup/keep/backup-folders.ts';
import { readCheckpoint } from '../../src/transparency/seal/seal-log.ts';
import { clearWithin, DAYS, playHistory } from '../worlds/clearing-world.ts';
import { TestApp, type Network } from '../harness.ts';
import { moveTo, otherInstallation } from '../backups/move-tools.ts';
import { GAMES, RestoreWorld, type Step } from '../worlds/restore-world.ts';
import { TestSeals } from '../worlds/sealed-world.ts';
import { CLEARING_ORDER } from '@drawhouse/contract/clearing/clearing-texts';

let t: TestApp;
let seals: TestSeals;
beforeEach(async () => {
  t = await TestApp.start();
  seals = await TestSeals.make(t.database);
});
afterEach(async () => {
  await t.close();
  await seals.remove();
});

const step = (does: Step['do'], whom = 5, amount = 3): Step => ({ do: does, byRoot: false, whom, amount });
const ALL_MODELS = [25, 27] as const;

async function expectFaultless(world: RestoreWorld, ...steps: readonly Step[]): Promise<void> {
  for (const one of steps) {
    await world.take(one);
    const waiting = await seals.problems();
    await seals.seal();
    const found = { step: one.do, waiting, sealed: await seals.problems() };
    expect(found).toEqual({ ...found, waiting: [], sealed: [] });
  }
}

it('the audit accepts sealed networks with any history and names foreign removals', async () => {
  const bystander = await t.network({ credit: 70 });
  const net: Network = await t.network({ credit: 300, games: GAMES.slice(0, 1), commissions: { user: 1 } });
  await t.bet(net.user, { 3: 4 });
  await seals.seal();
  const world = new RestoreWorld(t, net, bystander);
  await expectFaultless(
    world,
    step('create', 3),
    step('back up', 0),
    step('move', 4),
    step('bet'),
    step('draw'),
    step('delete', 5),
    step('commission', 3),
    step('percentage', 0),
    step('drill', 0),
    step('create', 3),
    step('bet'),
  );
  await world.take(step('restore', 0));
  await expectFaultless(world, step('undo'));
  const newest = (await world.accounts()).at(-1)!;
  const { sealed } = await seals.foundAfter(`delete from accounts where id = '${newest._id}'; delete from tickets`);
  expect(sealed).toContainEqual(expect.stringContaining(`accounts (id ${newest._id}) was removed after it was sealed`));
  expect(sealed).toContainEqual(expect.stringMatching(/^tickets \(.*\) was removed after it was sealed/));

  await expectFaultless(
    world,
    step('declare', 4),
    step('draw'),
    step('void'),
    step('draw'),
    step('payout', 4),
    step('limit', 0),
    step('limit', 0, 4),
    step('clear', ...ALL_MODELS),
    step('bet'),
    step('draw'),
    step('restore', 0),
    step('bet'),
    step('undo'),
    step('draw'),
    step('day'),
    step('clear', ...ALL_MODELS),
  );
});

async function checkpointsNamed(app: TestApp): Promise<unknown[]> {
  const rows = await app.db.query<{ named: unknown }>(
    `select detail -> 'checkpoint' as named from activity where network_id = ${ROOT_NETWORK} and detail ? 'checkpoint' order by seq`,
  );
  return rows.map(({ named }) => named);
}

it('a restored backup contains earlier seals, against resealing of history', async () => {
  const net = await t.network({ credit: 300 });
  await seals.seal();
  const before = await readCheckpoint(join(seals.dir, '1'));
  await t.db.query("update seal_progress set checkpoint = E'a\\tb'");
  const other = await t.ok(exportBackup, {}, net.admin);
  const without = await findBackup(t.backupDir, net.admin._id, other.folder);
  expect(without).toHaveProperty('manifest.installation');
  expect(without).not.toHaveProperty('manifest.checkpoint');
  await t.db.query('update seal_progress set checkpoint = $1', [before]);
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  await t.bet(net.user, { 3: 4 });
  await seals.seal();
  await t.ok(importBackup, { query: { folder } }, net.admin);
  await seals.seal();
  expect(await checkpointsNamed(t)).toEqual([before]);
  expect(await seals.problems()).toEqual([]);
  const { sealed } = await seals.foundAfter(
    "update activity set detail = jsonb_set(detail, '{checkpoint}', to_jsonb(regexp_replace(detail ->> 'checkpoint', " +
      "'\\n\\d+\\n', E'\\n1\\n'))) where detail ? 'checkpoint'",
  );
  expect(sealed.filter((problem) => problem.includes('when that backup was taken'))).toEqual([]);
  expect(sealed).not.toEqual([]);
  await seals.foundAfter(`update activity set detail = detail || '{"checkpoint": null}' where detail ? 'checkpoint'`);

  await rm(seals.dir, { recursive: true });
  await t.db.query('delete from seal_progress');
  await t.byHand('update accounts set commission = commission + 1 where id = $1', [net.distributor._id]);
  await seals.seal();
  expect(await seals.problems()).toEqual([
    expect.stringMatching(
      /^"Restored backup .*": the log test\/seals\/1 had \d+ records when that backup was taken, but has different ones now, or can't be read$/,
    ),
  ]);
});

it('finds nothing wrong after a network moved here', async () => {
  const here = await otherInstallation();
  const sealsHere = await TestSeals.make(here.database);
  try {
    const net = await t.network({ credit: 300, commissions: { user: 1 } });
    await t.bet(net.user, { 1: 5 });
    await t.finishDraw();
    for (const one of [seals, sealsHere]) await one.seal();
    await moveTo(here, t, net.admin);
    for (const isSealed of [false, true]) {
      if (isSealed) await sealsHere.seal();
      expect(await sealsHere.problems(), `sealed: ${isSealed}`).toEqual([]);
    }
    await here.bet(await here.signIn(net.user.username), { 2: 3 });
    await here.finishDraw();
    await sealsHere.seal();
    expect(await sealsHere.problems()).toEqual([]);
    expect(await seals.problems()).toEqual([]);
    expect(await checkpointsNamed(here)).toEqual([await readCheckpoint(join(seals.dir, '1'))]);
  } finally {
    await here.close();
    await sealsHere.remove();
  }
});

it('cleared history is pruned, its hashes stay, and the audit reports its size', async () => {
  const { net } = await playHistory(t);
  await seals.seal();
  const MANY = 600;
  // Tickets of one transaction are one record.
  await t.db.query(
    `do $$ begin for nth in 1..${MANY} loop
       insert into tickets (network_id, id, draw_id, account_id, request, request_hash, lines, stake, digest, placed_at, ip)
       select network_id, gen_random_uuid(), draw_id, account_id, gen_random_uuid(), request_hash, lines, stake, digest, placed_at, ip
       from tickets k where network_id = ${net.networkId} and exists (
         select from draw_settlements s where s.network_id = k.network_id and s.draw_id = k.draw_id) order by id limit 1;
       commit;
     end loop; end $$`,
  );
  const { size } = (await seals.seal()).state;
  expect(await seals.prune()).toBe(0);
  await t.db.transaction((tx) => clearWithin(t, tx, { net, models: CLEARING_ORDER, startDate: DAYS.first }));
  await seals.seal();
  const whole = await seals.audit();
  expect(whole.flatMap(({ problems }) => problems)).toEqual([]);
  const said = whole.flatMap(({ unproven = [] }) => unproven).find((text) => text.includes('cleared'));
  const count = Number(/^(\d+) records were cleared; their hashes are kept$/.exec(said ?? '')![1]);
  expect(count).toBeGreaterThan(MANY);

  const pruned = await seals.prune();
  expect(pruned).toBeGreaterThanOrEqual(256);
  expect(pruned).toBeLessThan(size);
  expect(await seals.prune()).toBe(0);
  const after = await seals.audit();
  expect(after.flatMap(({ problems }) => problems)).toEqual([]);
  expect(after.flatMap(({ unproven = [] }) => unproven)).toContainEqual(said);
  await t.finishDraw();
  await seals.seal();
  expect(await seals.problems()).toEqual([]);
});
