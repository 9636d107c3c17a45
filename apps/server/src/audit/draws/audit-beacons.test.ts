import { addResult, fairDraw, playerState } from '@drawhouse/contract/draws/draws';
import { listBeacons, setBeacons } from '@drawhouse/contract/games/game-beacons';
import { roundOfDraw } from '@drawhouse/rules/fair/beacon-rounds';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network } from '../../../test/harness.ts';
import { TestSeals } from '../../../test/worlds/sealed-world.ts';
import { readProgress } from '../../transparency/seal/seal-progress.ts';
import { startTestBeacon, type TestBeacon } from '../../../test/processes/test-beacon.ts';

let t: TestApp;
let net: Network;
let seals: TestSeals;
let beacon: TestBeacon;
let other: TestBeacon;
let drawn: { readonly generated: string; readonly declared: string };

/** Acts like a server: at the minute's close and every second after. */
async function play(declared?: string): Promise<string> {
  const { draw } = await t.ok(playerState, { query: { gameId: 'funtargetbingo' } }, net.user);
  const drawId = draw!._id;
  await t.bet(net.user, { 7: 10 });
  if (declared !== undefined)
    await t.ok(
      addResult,
      { body: { gameId: 'funtargetbingo', adminId: net.admin._id, drawId, result: declared } },
      net.admin,
    );
  for (const at of [Date.parse(draw!.closesAt), Date.parse(draw!.drawsAt) + 1_000]) {
    t.clock.set(new Date(at));
    await t.app.tick();
    await seals.seal();
    await t.app.tick();
  }
  await seals.seal();
  return drawId;
}

beforeAll(async () => {
  [beacon, other] = [await startTestBeacon(), await startTestBeacon()];
  const sealedUpTo = async () => (await readProgress(t.db))?.snapshot;
  t = await TestApp.start({ beacons: { beacons: [beacon.address], deadlineMs: 60_000, sealedUpTo } });
  net = await t.network({ credit: 1_000 });
  seals = await TestSeals.make(t.database);
  await seals.seal();
  const params = { adminId: net.admin._id };
  const { data } = await t.ok(listBeacons, { params }, net.superadmin);
  const updates = data.map(({ id }) => ({ id, beacons: [beacon.publicKey] }));
  await t.ok(setBeacons, { params, body: { updates } }, net.superadmin);
  await t.finishDraw();
  drawn = { generated: await play(), declared: await play('4') };
});
afterAll(async () => {
  await t.close();
  await seals.remove();
  await Promise.all([beacon.close(), other.close()]);
});

const setValue = (drawId: string, signature: string): string =>
  `update draws set beacon_signatures = array[decode('${signature}', 'hex')] where id = '${drawId}'`;
async function roundOf(drawId: string): Promise<number> {
  return roundOfDraw(beacon, Date.parse((await t.ok(fairDraw, { params: { drawId } })).closesAt));
}

it('accepts drawn results', async () => {
  expect(await seals.foundAfter('select', { withRest: true })).toEqual({ sealed: [], rest: [] });
});

it('detects by seals every changed value, even without a dependent result', async () => {
  for (const drawId of Object.values(drawn)) {
    const { sealed } = await seals.foundAfter(setValue(drawId, beacon.sign(7)));
    expect(sealed).toContainEqual(expect.stringMatching(/^draws \(/));
  }
});

it('detects a value of another round or key, even without seals', async () => {
  const drawId = drawn.declared;
  for (const wrong of [beacon.sign(7), other.sign(await roundOf(drawId))]) {
    const { rest } = await seals.foundAfter(setValue(drawId, wrong), { withRest: true });
    expect(rest).toContainEqual(expect.stringContaining('not signed by'));
  }
});

it.each(['null', "root_sealed_at + interval '10 seconds'"])(
  'reports a generated draw whose close was sealed late: %s',
  async (at) => {
    const { rest, sealed } = await seals.foundAfter(
      `update draws set root_sealed_at = ${at} where id = '${drawn.generated}'`,
      { withRest: true },
    );
    expect(rest).toContainEqual(expect.stringMatching(/was not sealed before round \d+/));
    expect(sealed).toContainEqual(expect.stringMatching(/^draws \(/));
  },
);
