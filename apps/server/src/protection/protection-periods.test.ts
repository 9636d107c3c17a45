import { ownProtection, setOwnLimit } from '@drawhouse/contract/players/protection';
import type { ProtectionLimit } from '@drawhouse/contract/players/protection-names';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../../test/harness.ts';
import type { Network, SignedIn } from '../../test/harness.ts';

// Daylight saving in New York begins on Sunday, 8 March 2026 and ends on Sunday, 1 November: both start a week and last
// 23 and 25 hours.
let t: TestApp;
let net: Network;
let player: SignedIn;

beforeAll(async () => {
  t = await TestApp.start({ timeZone: 'America/New_York' });
  net = await t.network({ credit: 10_000 });
  player = net.user;
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

async function goTo(at: string): Promise<void> {
  t.clock.set(new Date(at));
  await t.app.tick();
  await t.finishDraw();
  player = await t.signIn(net.user.username);
}

async function used(limit: ProtectionLimit): Promise<number | null> {
  const { data } = await t.ok(ownProtection, {}, player);
  return data.limits.find((row) => row.limit === limit)!.used;
}

it.each([
  ['a day', 'stakePerDay', '2026-03-15T03:50:00Z', '2026-03-15T04:10:00Z'],
  ['a day on which summer time ends', 'stakePerDay', '2026-11-02T04:50:00Z', '2026-11-02T05:10:00Z'],
  ['a week', 'stakePerWeek', '2026-11-08T04:50:00Z', '2026-11-08T05:10:00Z'],
  ['a month', 'stakePerMonth', '2026-12-01T04:50:00Z', '2026-12-01T05:10:00Z'],
] as const)('%s starts at midnight of the time zone', async (_name, limit, before, after) => {
  await goTo(before);
  const already = (await used(limit))!;
  expect((await t.bet(player, { 1: 5 })).status).toBe(201);
  expect(await used(limit)).toBe(already + 5);
  await t.finishDraw();
  expect(await used(limit)).toBe(already + 5);
  await goTo(after);
  expect(await used(limit)).toBe(0);
});

it('a stake open over midnight counts on both days if settled on the second', async () => {
  await goTo('2026-12-10T04:57:30Z');
  await t.ok(setOwnLimit, { params: { limit: 'stakePerDay' }, body: { value: 10 } }, player);
  await t.finishDraw();
  expect((await t.bet(player, { 1: 10 })).status).toBe(201);
  expect((await t.bet(player, { 1: 1 })).body.code).toBe('OWN_LIMIT');
  t.clock.set(new Date('2026-12-10T05:00:01Z'));
  expect(await used('stakePerDay')).toBe(10);
  await t.app.tick();
  expect(await used('stakePerDay')).toBe(10);
  expect((await t.bet(player, { 1: 1 })).body.code).toBe('OWN_LIMIT');
});
