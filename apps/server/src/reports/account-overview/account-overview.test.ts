import { accountOverview } from '@drawhouse/contract/reports/account-overview';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { addResult } from '@drawhouse/contract/draws/draws';
import { figures, turnoverReport } from '@drawhouse/contract/reports/turnover';
import { statement } from '@drawhouse/contract/credit/statement';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';

let t: TestApp;
let net: Network;
let second: SignedIn;

const period = () => ({ startDate: '2026-03-01T00:00:00.000Z', endDate: t.clock.now().toISOString() });
const overviewOf = (id: string, by: SignedIn = net.admin) => t.ok(accountOverview, { query: { id, ...period() } }, by);

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 500, commissions: { retailer: 10, user: 5 } });
  second = await t.create(net.retailer);
  await t.give(net.superadmin, net.superadmin, 1000);
  await t.give(net.superadmin, net.retailer, 300);
  await t.give(net.retailer, second, 200);
  const taken = { toUserId: second._id, adjustAmount: 50, transactionType: 'debit' as const, password: PASSWORD };
  await t.ok(accountRoutes.user.creditAdjust, { body: taken }, net.retailer);
  for (const stakes of [
    [10, 30],
    [20, 40],
  ]) {
    await t.bet(net.user, { 7: stakes[0]! });
    await t.bet(second, { 3: stakes[1]! });
    await t.ok(addResult, { body: { gameId: 'funtargetbingo', adminId: net.admin._id, result: '7' } }, net.admin);
    await t.finishDraw();
  }
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

it("shows an account's totals since creation, as in the reports, at every level", async () => {
  for (const account of [net.superadmin, net.admin, net.distributor, net.retailer, net.user, second]) {
    const { lifetime, games } = await overviewOf(account._id, net.superadmin);
    const { data } = await t.ok(figures, { query: { id: account._id, ...period() } }, net.superadmin);
    const { playPoints, winPoints, endPoints, net: kept } = data;
    expect(playPoints).toBeGreaterThan(0);
    expect(lifetime).toEqual({ playPoints, winPoints, endPoints, net: kept, commission: endPoints - kept });
    expect(games).toMatchObject([{ gameId: 'funtargetbingo', playPoints, winPoints, endPoints }]);
  }
});

it('lists the most active accounts directly below and credit counterparties', async () => {
  const { byPlay, byCredit } = await overviewOf(net.retailer._id);
  expect(byPlay.map(({ username, playPoints }) => [username, playPoints])).toEqual([
    [second.username, 70],
    [net.user.username, 30],
  ]);
  const { data } = await t.ok(turnoverReport.route, { query: { id: net.retailer._id, ...period() } }, net.admin);
  for (const row of byPlay) expect(data.find(({ id }) => id === row.id)).toMatchObject({ winPoints: row.winPoints });
  expect(byCredit).toEqual([
    { id: net.user._id, username: net.user.username, role: 'user', deleted: false, given: 500, takenBack: 0 },
    { id: second._id, username: second.username, role: 'user', deleted: false, given: 200, takenBack: 50 },
  ]);
  expect(await overviewOf(second._id)).toMatchObject({ byPlay: [], byCredit: [] });
});

it('keeps accounts deleted since, marked as such', async () => {
  const gone = await t.create(net.retailer);
  await t.give(net.superadmin, net.superadmin, 900);
  await t.give(net.superadmin, net.retailer, 900);
  await t.give(net.retailer, gone, 900);
  await t.bet(gone, { 3: 100 });
  await t.finishDraw();
  await t.ok(accountRoutes.user.remove, { params: { id: gone._id } }, net.retailer);
  const { byPlay, byCredit } = await overviewOf(net.retailer._id);
  for (const rows of [byPlay, byCredit])
    expect(rows.map(({ username, deleted }) => [username, deleted]).slice(0, 2)).toEqual([
      [gone.username, true],
      [rows[1]!.username, false],
    ]);
  const { data } = await t.ok(statement.route, { query: { id: net.retailer._id, ...period() } }, net.admin);
  expect(data.filter(({ counterpart }) => counterpart === gone.username)).toMatchObject([
    { counterpartId: null, counterpartRole: 'user' },
    { counterpartId: null, counterpartRole: 'user' },
  ]);
});

it('is not found for other networks or above the caller', async () => {
  const other = await t.create(net.superadmin, { role: 'admin' });
  for (const [by, id] of [
    [other, net.retailer._id],
    [net.retailer, net.distributor._id],
  ] as const)
    expect((await t.call(accountOverview, { query: { id, ...period() } }, by)).status).toBe(404);
});
