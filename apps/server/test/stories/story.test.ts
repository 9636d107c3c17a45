import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { addResult, fairDraw, playerState } from '@drawhouse/contract/draws/draws';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { loadGame } from '@drawhouse/contract/live/live';
import { playerTickets } from '@drawhouse/contract/tickets/tickets';
import { turnoverReport } from '@drawhouse/contract/reports/turnover';
import { ROLES } from '@drawhouse/contract/core/primitives';
import { verifyDraw, type PublishedDraw } from '@drawhouse/rules/fair/fair';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network } from '../harness.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 500, commissions: { superdistributor: 1, distributor: 2, retailer: 3, user: 4.5 } });
});
afterAll(() => t.close());

const game = { gameId: 'funtargetbingo' };
const pair = () => ({ ...game, adminId: net.admin._id });

it('plays one draw from the bet to the report', async () => {
  const before = await t.ok(playerState, { query: game }, net.user);
  expect(before).toMatchObject({ walletBalance: 500, draw: { status: 'open' } });

  const bet = await t.bet(net.user, { 7: 30, 3: 20 });
  expect(bet).toMatchObject({ status: 201, body: { walletBalance: 450, ticket: { playpoints: 50, winpoints: null } } });
  const panel = await t.ok(loadGame, { query: pair() }, net.admin);
  expect(panel.totalsumdata).toBe(50);
  expect(panel.data.find((row) => row.drawno === '7')).toMatchObject({ sum: 30, pays: 270 });

  // The chain passed everything on, so the superadmin funds the table.
  await t.give(net.superadmin, net.superadmin, 1000);
  await t.give(net.superadmin, net.admin, 1000);
  await t.ok(addBalance, { body: { ...pair(), balance: 1000 } }, net.admin);
  const saved = await t.ok(addResult, { body: { ...pair(), result: '7', boosterValue: 2 } }, net.admin);
  expect(saved.message).toBe('Result added successfully!');
  expect((await t.bet(net.user, { 7: 1 })).body.code).toBe('BETTING_CLOSED');
  await t.expectBooksToBalance();

  await t.finishDraw();
  expect(await t.credit(net.user)).toBe(450 + 30 * 9 * 2);
  const after = await t.ok(loadGame, { query: pair() }, net.admin);
  expect(after.lastData.data[0]).toMatchObject({
    result: { drawno: '7' },
    drawno: '7',
    booster: 2,
    source: 'declared',
    drawId: before.draw!._id,
  });
  expect(after.draw).toMatchObject({ status: 'open', number: before.draw!.number + 1 });
  // 1000 added, 50 staked, 540 won, 0.5 + 1 + 1.5 + 2.25 commission.
  expect(after.percentageData[0]!.gameBalance).toBe(1000 + 50 - 540 - 5.25);
  expect(after.collections).toEqual({ totalPlaypoints: 50, totalWinpoints: 540, balance: -490 });
  const { data: tickets } = await t.ok(playerTickets, { query: {} }, net.user);
  expect(tickets).toEqual([expect.objectContaining({ winpoints: 540, drawId: before.draw!._id })]);
  await t.expectBooksToBalance();
});

it('generates a draw without a saved result from its committed seed', async () => {
  const { draw } = await t.ok(playerState, { query: game }, net.user);
  await t.bet(net.user, { 1: 10 });
  const running = await t.ok(fairDraw, { params: { drawId: draw!._id } });
  expect(running).toMatchObject({ commitment: draw!.commitment, seed: null, result: null, ticketRoot: null });

  await t.finishDraw();
  const published = await t.ok(fairDraw, { params: { drawId: draw!._id } });
  expect(published).toMatchObject({ status: 'settled', source: 'generated', tickets: 1, commitment: draw!.commitment });
  expect(verifyDraw(published as unknown as PublishedDraw)).toEqual({ ok: true });
  await t.expectBooksToBalance();
});

it('shows the same turnover at every level, down to the player', async () => {
  const day = { startDate: '2026-03-09T18:30:00.000Z', endDate: '2026-03-10T18:29:59.999Z' };
  const levels = [];
  for (const role of ROLES.slice(0, -1)) {
    const report = await t.ok(turnoverReport.route, { query: { ...day, id: net[role]._id } }, net.superadmin);
    levels.push(report);
    expect(report.data).toHaveLength(1);
    expect(report.parents.map((parent) => parent.role)).toEqual(ROLES.slice(0, ROLES.indexOf(role) + 1));
  }
  const [first] = levels;
  expect(first!.summary).toMatchObject({ totalPlayPoints: 60, totalCommission: 6.3 });
  expect(first!.data[0]).toMatchObject({ playPoints: 60, supercom: 0.6, distcom: 1.2, retailcom: 1.8, usercom: 2.7 });
  for (const level of levels) expect(level.summary).toEqual(first!.summary);
  expect(levels.map((level) => level.role)).toEqual(ROLES.slice(1));
});

it('pays commissions into the commission wallets', async () => {
  const points = [];
  for (const role of ROLES.slice(1)) {
    const { data } = await t.ok(accountRoutes[role].get, { params: { id: net[role]._id } }, net.superadmin);
    points.push(data.commissionPoint);
  }
  expect(points).toEqual([0, 0.6, 1.2, 1.8, 2.7]);
});

it('logs every step', async () => {
  const { data } = await t.ok(activityLog.route, { query: {} }, net.superadmin);
  const subjects = data.map((row) => row.subject).toReversed();
  const steps = [
    'Signed in',
    `Created admin ${net.admin.username}`,
    'Issued 1,000,500.00 points',
    `Gave 1,000,500.00 points to ${net.admin.username}`,
    `Gave 500.00 points to ${net.user.username}`,
    'Added the game balance of Fun Target Bingo: 1,000.00 points',
    expect.stringContaining('Saved result 7 booster 2 of Fun Target Bingo'),
  ];
  for (const step of steps) expect(subjects).toContainEqual(step);
  expect(data.find((row) => row.subject.startsWith('Saved result'))).toMatchObject({
    username: net.admin.username,
    requestUrl: '/api/live/addresult',
    method: 'POST',
    ipAddress: '127.0.0.1',
  });
});
