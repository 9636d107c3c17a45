import { randomUUID } from 'node:crypto';
import { recordPayment, reversePayment, weekPayments } from '@drawhouse/contract/weeks/week-payments';
import { setWeekTerms } from '@drawhouse/contract/weeks/week-terms';
import { weekDays, weekSheet } from '@drawhouse/contract/weeks/week-sheet';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';

const WEEK_MS = 7 * 86_400_000;

let t: TestApp;
let net: Network;
let other: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 5000, commissions: { retailer: 10 } });
  other = await t.network();
});
afterAll(() => t.close());

const rowOf = async (by: SignedIn, account: SignedIn, day?: string) =>
  (await t.ok(weekSheet.route, { query: day === undefined ? {} : { day } }, by)).data.find(
    ({ id }) => id === account._id,
  )!;
const pay = (by: SignedIn, account: SignedIn, body: object = {}, idempotencyKey?: string) =>
  t.call(
    recordPayment,
    { body: { accountId: account._id, direction: 'in', sum: 12.34, method: 'cash', ...body } },
    { ...by, ...(idempotencyKey !== undefined && { idempotencyKey }) },
  );

async function signInAgain(): Promise<void> {
  for (const role of ['superadmin', 'admin', 'superdistributor', 'distributor', 'retailer', 'user'] as const)
    net[role] = await t.signIn(net[role].username);
}

it('lowers the balance by money received, raises it by money paid, and leaves credit alone', async () => {
  const before = await rowOf(net.distributor, net.retailer);
  const credit = await t.credit(net.retailer);
  const key = randomUUID();
  const first = await pay(net.distributor, net.retailer, { reference: 'R 7', note: 'May' }, key);
  const repeated = await pay(net.distributor, net.retailer, { reference: 'R 7', note: 'May' }, key);
  expect([first.status, repeated.body.paymentId]).toEqual([200, first.body.paymentId]);
  expect((await pay(net.superdistributor, net.retailer, { direction: 'out', sum: 2, method: 'bank' })).status).toBe(
    200,
  );
  const after = await rowOf(net.distributor, net.retailer);
  expect([after.received, after.paid, after.balance]).toEqual([12.34, 2, before.balance - 10.34]);
  expect(await t.credit(net.retailer)).toBe(credit);
  const { data } = await t.ok(weekPayments.route, { query: {} }, net.retailer);
  expect(data.map((row) => [row.direction, row.amount, row.parent, row.by, row.reference])).toEqual([
    ['out', 2, net.distributor.username, net.superdistributor.username, ''],
    ['in', 12.34, net.distributor.username, net.distributor.username, 'R 7'],
  ]);
});

it('reverses a payment once, by a counter-entry that mirrors it', async () => {
  const before = await rowOf(net.distributor, net.retailer);
  const { paymentId } = (await pay(net.distributor, net.retailer, { sum: 100 })).body;
  const replies = await Promise.all(
    [1, 2, 3].map(() => t.call(reversePayment, { body: { paymentId } }, net.distributor)),
  );
  expect(replies.map(({ status }) => status).filter((status) => status === 409)).toHaveLength(2);
  const counter = replies.find(({ status }) => status === 200)!.body.paymentId;
  const again = await t.call(reversePayment, { body: { paymentId: counter } }, net.distributor);
  expect(again.body.code).toBe('RULE_REFUSED');
  expect((await rowOf(net.distributor, net.retailer)).balance).toBe(before.balance);
  const { data } = await t.ok(weekPayments.route, { query: {} }, net.distributor);
  expect(data.find(({ _id }) => _id === paymentId)).toMatchObject({ isReversed: true, reverses: null });
  expect(data.find(({ _id }) => _id === counter)).toMatchObject({ isReversed: false, reverses: paymentId });
});

it('refuses the account itself, accounts above and other networks', async () => {
  expect((await pay(net.retailer, net.retailer)).status).toBe(403);
  expect((await pay(net.retailer, net.distributor)).status).toBe(404);
  expect((await pay(other.admin, net.retailer)).status).toBe(404);
  const { paymentId } = (await pay(net.distributor, net.retailer, { sum: 1 })).body;
  for (const by of [net.retailer, other.admin])
    expect((await t.call(reversePayment, { body: { paymentId } }, by)).status).toBe(404);
  const terms = { accounts: [net.retailer._id], share: 50, commission: 'week' as const };
  for (const by of [net.retailer, other.admin])
    expect([403, 404]).toContain((await t.call(setWeekTerms, { body: terms }, by)).status);
  expect((await t.ok(weekPayments.route, { query: {} }, other.admin)).data).toEqual([]);
});

it('carries the balance on, and changes terms from next week on', async () => {
  const set = (share: number | null, commission: 'atOnce' | 'week') =>
    t.ok(setWeekTerms, { body: { accounts: [net.retailer._id], share, commission } }, net.distributor);
  const now = await rowOf(net.distributor, net.retailer);
  expect((await set(null, 'atOnce')).results[0]!.from).toBe(now.since);
  const next = (await set(40, 'week')).results[0]!.from;
  expect((await rowOf(net.distributor, net.retailer)).terms).toEqual({ share: null, commission: 'atOnce' });
  t.clock.advance(WEEK_MS);
  await t.app.tick();
  await signInAgain();
  expect((await t.bet(net.user, { 3: 100 })).status).toBe(201);
  await t.finishDraw();
  const later = await rowOf(net.distributor, net.retailer);
  expect(later.terms).toEqual({ share: 40, commission: 'week' });
  expect(later.carried).toBe(now.balance);
  const earned = 100 * 0.1;
  expect(later.commission).toBe(earned);
  expect(later.balance).toBeCloseTo(later.carried + 0.4 * later.net - earned, 8);
  const { week, sheet } = await t.ok(weekDays.route, { query: {} }, net.retailer);
  expect([week.from, sheet?.carried, sheet?.balance]).toEqual([next, later.carried, later.balance]);
  expect((await rowOf(net.distributor, net.retailer, now.since!)).balance).toBe(now.balance);
});
