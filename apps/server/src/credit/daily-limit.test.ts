import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { loadCredit } from '@drawhouse/contract/credit/own-credit';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { passCredit } from '../../test/clients/pass-credit.ts';

const t = await TestApp.start({ timeZone: 'Asia/Kolkata' });
let net: Network;

afterAll(() => t.close());
beforeEach(async () => {
  net = await t.network({ credit: 0 });
  await t.give(net.superadmin, net.superadmin, 2000);
  await t.give(net.superadmin, net.retailer, 1000);
  await t.give(net.superadmin, net.distributor, 1000);
});

const setLimit = (by: SignedIn, account: SignedIn, dailyLimit: number | null) =>
  t.call(accountRoutes[account.role].update, { params: { id: account._id }, body: { dailyLimit } }, by);
const give = (from: SignedIn, to: SignedIn, points: number) =>
  t.call(
    accountRoutes[to.role].creditTransfer,
    { body: { toUserId: to._id, transferAmount: points, password: PASSWORD } },
    from,
  );
const leftToday = async (of: SignedIn): Promise<number | null> => (await t.ok(loadCredit, {}, of)).data[0]!.leftToday;

it('blocks what exceeds it, shows the remainder, and resets at midnight of the time zone', async () => {
  expect(await leftToday(net.retailer)).toBeNull();
  expect((await setLimit(net.distributor, net.retailer, 100)).body.data.dailyLimit).toBe(100);
  expect((await give(net.retailer, net.user, 60)).status).toBe(200);
  const refused = await give(net.retailer, net.user, 40.01);
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    422,
    'DAILY_LIMIT',
    'Your daily limit is 100.00 points. You have 40.00 left today.',
  ]);
  expect(await leftToday(net.retailer)).toBe(40);
  expect((await give(net.retailer, net.user, 40)).status).toBe(200);
  expect((await give(net.retailer, net.user, 0.01)).body.message).toBe(
    'Your daily limit is 100.00 points. You have nothing left today.',
  );
  const midnight = new Date(t.clock.now());
  midnight.setUTCHours(18, 30, 0, 0);
  t.clock.set(new Date(midnight.getTime() - 1));
  net.retailer = await t.signIn(net.retailer.username);
  expect((await give(net.retailer, net.user, 1)).status).toBe(422);
  t.clock.set(midnight);
  expect((await give(net.retailer, net.user, 100)).status).toBe(200);
  await t.expectBooksToBalance();
});

it('counts only the day after a fast clock is corrected, despite ids from ahead', async () => {
  await setLimit(net.distributor, net.retailer, 100);
  const inDays = (days: number) => new Date(t.clock.now().getTime() + days * 86_400_000);
  const giveAt = (at: Date, points: number) => {
    const passes = [{ from: net.retailer._id, to: net.user._id, amount: points * 100 }];
    return passCredit(t, net.networkId, { clock: { now: () => at }, newId: t.app.services.newId }, passes);
  };
  const then = inDays(2);
  await giveAt(then, 60);
  await giveAt(inDays(1), 30);
  t.clock.set(then);
  net.retailer = await t.signIn(net.retailer.username);
  expect(await leftToday(net.retailer)).toBe(40);
  expect((await give(net.retailer, net.user, 40.01)).body.code).toBe('DAILY_LIMIT');
  expect((await give(net.retailer, net.user, 40)).status).toBe(200);
});

it('counts only credit given, not credit taken back or bet', async () => {
  await setLimit(net.admin, net.retailer, 50);
  const adjust = (by: SignedIn, to: SignedIn, adjustAmount: number, transactionType: 'credit' | 'debit') =>
    t.call(
      accountRoutes[to.role].creditAdjust,
      { body: { toUserId: to._id, adjustAmount, transactionType, password: PASSWORD } },
      by,
    );
  expect((await adjust(net.distributor, net.retailer, 500, 'debit')).status).toBe(200);
  expect(await leftToday(net.retailer)).toBe(50);
  expect((await adjust(net.retailer, net.user, 50, 'credit')).status).toBe(200);
  expect((await adjust(net.retailer, net.user, 50, 'debit')).status).toBe(200);
  expect((await adjust(net.retailer, net.user, 1, 'credit')).body.code).toBe('DAILY_LIMIT');
  expect((await give(net.distributor, net.user, 400)).status).toBe(200);
});

it('holds under concurrent requests', async () => {
  await setLimit(net.admin, net.retailer, 50);
  const replies = await Promise.all(Array.from({ length: 5 }, () => give(net.retailer, net.user, 20)));
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(2);
  expect(replies.filter((reply) => reply.body.code === 'DAILY_LIMIT')).toHaveLength(3);
  await t.expectBooksToBalance();
});

it('is set by ancestors only, never by the account itself, and not for players', async () => {
  expect((await setLimit(net.retailer, net.retailer, 5)).status).toBe(403);
  expect((await setLimit(net.retailer, net.user, 5)).body.fields).toHaveProperty('dailyLimit');
  for (const wrong of [-1, 0.001, 1e30, '5' as never])
    expect((await setLimit(net.distributor, net.retailer, wrong)).body.fields).toHaveProperty('dailyLimit');
  expect((await setLimit(net.distributor, net.retailer, 0)).status).toBe(200);
  expect((await give(net.retailer, net.user, 1)).body.code).toBe('DAILY_LIMIT');
  expect((await setLimit(net.distributor, net.retailer, null)).body.data.dailyLimit).toBeNull();
  expect((await give(net.retailer, net.user, 1)).status).toBe(200);
});
