import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { userCount } from '@drawhouse/contract/accounts/account-children';
import { dashboard } from '@drawhouse/contract/reports/dashboard';
import { addResult } from '@drawhouse/contract/draws/draws';
import { changeGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import { ROLES, sumPoints, type Role } from '@drawhouse/contract/core/primitives';
import { figures, turnoverReport } from '@drawhouse/contract/reports/turnover';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { claimWin } from '@drawhouse/contract/tickets/tickets';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';

const GAME = 'funtargetbingo';
const DAY_MS = 86_400_000;
const STAFF = ['superadmin', 'admin', 'superdistributor', 'distributor', 'retailer'] as const;

let t: TestApp;
let net: Network;

beforeEach(async () => {
  t = await TestApp.start({ timeZone: 'Asia/Kolkata' });
  net = await t.network({
    credit: 10_000,
    commissions: { superdistributor: 1, distributor: 2, retailer: 3, user: 4 },
  });
});
afterEach(() => t.close());

async function seenBy(role: Role, timeZone?: string): Promise<RouteAnswer<typeof dashboard>> {
  return t.ok(dashboard, { query: { timeZone } }, await t.signIn(net[role].username));
}

async function play(player: SignedIn, points: number, comesOut: 7 | 8): Promise<void> {
  await t.app.tick();
  const { status } = await t.bet(await t.signIn(player.username), { 7: points });
  expect(status).toBe(201);
  const by = await t.signIn(net.admin.username);
  await t.ok(
    addResult,
    { body: { gameId: GAME, adminId: net.admin._id, result: String(comesOut), boosterValue: 1 } },
    by,
  );
  await t.finishDraw();
}

it('shows each role today beside the same time yesterday and last week, for its subtree', async () => {
  const stranger = await t.network({ credit: 100 });
  await play(net.user, 100, 8);
  t.clock.advance(3 * 3_600_000);
  await play(net.user, 10, 8);
  t.clock.advance(6 * DAY_MS - 3 * 3_600_000);
  await play(net.user, 50, 7);
  t.clock.advance(DAY_MS);
  await play(net.user, 20, 8);
  const earned: Partial<Record<Role, number>> = { superdistributor: 0.2, distributor: 0.4, retailer: 0.6 };
  for (const role of STAFF) {
    const { today, yesterday, lastWeek, hasPlayed } = await seenBy(role);
    expect(hasPlayed).toBe(true);
    expect(today, `as ${role}`).toMatchObject({ playPoints: 20, winPoints: 0, net: 18, earned: earned[role] ?? 0 });
    expect(yesterday, `as ${role}`).toMatchObject({ playPoints: 50, winPoints: 450, net: -405 });
    expect(lastWeek, `as ${role}`).toMatchObject({ playPoints: 100, winPoints: 0, net: 90 });
    expect(today.hours).toHaveLength(lastWeek.hours.length);
    expect(today.rest).toEqual([]);
    expect(sumPoints(lastWeek.rest.map(({ playPoints }) => playPoints)), `as ${role}`).toBe(10);
    expect(lastWeek.hours.length + lastWeek.rest.length - 1, `as ${role}`).toBe(24);
    for (const part of [today, yesterday, lastWeek])
      expect(sumPoints(part.hours.map(({ net: kept }) => kept))).toBe(part.net);
  }
  t.clock.advance(1);
  const { today } = await seenBy('admin');
  const { data } = await t.ok(
    figures,
    { query: { id: net.admin._id, startDate: today.startDate, endDate: t.clock.now().toISOString() } },
    await t.signIn(net.admin.username),
  );
  expect(today).toMatchObject({ playPoints: data.playPoints, winPoints: data.winPoints, net: data.net });
  const foreign = await t.ok(dashboard, { query: {} }, await t.signIn(stranger.admin.username));
  expect(foreign).toMatchObject({
    hasPlayed: false,
    hasGiven: true,
    today: { playPoints: 0 },
    mostPlay: [],
    mostLoss: [],
  });
  expect((await t.call(dashboard, { query: {} }, await t.signIn(net.user.username))).status).toBe(403);
});

it('uses days of the viewer’s time zone', async () => {
  // 21:30 in Kolkata: yesterday there overlaps today in New York, daylight saving included.
  t.clock.set(new Date('2026-03-10T16:00:00Z'));
  await play(net.user, 30, 8);
  t.clock.set(new Date('2026-03-10T20:00:00Z'));
  await t.app.tick();
  expect((await seenBy('admin')).today).toMatchObject({ startDate: '2026-03-10T18:30:00.000Z', playPoints: 0 });
  expect((await seenBy('admin', 'America/New_York')).today).toMatchObject({
    startDate: '2026-03-10T04:00:00.000Z',
    playPoints: 30,
  });
  expect((await seenBy('admin', 'America/New_York')).lastWeek.startDate).toBe('2026-03-03T05:00:00.000Z');
  const wrong = await t.call(dashboard, { query: { timeZone: 'Nowhere' } }, await t.signIn(net.admin.username));
  expect(wrong).toMatchObject({ status: 400, body: { fields: { timeZone: expect.any(String) } } });
});

it('names the children with most play and largest loss, as in the turnover report', async () => {
  const others: SignedIn[] = [];
  await t.give(net.superadmin, net.superadmin, 600);
  for (let each = 0; each < 6; each++) {
    const player = await t.create(net.retailer);
    await t.give(net.superadmin, player, 100);
    others.push(player);
  }
  for (const [index, player] of others.entries()) await play(player, 10 + index, index < 2 ? 7 : 8);
  const { mostPlay, mostLoss } = await seenBy('retailer');
  expect(mostPlay.map(({ username, playPoints }) => [username, playPoints])).toEqual(
    [5, 4, 3, 2, 1].map((index) => [others[index]!.username, 10 + index]),
  );
  expect(mostLoss.map(({ username, endPoints }) => [username, endPoints])).toEqual([
    [others[1]!.username, -88],
    [others[0]!.username, -80],
  ]);
  await t.ok(accountRoutes.user.remove, { params: { id: others[5]!._id } }, await t.signIn(net.superadmin.username));
  expect((await seenBy('retailer')).mostPlay.map(({ username, deleted }) => [username, deleted])).toEqual(
    [5, 4, 3, 2, 1].map((index) => [others[index]!.username, index === 5]),
  );
  const admin = await seenBy('admin');
  expect(admin.mostPlay).toMatchObject([
    { username: net.superdistributor.username, role: 'superdistributor', playPoints: 75 },
  ]);
  const day = { startDate: admin.today.startDate, endDate: t.clock.now().toISOString() };
  const { data } = await t.ok(turnoverReport.route, { query: day }, await t.signIn(net.admin.username));
  expect(data).toMatchObject([{ playPoints: admin.mostPlay[0]!.playPoints, endPoints: admin.mostPlay[0]!.endPoints }]);
});

it('shows pending commission, wins and confirmations, and who is online', async () => {
  const superadmin = await t.signIn(net.superadmin.username);
  const { data: games } = await t.ok(gameList.route, { query: {} }, superadmin);
  const params = { id: games.find(({ gameId }) => gameId === GAME)!._id };
  await t.ok(changeGame, { params, body: { manualClaims: 'yes' } }, superadmin);
  await t.finishDraw();
  const bet = await t.bet(await t.signIn(net.user.username), { 7: 100 });
  await t.ok(
    addResult,
    { body: { gameId: GAME, adminId: net.admin._id, result: '7', boosterValue: 1 } },
    await t.signIn(net.admin.username),
  );
  await t.finishDraw();
  const pending = async (role: Role) => (await seenBy(role)).pendingCommission;
  expect(await pending('superadmin')).toEqual({ points: 10, accounts: 4, own: 0 });
  expect(await pending('superdistributor')).toEqual({ points: 9, accounts: 3, own: 1 });
  expect(await pending('retailer')).toEqual({ points: 4, accounts: 1, own: 3 });
  const stranger = await t.network({ credit: 0 });
  for (const role of STAFF) {
    for (const { user } of [net, stranger]) await t.signIn(user.username);
    const { unclaimed, online, counts } = await seenBy(role);
    expect(unclaimed, `as ${role}`).toEqual({ points: 900, accounts: 1 });
    expect(online, `as ${role}`).toBe(role === 'superadmin' ? 2 : 1);
    const { countUsers } = await t.ok(userCount, { query: {} }, await t.signIn(net[role].username));
    expect(counts.user, `as ${role}`).toBe(countUsers);
    expect(Object.keys(counts), `as ${role}`).toEqual(ROLES.slice(ROLES.indexOf(role) + 1));
  }
  await t.ok(claimWin, { body: { ticketId: bet.body.ticket._id } }, await t.signIn(net.user.username));
  expect((await seenBy('retailer')).unclaimed).toEqual({ points: 0, accounts: 0 });

  t.clock.advance(5 * 60_000);
  expect((await seenBy('admin')).online).toBe(0);
});

it('shows before the first bet whether credit reached a child', async () => {
  net = await t.network({ credit: 0 });
  const seen = async () => Promise.all(STAFF.slice(1).map(async (role) => (await seenBy(role)).hasGiven));
  await t.give(net.superadmin, net.superadmin, 5);
  await t.give(net.superadmin, net.admin, 5);
  expect(await seen()).toEqual([false, false, false, false]);
  await t.give(net.admin, net.superdistributor, 2);
  expect(await seen()).toEqual([true, false, false, false]);
  await t.give(net.superdistributor, net.distributor, 2);
  expect(await seen()).toEqual([true, true, false, false]);
});

it('names the panel of the first bets for the rest of their day', async () => {
  const seen = async () => {
    const { hasPlayed, steps } = await seenBy('admin');
    return { hasPlayed, panel: steps?.panel?.gameId };
  };
  expect(await seen()).toEqual({ hasPlayed: false, panel: GAME });
  await play(net.user, 30, 8);
  expect(await seen()).toEqual({ hasPlayed: true, panel: GAME });
  expect((await seenBy('retailer')).steps).toBeNull();
  t.clock.advance(24 * 60 * 60_000);
  expect(await seen()).toEqual({ hasPlayed: true, panel: undefined });
});
