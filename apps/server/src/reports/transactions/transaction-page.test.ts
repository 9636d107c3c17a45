import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { payCommission } from '@drawhouse/contract/credit/credit';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { transactionOf, transactionReport } from '@drawhouse/contract/reports/transactions';
import { statement } from '@drawhouse/contract/credit/statement';
import { ROLES } from '@drawhouse/contract/core/primitives';
import { addResult } from '@drawhouse/contract/draws/draws';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';

let t: TestApp;
let net: Network;
let other: Network;

const PERIOD = { startDate: '2026-03-01T00:00:00.000Z', endDate: '2026-03-31T23:59:59.999Z' };

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ commissions: { superdistributor: 1, distributor: 1, retailer: 1, user: 1 } });
  other = await t.network();
  await t.give(net.superadmin, net.superadmin, 10_000);
  for (const role of ROLES.slice(1)) await t.give(net.superadmin, net[role], 500);
});
afterAll(() => t.close());

const page = (by: SignedIn, id: string) => t.ok(transactionOf, { params: { id } }, by);
const give = async (by: SignedIn, to: SignedIn, points: number): Promise<string> => {
  const body = { toUserId: to._id, transferAmount: points, password: PASSWORD, note: 'For the week' };
  return (await t.ok(accountRoutes[to.role].creditTransfer, { body }, by)).transferId;
};

it('shows both accounts, their balances, who made the transfer and from where', async () => {
  const [admin, retailer] = [await t.credit(net.admin), await t.credit(net.retailer)];
  const id = await give(net.admin, net.retailer, 25);
  expect(await page(net.superadmin, id)).toMatchObject({
    data: {
      _id: id,
      kind: 'credit',
      amount: 25,
      note: 'For the week',
      from: { name: net.admin.username, id: net.admin._id, wallet: 'credit', before: admin, after: admin - 25 },
      to: { name: net.retailer.username, id: net.retailer._id, before: retailer, after: retailer + 25 },
      actor: { name: net.admin.username, id: net.admin._id, role: 'admin' },
      ticketId: null,
    },
    reversible: { payer: { name: net.retailer.username, balance: retailer + 25 } },
    log: [{ subject: `Gave 25.00 points to ${net.retailer.username}`, username: net.admin.username }],
  });
  expect(await page(net.retailer, id)).toMatchObject({
    data: { from: { id: null, before: null, after: null }, to: { before: retailer, after: retailer + 25 } },
    reversible: null,
    log: [],
  });
});

it('shows a transfer across the border by either half, with the balances of both accounts', async () => {
  const [root, admin] = [await t.credit(net.superadmin), await t.credit(net.admin)];
  const id = await give(net.superadmin, net.admin, 10);
  const { data: own } = await t.ok(statement.route, { query: PERIOD }, net.superadmin);
  const expected = {
    data: {
      _id: id,
      from: { name: net.superadmin.username, wallet: 'credit', before: root, after: root - 10 },
      to: { name: net.admin.username, before: admin, after: admin + 10 },
    },
  };
  expect(own[0]!._id).not.toBe(id);
  expect(await page(net.superadmin, own[0]!._id)).toMatchObject(expected);
  expect(await page(net.superadmin, id)).toMatchObject(expected);
  expect((await page(net.admin, id)).data).toMatchObject({ from: { before: null }, to: { after: admin + 10 } });
});

it('finds every row of the Transaction Report, whatever made it', async () => {
  await t.bet(net.user, { 5: 2, 7: 1 });
  const pair = { adminId: net.admin._id, gameId: 'funtargetbingo' };
  await t.ok(addBalance, { body: { ...pair, balance: 5, type: 'add' } }, net.admin);
  await t.ok(addResult, { body: { ...pair, result: '5', boosterValue: 2 } }, net.admin);
  await t.finishDraw();
  await t.ok(payCommission, { body: { toUserId: net.retailer._id, password: PASSWORD } }, net.admin);
  const { data } = await t.ok(transactionReport.route, { query: { ...PERIOD, pageSize: '500' } }, net.admin);
  expect(new Set(data.map(({ kind }) => kind))).toEqual(
    new Set(['credit', 'stake', 'table-add', 'cover', 'win', 'commission', 'payout']),
  );
  for (const row of data) expect((await page(net.admin, row._id)).data).toMatchObject(row);
  const stake = data.find(({ kind }) => kind === 'stake')!;
  expect((await page(net.admin, stake._id)).data.to.after).not.toBeNull();
  expect((await page(net.retailer, stake._id)).data.to.after).toBeNull();
});

it('is not found outside the subtree', async () => {
  const id = await give(net.distributor, net.retailer, 5);
  const sibling = await t.create(net.superdistributor);
  for (const by of [other.admin, other.retailer, sibling])
    expect(await t.call(transactionOf, { params: { id } }, by)).toMatchObject({
      status: 404,
      body: { message: 'No such transaction in your network.' },
    });
  expect((await t.call(transactionOf, { params: { id } }, net.user)).status).toBe(403);
  for (const missing of ['0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d', 'ffffffff-ffff-4fff-bfff-ffffffffffff'])
    expect((await t.call(transactionOf, { params: { id: missing } }, net.superadmin)).status).toBe(404);
});
