import { randomUUID } from 'node:crypto';
import { login, logout } from '@drawhouse/contract/auth/auth';
import { ownProtection, setOwnLimit } from '@drawhouse/contract/players/protection';
import { placeBets } from '@drawhouse/contract/tickets/bulk-bets';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeKey, uniqueIdOf } from '../../test/clients/program-keys.ts';
import { listen, TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { PlayerClient } from '../../test/clients/player-client.ts';

const MINUTE_MS = 60_000;
const FULL = 'Your limit is 30 minutes signed in per day: nothing is left today.';

let t: TestApp;
let url: string;
let net: Network;
let player: SignedIn;

beforeAll(async () => {
  t = await TestApp.start();
  url = await listen(t.app);
});
beforeEach(async () => {
  const midnight = new Date(t.clock.now());
  midnight.setUTCHours(42, 30, 0, 0);
  t.clock.set(midnight);
  net = await t.network({ credit: 100 });
  player = net.user;
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

const minutes = async (as: SignedIn = player): Promise<number> =>
  (await t.ok(ownProtection, {}, as)).data.today.minutes;
const limit = (value: number) => t.ok(setOwnLimit, { params: { limit: 'minutesPerDay' }, body: { value } }, player);
async function goOn(by: number): Promise<void> {
  t.clock.advance(by * MINUTE_MS);
  await t.app.tick();
}

it('counts from sign-in to last use, and overlapping sessions once', async () => {
  await goOn(10);
  expect(await minutes()).toBe(10);
  const second = await t.signIn(player.username);
  await goOn(10);
  expect(await minutes()).toBe(20);
  expect(await minutes(second)).toBe(20);
  await t.ok(logout, {}, player);
  await goOn(5);
  expect(await minutes(second)).toBe(25);
  await t.ok(logout, {}, second);
  await goOn(60);
  player = await t.signIn(player.username);
  await goOn(1);
  expect(await minutes()).toBe(26);
});

it('excludes idle time of an expired session', async () => {
  await goOn(7);
  expect(await minutes()).toBe(7);
  await t.app.tick();
  await goOn(120);
  player = await t.signIn(player.username);
  expect(await minutes()).toBe(7);
});

it("refuses bets once the day's minutes are used, says so at sign-in, and resets at midnight", async () => {
  await limit(30);
  await goOn(29);
  expect((await t.bet(player, { 1: 1 })).status).toBe(201);
  t.clock.advance(50_000);
  expect((await t.bet(player, { 1: 1 })).status).toBe(201);
  t.clock.advance(10_000);
  await t.app.tick();
  expect((await t.bet(player, { 1: 1 })).body).toMatchObject({ code: 'OWN_LIMIT', message: FULL });
  await t.ok(logout, {}, player);
  const { body } = await t.call(login, { body: { username: player.username, password: PASSWORD } });
  expect(body).toMatchObject({ success: true, notice: FULL });
  player = { ...player, token: body.token };
  expect((await t.bet(player, { 1: 1 })).body.code).toBe('OWN_LIMIT');

  const midnight = new Date(t.clock.now());
  midnight.setUTCHours(42, 30, 0, 0);
  t.clock.set(midnight);
  await t.app.tick();
  player = await t.signIn(player.username);
  expect((await t.bet(player, { 1: 1 })).status).toBe(201);
  expect(await minutes()).toBe(0);
});

it("counts only today's part of a session over midnight", async () => {
  const beforeMidnight = new Date(t.clock.now());
  beforeMidnight.setUTCHours(42, 20, 0, 0);
  t.clock.set(beforeMidnight);
  await t.app.tick();
  player = await t.signIn(player.username);
  await goOn(10);
  expect(await minutes()).toBe(0);
  await goOn(5);
  expect(await minutes()).toBe(5);
});

it('reconnecting and watching do not count as use of a session', async () => {
  await goOn(5);
  expect(await minutes()).toBe(5);
  await t.app.tick();
  for (let times = 0; times < 2; times++) {
    t.clock.advance(10 * MINUTE_MS);
    const client = new PlayerClient(url, player);
    client.watch(['funtargetbingo']);
    await expect.poll(() => client.games.length > 0).toBeTruthy();
    client.socket.close();
    await t.app.tick();
  }
  const [{ used }] = (await t.db.query<{ used: number }>(
    `select extract(epoch from last_used_at - created_at)::int / 60 as used from sessions where account_id = $1`,
    [player._id],
  )) as [{ used: number }];
  expect(used).toBe(5);
  t.clock.advance(MINUTE_MS);
  await t.bet(player, { 1: 1 });
  await t.app.tick();
  expect(await minutes()).toBe(26);
});

it("counts a program's minutes of play for a player not signed in, and then refuses it too", async () => {
  await limit(30);
  const { key } = await makeKey(t, net.admin);
  const uniqueId = await uniqueIdOf(t, player);
  await t.ok(logout, {}, player);
  const lay = async (): Promise<string> => {
    const bet = {
      player: uniqueId,
      gameId: 'funtargetbingo',
      requestId: randomUUID(),
      lines: [{ drawno: '7', qty: 1 }],
    };
    const { body } = await t.call(
      placeBets,
      { body: { bets: [bet, { ...bet, requestId: randomUUID() }] } },
      { token: key },
    );
    return body.answers.map((each) => (each.success ? 'taken' : each.code)).join();
  };
  for (let minute = 0; minute < 30; minute++) {
    t.clock.advance(MINUTE_MS);
    await t.app.tick();
    expect([minute, await lay()]).toEqual([minute, 'taken,taken']);
  }
  await goOn(1);
  expect(await lay()).toBe('OWN_LIMIT,OWN_LIMIT');
  expect(await minutes(await t.signIn(player.username))).toBe(30);
});
