import { fairDraw, playerState, voidDraw } from '@drawhouse/contract/draws/draws';
import { examineKeepers } from '@drawhouse/rules/examine-keepers';
import { verifyDraw } from '@drawhouse/rules/fair';
import type { PublishedDraw } from '@drawhouse/rules/fair';
import { examineSeed } from '@drawhouse/rules/published-seed';
import { isEd25519 } from '@drawhouse/rules/verify-ed25519';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp, TestClock } from '../../test/harness.ts';
import type { Network } from '../../test/harness.ts';
import { keptBy, startTestKeeper, whileStalled } from '../../test/kept-by.ts';
import type { TestKeeper } from '../../test/kept-by.ts';

let t: TestApp;
let net: Network;
let keepers: [TestKeeper, TestKeeper];
const MINUTE_MS = 60_000;
const NAMES = ['first.example', 'second.example'] as const;

const publicly = (drawId: string) => t.ok(fairDraw, { params: { drawId } });
const running = async (): Promise<string> =>
  (await t.ok(playerState, { query: { gameId: 'funtargetbingo' } }, net.user)).draw!._id;

/** What anybody finds who checks a draw by what is published of it alone. */
async function problemsOf(drawId: string): Promise<string[]> {
  const published = (await publicly(drawId)) as unknown as PublishedDraw & Parameters<typeof examineKeepers>[0];
  const check = verifyDraw(published);
  return [...(check.ok ? [] : check.problems), ...examineKeepers(published, isEd25519).problems];
}

/** Moves on so far and does what is due. */
async function after(ms: number): Promise<void> {
  t.clock.advance(ms);
  await t.app.tick();
}

describe('draws of whose seeds two keepers have a part each', () => {
  const clock: { now: TestClock } = { now: new TestClock() };
  beforeAll(async () => {
    keepers = [await startTestKeeper(() => clock.now, NAMES[0]), await startTestKeeper(() => clock.now, NAMES[1])];
    t = await TestApp.start({
      keeping: keptBy(keepers),
      clockOf: (moved) => {
        clock.now = moved;
        return moved;
      },
    });
  });
  afterAll(async () => {
    await t.close();
    for (const keeper of keepers) await keeper.close();
  });
  beforeEach(async () => {
    net = await t.network({ credit: 500 });
  });
  afterEach(async () => {
    for (const keeper of keepers) keeper.way = 'well';
    // What is left ends, and the next one begins with draws that have just opened.
    await after(3 * MINUTE_MS);
    await after(MINUTE_MS - (t.clock.now().getTime() % MINUTE_MS));
  });

  it('need both, in the order of the settings, and say nothing of one before the draw is over', async () => {
    const drawId = await running();
    expect((await publicly(drawId)).keepers.map(({ name, publicKey }) => [name, publicKey])).toEqual(
      NAMES.map((name, nth) => [name, keepers[nth]!.publicKey]),
    );
    await whileStalled(keepers[1], async () => {
      await after(MINUTE_MS);
      const waiting = await publicly(drawId);
      expect(waiting.status).toBe('closed');
      expect(waiting.keepers.map(({ seed }) => seed)).toEqual([null, null]);
    });
    await after(6_000);
    expect(await publicly(drawId)).toMatchObject({ status: 'settled', source: 'generated' });
    expect(await problemsOf(drawId)).toEqual([]);
    // What has come is not asked for again.
    expect(keepers.map(({ asked }) => asked.filter((id) => id === drawId).length)).toEqual([1, 2]);

    const published = (await publicly(drawId)) as unknown as PublishedDraw;
    const [first, second] = published.keepers!;
    for (const parts of [[second, first], [first], [second]])
      expect(examineSeed({ ...published, keepers: parts as [] }).seed).not.toEqual(examineSeed(published).seed);
    await t.expectBooksToBalance();
  });

  it.each([0, 1] as const)('are void where keeper %i stays silent, whatever the other gave', async (silent) => {
    await t.bet(net.user, { 7: 10 });
    const [drawId, before] = [await running(), await t.credit(net.user)];
    keepers[silent].way = 'away';
    await after(MINUTE_MS);
    await after(30_000);
    expect((await publicly(drawId)).status).toBe('closed');
    await after(30_000);
    const voided = await publicly(drawId);
    // The result was not knowable: nobody has had both.
    expect(voided).toMatchObject({ status: 'void', voidCause: 'keeper', result: null, knowable: null });
    expect(voided.keepers.map(({ seed }) => seed === null)).toEqual([silent === 0, silent === 1]);
    expect(await t.credit(net.user)).toBe(before + 10);
    expect(await problemsOf(drawId)).toEqual([]);
    await t.expectBooksToBalance();
  });

  it('are marked as knowable only once the second has answered for a void one', async () => {
    const drawId = await running();
    keepers[1].way = 'lost';
    await after(MINUTE_MS - 3_000);
    await t.ok(
      voidDraw,
      { body: { gameId: 'funtargetbingo', adminId: net.admin._id, reason: 'A bad day' } },
      net.admin,
    );
    expect((await publicly(drawId)).knowable).toBeNull();
    keepers[1].way = 'well';
    await after(6_000);
    expect((await publicly(drawId)).knowable).toMatchObject({ pays: 0 });
    expect(await problemsOf(drawId)).toEqual([]);
    await t.expectBooksToBalance();
  });

  it('do not open while one of them is not to be had', async () => {
    const drawId = await running();
    const gone = { url: 'http://127.0.0.1:9', publicKey: keepers[1].publicKey };
    const other = await t.beside({ keeping: keptBy([keepers[0], gone]) });
    t.clock.advance(MINUTE_MS);
    await other.app.tick();
    expect((await t.ok(playerState, { query: { gameId: 'funtargetbingo' } }, net.user)).draw).toBeNull();
    expect((await publicly(drawId)).status).toBe('closed');
    await other.close();
    await after(6_000);
    expect(await publicly(drawId)).toMatchObject({ status: 'settled', source: 'generated' });
    expect((await publicly(await running())).keepers).toHaveLength(2);
    await t.expectBooksToBalance();
  });
});
