import { ownProtection, setOwnLimit } from '@drawhouse/contract/players/protection';
import type { ProtectionLimit } from '@drawhouse/contract/players/player-limits';
import { addDays, dayOf, dayStart } from '@drawhouse/rules/time/zone-days';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSignedInMs, readUsage } from './usage.ts';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';

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

/**
 * Clocks in New York, Cairo and Santiago change in 2026; Santiago and Cairo skip midnight. Chatham is 45 minutes off.
 */
const ZONES = [
  'America/New_York',
  'Africa/Cairo',
  'America/Santiago',
  'America/Havana',
  'Pacific/Chatham',
  'Asia/Kolkata',
];
const [FIRST, DAYS] = ['2026-01-01', 365];
const DAY_MS = 86_400_000;

it('counts days from midnight, weeks from Sunday and months from the first, at any instant of a year', async () => {
  const rolledBack = new Error('rolled back');
  const { networkId, gameId } = await keysOf();
  const check = async (timeZone: string, around: number, besideMs: number) => {
    const day = addDays(FIRST, around);
    const at = new Date(dayStart(day, timeZone).getTime() + besideMs);
    const today = dayOf(at, timeZone);
    const weekday = new Date(today).getUTCDay();
    const days = Array.from({ length: 40 }, (_, back) => addDays(today, -back));
    const work = t.db.transaction(async (tx) => {
      await tx.query(
        `insert into rollups (starts_at, stake, win, super_commission, dist_commission, retail_commission, user_commission,
           account_id, game_id, network_id, grain) select unnest($1::timestamptz[]), 1, 0, 0, 0, 0, 0, $2, $3, $4, 'day'
         on conflict do nothing`,
        [days.map((each) => dayStart(each, timeZone)), SOMEONE, gameId, networkId],
      );
      await tx.query(
        `insert into past_sessions (began_at, ended_at, account_id, token_hash) values ($1, $2, $3, '\\x00')`,
        [new Date(at.getTime() - 3 * DAY_MS), at, SOMEONE],
      );
      const usage = (await readUsage(tx, networkId, [SOMEONE], { at, timeZone })).get(SOMEONE)!;
      const signedIn = (await readSignedInMs(tx, [SOMEONE], new Set(), { at, timeZone })).get(SOMEONE);
      expect({ ...usage.staked, signedIn }).toEqual({
        day: 1n,
        week: BigInt(weekday + 1),
        month: BigInt(new Date(today).getUTCDate()),
        signedIn: at.getTime() - dayStart(today, timeZone).getTime() || undefined,
      });
      throw rolledBack;
    });
    await expect(work).rejects.toBe(rolledBack);
  };
  const instant = fc.tuple(
    fc.constantFrom(...ZONES),
    fc.integer({ min: 0, max: DAYS }),
    fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -2 * DAY_MS, max: 2 * DAY_MS })),
  );
  const examples = [
    ['America/New_York', '2026-03-08'],
    ['America/New_York', '2026-11-01'],
    ['Africa/Cairo', '2026-04-24'],
    ['Africa/Cairo', '2026-10-30'],
    ['America/Santiago', '2026-09-06'],
    ['America/Havana', '2026-11-01'],
    ['Pacific/Chatham', '2026-04-05'],
  ].flatMap(([zone, day]) =>
    [-1, 0, 1, DAY_MS].map((ms): [[string, number, number]] => [
      [zone!, (Date.parse(day!) - Date.parse(FIRST)) / DAY_MS, ms],
    ]),
  );
  await fc.assert(
    fc.asyncProperty(instant, (example) => check(...example)),
    { numRuns: 60, examples },
  );
});

const SOMEONE = '00000000-0000-4000-8000-00000000000a';

async function keysOf(): Promise<{ networkId: number; gameId: string }> {
  const rows = await t.db.query<{ network_id: number; game_id: string }>(
    `select network_id, game_id from network_games where network_id = (select network_id from accounts where id = $1) limit 1`,
    [net.user._id],
  );
  return { networkId: rows[0]!.network_id, gameId: rows[0]!.game_id };
}
