import { addResult, fairDraw, generateResult, playerState, voidDraw } from '@drawhouse/contract/draws/draws';
import { listBeacons, setBeacons } from '@drawhouse/contract/games/game-beacons';
import { loadGame } from '@drawhouse/contract/live/live';
import { roundOfDraw, roundTimeMs } from '@drawhouse/rules/fair/beacon-rounds';
import { verifyDraw, type PublishedDraw } from '@drawhouse/rules/fair/fair';
import { examineSeed } from '@drawhouse/rules/fair/published-seed';
import { beaconProblems } from '@drawhouse/rules/fair/beacon-signature';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestApp, type Network } from '../../../test/harness.ts';
import { startTestBeacon, type BeaconWay, type TestBeacon } from '../../../test/processes/test-beacon.ts';

const game = { gameId: 'funtargetbingo' };
const MINUTE_MS = 60_000;
let t: TestApp;
let net: Network;
let sealing: 'goes on' | 'has stopped' = 'goes on';
let one: TestBeacon;
let two: TestBeacon;

beforeAll(async () => {
  [one, two] = [await startTestBeacon(), await startTestBeacon()];
  // An empty snapshot proves nothing.
  const sealedUpTo = async () =>
    sealing === 'has stopped'
      ? '3:3:'
      : (await t.db.query<{ now: string }>('select pg_current_snapshot()::text as now'))[0]!.now;
  t = await TestApp.start({ beacons: { beacons: [one.address, two.address], deadlineMs: MINUTE_MS, sealedUpTo } });
  net = await t.network({ credit: 100_000 });
  await use([one]);
});
afterEach(() => {
  for (const beacon of [one, two]) beacon.way = 'well';
  sealing = 'goes on';
});
afterAll(async () => {
  await t.close();
  await one.close();
  await two.close();
});

const pair = () => ({ ...game, adminId: net.admin._id });
const running = async (): Promise<string> => (await t.ok(playerState, { query: game }, net.user)).draw!._id;
const publicly = (drawId: string) => t.ok(fairDraw, { params: { drawId } });
const problemsOf = (draw: Awaited<ReturnType<typeof publicly>>): readonly string[] => {
  const check = verifyDraw(draw as unknown as PublishedDraw);
  return [...(check.ok ? [] : check.problems), ...beaconProblems(draw.beacons)];
};

async function use(beacons: readonly TestBeacon[]): Promise<void> {
  const { data } = await t.ok(listBeacons, { params: { adminId: net.admin._id } }, net.superadmin);
  const { id } = data.find(({ gameId }) => gameId === game.gameId)!;
  const updates = [{ id, beacons: beacons.map(({ publicKey }) => publicKey) }];
  await t.ok(setBeacons, { params: { adminId: net.admin._id }, body: { updates } }, net.superadmin);
  await t.finishDraw();
}

const endMs = (): number => (Math.floor(t.clock.now().getTime() / MINUTE_MS) + 1) * MINUTE_MS;

async function goTo(ms: number): Promise<void> {
  t.clock.set(new Date(ms));
  await t.app.tick();
}

async function betAndClose(): Promise<{ drawId: string; closesMs: number; drawsMs: number }> {
  const drawId = await running();
  await t.bet(net.user, { 7: 10 });
  const drawsMs = endMs();
  const closesMs = Date.parse((await publicly(drawId)).closesAt);
  await goTo(closesMs);
  return { drawId, closesMs, drawsMs };
}

describe('a draw with a beacon', () => {
  it('fixes its round at opening, fetches it only when due, and follows from its value', async () => {
    const drawId = await running();
    const open = await publicly(drawId);
    const round = roundOfDraw(one, Date.parse(open.closesAt));
    const { publicKey, genesisTime, period } = one;
    expect(open.beacons).toEqual([{ publicKey, genesisTime, period, round, signature: null }]);
    expect(roundTimeMs(one, round) - Date.parse(open.closesAt)).toBeGreaterThanOrEqual(3_000);
    const { drawsMs } = await betAndClose();
    await goTo(roundTimeMs(one, round) - 1);
    expect(one.asked).not.toContain(round);
    await goTo(Math.max(drawsMs, roundTimeMs(one, round)));
    const settled = await publicly(drawId);
    expect(settled).toMatchObject({
      status: 'settled',
      source: 'generated',
      beacons: [{ signature: one.sign(round) }],
    });
    expect(problemsOf(settled)).toEqual([]);
    const changed = { ...settled, beacons: [{ ...settled.beacons[0]!, signature: one.sign(round + 1) }] };
    expect(problemsOf(changed)).toContainEqual(expect.stringMatching(/^The signature of round \d+ does not match/));
    const seedOf = (draw: object) => examineSeed(draw as unknown as PublishedDraw).seed;
    expect(seedOf(changed)).not.toEqual(seedOf(settled));
    expect(seedOf({ ...settled, beacons: [] })).not.toEqual(seedOf(settled));
  });

  it('waits for the values of all beacons', async () => {
    await use([one, two]);
    two.way = 'not yet';
    const { drawId, drawsMs } = await betAndClose();
    await goTo(drawsMs + 10_000);
    expect(await publicly(drawId)).toMatchObject({ status: 'closed', beacons: [{}, { signature: null }] });
    two.way = 'well';
    await goTo(drawsMs + 11_000);
    const settled = await publicly(drawId);
    expect(settled).toMatchObject({ status: 'settled', source: 'generated' });
    expect(settled.beacons.map(({ publicKey }) => publicKey)).toEqual([one.publicKey, two.publicKey]);
    expect(problemsOf(settled)).toEqual([]);
    await use([one]);
  });

  it.each<BeaconWay>(['away', 'not yet', 'forged', 'another round'])(
    'is void if the beacon is %s until the deadline, and later shows the result it would have had',
    async (way) => {
      one.way = way;
      const before = await t.credit(net.user);
      const { drawId, drawsMs } = await betAndClose();
      await goTo(drawsMs + MINUTE_MS - 1);
      expect(await publicly(drawId)).toMatchObject({ status: 'closed', beacons: [{ signature: null }] });
      await goTo(drawsMs + MINUTE_MS);
      const late = await publicly(drawId);
      expect(late).toMatchObject({ status: 'void', voidCause: 'beacon', wouldHaveBeen: null });
      expect(late.seed).toMatch(/^[0-9a-f]{64}$/);
      expect(await t.credit(net.user)).toBe(before);
      one.way = 'well';
      await goTo(drawsMs + MINUTE_MS + 1_000);
      const known = await publicly(drawId);
      expect(known.wouldHaveBeen).toMatchObject({
        result: { drawno: expect.any(String) },
        booster: expect.any(Number),
      });
      expect(problemsOf(known)).toEqual([]);
      const denied = { ...known, wouldHaveBeen: { ...known.wouldHaveBeen!, booster: 99 } };
      expect(problemsOf(denied)).toHaveLength(1);
    },
  );

  it('waits for a slow beacon without delaying others', async () => {
    one.way = 'slow';
    const { drawId, drawsMs } = await betAndClose();
    t.clock.set(new Date(drawsMs + 1_000));
    await t.app.step();
    expect(await publicly(drawId)).toMatchObject({ status: 'closed', beacons: [{ signature: null }] });
    expect(await running()).not.toBe(drawId);
    one.answerHeld();
    one.way = 'well';
    await t.app.tick();
    expect(await publicly(drawId)).toMatchObject({ status: 'settled', source: 'generated' });
  });

  it('is void if betting closed after the value could be known', async () => {
    const drawId = await running();
    await t.bet(net.user, { 7: 10 });
    await t.finishDraw();
    const late = await publicly(drawId);
    expect(late).toMatchObject({ status: 'void', voidCause: 'root', tickets: 1 });
    expect(late.wouldHaveBeen).not.toBeNull();
    expect(problemsOf(late)).toEqual([]);
  });

  it.each(['before', 'after'] as const)("whose close is sealed only %s its round's time", async (when) => {
    sealing = 'has stopped';
    const { drawId, closesMs, drawsMs } = await betAndClose();
    const roundMs = roundTimeMs(one, roundOfDraw(one, closesMs));
    await goTo(roundMs - 1);
    expect(await publicly(drawId)).toMatchObject({ status: 'closed' });
    sealing = 'goes on';
    await goTo(when === 'before' ? roundMs - 1 : roundMs);
    await goTo(Math.max(drawsMs, roundMs));
    const draw = await publicly(drawId);
    expect(draw).toMatchObject(when === 'before' ? { status: 'settled' } : { status: 'void', voidCause: 'root' });
    expect(problemsOf(draw)).toEqual([]);
  });

  it('is fetched once more by a server that was down at the deadline', async () => {
    one.way = 'away';
    const { drawId, drawsMs } = await betAndClose();
    one.way = 'well';
    await goTo(drawsMs + 10 * MINUTE_MS);
    expect(await publicly(drawId)).toMatchObject({ status: 'settled', source: 'generated' });
  });

  it('is finished by another server after a restart', async () => {
    one.way = 'not yet';
    const { drawId, drawsMs } = await betAndClose();
    await goTo(drawsMs + 5_000);
    one.way = 'well';
    const secondServer = await t.beside({ beacons: { beacons: [one.address], deadlineMs: MINUTE_MS } });
    await Promise.all([secondServer.app.tick(), t.app.tick()]);
    await t.app.tick();
    await secondServer.close();
    const settled = await publicly(drawId);
    expect(settled.status).toBe('settled');
    expect(problemsOf(settled)).toEqual([]);
  });

  it('is marked on the live panel', async () => {
    expect(await t.ok(loadGame, { query: pair() }, net.admin)).toMatchObject({ usesBeacon: true });
  });

  it('accepts saved results only before the scheduled close, and cannot be voided later', async () => {
    const drawId = await running();
    await t.ok(addResult, { body: { ...pair(), drawId, result: '4' } }, net.admin);
    await goTo(endMs() - 5_000);
    const refused = { status: 409, body: { code: 'DRAW_STATE' } };
    const { message } = (await t.call(addResult, { body: { ...pair(), drawId, result: '5' } }, net.admin)).body as {
      message: string;
    };
    expect(message).toBe('With a beacon, a result can only be saved before betting’s scheduled close.');
    for (const route of [voidDraw, generateResult])
      expect(await t.call(route, { body: { ...pair(), drawId, reason: 'x' } }, net.admin)).toMatchObject(refused);
    await t.finishDraw();
    expect(await publicly(drawId)).toMatchObject({ status: 'settled', source: 'declared', result: { drawno: '4' } });
    const next = await running();
    await t.ok(voidDraw, { body: { ...pair(), drawId: next, reason: 'x' } }, net.admin);
    expect(await publicly(next)).toMatchObject({ status: 'void', voidCause: 'operator', wouldHaveBeen: null });
    await goTo(endMs() + 1_000);
    expect((await publicly(next)).wouldHaveBeen).not.toBeNull();
  });

  it('is generated at its round if generated early', async () => {
    const drawId = await running();
    const drawsMs = endMs();
    await t.bet(net.user, { 7: 10 });
    const answer = await t.ok(generateResult, { body: { ...pair(), drawId } }, net.admin);
    expect(answer).toMatchObject({ drawId, result: null });
    expect(await publicly(drawId)).toMatchObject({ status: 'closed', tickets: 1 });
    await t.app.tick();
    await goTo(drawsMs + 1_000);
    const settled = await publicly(drawId);
    expect(settled).toMatchObject({ status: 'settled', source: 'generated' });
    expect(problemsOf(settled)).toEqual([]);
  });

  it('is settled with others if it has no bets', async () => {
    const drawId = await running();
    const drawsMs = endMs();
    await goTo(drawsMs - 5_000);
    await goTo(drawsMs + 1_000);
    const settled = await publicly(drawId);
    expect(settled).toMatchObject({ status: 'settled', tickets: 0 });
    expect(problemsOf(settled)).toEqual([]);
  });

  it('leaves books and draws the audit accepts', () => t.expectBooksToBalanceNow());
});

describe("a game's beacons", () => {
  it('come from the settings, chosen by superadmins only', async () => {
    const params = { adminId: net.admin._id };
    const { beacons, data } = await t.ok(listBeacons, { params }, net.superadmin);
    const seen = { isReady: true, last: { round: expect.any(Number), at: expect.any(String) }, away: null };
    expect(beacons).toEqual([
      { publicKey: one.publicKey, address: one.address.url, ...seen },
      { publicKey: two.publicKey, address: two.address.url, ...seen },
    ]);
    const { id } = data[0]!;
    const set = (keys: string[]) =>
      t.call(setBeacons, { params, body: { updates: [{ id, beacons: keys }] } }, net.superadmin);
    for (const wrong of [['ab'.repeat(96)], [one.publicKey, one.publicKey]])
      expect(await set(wrong)).toMatchObject({
        status: 400,
        body: { fields: { 'updates.0.beacons': expect.any(String) } },
      });
  });
});
