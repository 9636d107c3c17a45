import { fairDraw, fairKeeper, playerState } from '@drawhouse/contract/draws/draws';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { keeperDayText } from '@drawhouse/rules/keeper-texts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TestApp, TestClock } from '../../test/harness.ts';
import type { Network } from '../../test/harness.ts';
import { keptBy, startTestKeeper } from '../../test/kept-by.ts';
import type { TestKeeper } from '../../test/kept-by.ts';
import { isSignedBy } from './ed25519.ts';

let t: TestApp;
let net: Network;
let keeper: TestKeeper;
const MINUTE_MS = 60_000;
const NAME = 'other.example';
const OTHER_ROOT = 'ab'.repeat(32);

const publicly = (drawId: string) => t.ok(fairDraw, { params: { drawId } });
const running = async () => (await t.ok(playerState, { query: { gameId: 'funtargetbingo' } }, net.user)).draw?._id;
const notices = async () => (await t.ok(listNotices, {}, net.superadmin)).data;

/** Moves on by a minute, to the next draws, and does what is due. */
async function nextDraws(app = t.app): Promise<void> {
  t.clock.advance(MINUTE_MS - (t.clock.now().getTime() % MINUTE_MS));
  await app.tick();
}

beforeAll(async () => {
  const clock: { now: TestClock } = { now: new TestClock() };
  keeper = await startTestKeeper(() => clock.now, NAME);
  t = await TestApp.start({
    keeping: keptBy([keeper]),
    clockOf: (moved) => {
      clock.now = moved;
      return moved;
    },
  });
});
afterAll(async () => {
  await t.close();
  await keeper.close();
});
beforeEach(async () => {
  net = await t.network({ credit: 500 });
  await nextDraws();
});

it('gives no place again that the keeper has released, where the database was put back to an older state', async () => {
  const drawId = (await running())!;
  await nextDraws();
  const settled = await publicly(drawId);
  expect(settled.status).toBe('settled');
  await t.db.query('update keeper_days set next_index = 0');
  const restored = await t.beside({ keeping: keptBy([keeper]) });
  await nextDraws(restored.app);
  const next = (await running())!;
  expect((await publicly(next)).keepers[0]!.index).toBeGreaterThan(settled.keepers[0]!.index);
  await nextDraws(restored.app);
  expect(await publicly(next)).toMatchObject({ status: 'settled', faults: [] });
  await restored.close();
});

it('goes on where another root is shown that the keeper has not signed, and says so', async () => {
  keeper.shows = (day) => (day['root'] = OTHER_ROOT);
  await nextDraws();
  expect(await running()).toBeDefined();
  expect((await notices()).map(({ code }) => code)).not.toContain('KEEPER_TWO_ROOTS');
});

it('opens no draw with a keeper that has signed two roots for one day, keeps both, and says so for ever', async () => {
  const drawId = (await running())!;
  keeper.shows = (day) => {
    const { day: name, size } = day as { day: string; size: number };
    day['root'] = OTHER_ROOT;
    day['signature'] = keeper.sign(keeperDayText({ name: NAME, day: name, size, root: OTHER_ROOT }));
  };
  // It is noticed while the next draws open; the ones after these don't.
  await nextDraws();
  await nextDraws();
  expect(await running()).toBeUndefined();
  // What it has of draws that were under way counts: they name the root that was there first.
  expect((await publicly(drawId)).status).toBe('settled');
  const detail = expect.stringMatching(`it has signed two roots for .* ${OTHER_ROOT}$`);
  expect(await notices()).toContainEqual(expect.objectContaining({ code: 'KEEPER_TWO_ROOTS', detail }));

  const [kept] = (await t.ok(fairKeeper, {})).keepers;
  const convicted = kept!.days.filter(({ other }) => other !== null);
  expect(convicted).toHaveLength(1);
  const [{ day, size, root, signature, other }] = convicted as [(typeof convicted)[number]];
  expect(other).toMatchObject({ root: OTHER_ROOT, name: NAME });
  expect(root).not.toBe(OTHER_ROOT);
  for (const [text, signed] of [
    [{ name: NAME, day, size, root }, signature],
    [{ name: NAME, day, size: other!.size, root: other!.root }, other!.signature],
  ] as const)
    expect(isSignedBy(Buffer.from(keeper.publicKey, 'hex'), keeperDayText(text), Buffer.from(signed, 'hex'))).toBe(
      true,
    );

  // Whatever it shows from now on, to whichever server.
  keeper.shows = () => {};
  const later = await t.beside({ keeping: keptBy([keeper]) });
  await nextDraws(later.app);
  expect(await running()).toBeUndefined();
  await later.close();
});
