import { dashboard } from '@drawhouse/contract/reports/dashboard';
import { addWeekNote } from '@drawhouse/contract/weeks/close-weeks';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { recordPayment } from '@drawhouse/contract/weeks/week-payments';
import { weekSheet } from '@drawhouse/contract/weeks/week-sheet';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network();
});
afterAll(() => t.close());

const weekOf = async (by: SignedIn) => (await t.ok(dashboard, { query: {} }, by)).week;

it('shows on the dashboard who owes and since when, and the reminder to the one who owes', async () => {
  expect(await weekOf(net.distributor)).toBeNull();
  const { week, data } = await t.ok(weekSheet.route, { query: {} }, net.distributor);
  const account = { accountId: net.retailer._id };
  await t.ok(recordPayment, { body: { ...account, direction: 'out', sum: 12, method: 'cash' } }, net.distributor);
  const owed = data[0]!.balance + 12;
  expect(await weekOf(net.distributor)).toEqual({ owed, accounts: 1, since: week.from, own: null });
  t.clock.advance(7 * 86_400_000);
  await t.app.tick();
  for (const role of ['distributor', 'retailer'] as const) net[role] = await t.signIn(net[role].username);
  const reminder = { ...account, day: week.from, kind: 'reminder' as const, note: 'Please pay' };
  expect((await t.call(addWeekNote, { body: reminder }, net.retailer)).status).toBe(403);
  await t.ok(addWeekNote, { body: reminder }, net.distributor);
  expect((await weekOf(net.distributor))!.since).toBe(week.from);
  expect((await weekOf(net.retailer))!.own).toEqual({
    parent: net.distributor.username,
    balance: owed,
    since: week.from,
    reminder: { at: t.clock.now().toISOString(), by: net.distributor.username, note: 'Please pay' },
  });
});

it('puts what was owed before this week into both inboxes until it is paid', async () => {
  const noticesOf = async (by: SignedIn) =>
    (await t.ok(listNotices, {}, by)).data.map(({ code, about, detail }) => [code, about, detail]);
  expect(await noticesOf(net.distributor)).toEqual([
    ['ACCOUNTS_OWE', undefined, expect.stringContaining('1 account owes') as string],
  ]);
  const [[code, about, detail]] = (await noticesOf(net.retailer)) as [[string, string, string]];
  expect([code, about]).toEqual(['YOU_OWE', net.distributor.username]);
  expect(detail).toContain(`${net.distributor.username} reminds you: Please pay`);
  const { balance } = (await weekOf(net.retailer))!.own!;
  const payment = { accountId: net.retailer._id, direction: 'in', sum: balance, method: 'cash' } as const;
  await t.ok(recordPayment, { body: payment }, net.distributor);
  t.clock.advance(60_000);
  for (const by of [net.distributor, net.retailer]) expect(await noticesOf(by)).toEqual([]);
});

it('counts a debt from the week that made it, once those before are paid', async () => {
  const noticesOf = async () => (await t.ok(listNotices, {}, net.distributor)).data.map(({ code }) => code);
  const pay = (direction: 'in' | 'out', sum: number) => {
    const payment = { accountId: net.retailer._id, direction, sum, method: 'cash' } as const;
    return t.ok(recordPayment, { body: payment }, net.distributor);
  };
  const nextWeek = async () => {
    t.clock.advance(7 * 86_400_000);
    await t.app.tick();
    for (const role of ['distributor', 'retailer'] as const) net[role] = await t.signIn(net[role].username);
    return (await t.ok(weekSheet.route, { query: {} }, net.distributor)).week.from;
  };
  await t.give(await t.signIn(net.admin.username), net.distributor, 50);
  await pay('out', 20);
  const second = await nextWeek();
  await t.give(net.distributor, net.retailer, 30);
  await pay('in', 20);
  expect([await weekOf(net.distributor), await noticesOf()]).toMatchObject([{ owed: 30, since: second }, []]);
  const third = await nextWeek();
  await t.give(net.distributor, net.retailer, 5);
  expect([await weekOf(net.distributor), await noticesOf()]).toMatchObject([
    { owed: 35, since: second },
    ['ACCOUNTS_OWE'],
  ]);
  await pay('in', 30);
  t.clock.advance(60_000);
  expect([await weekOf(net.distributor), await noticesOf()]).toMatchObject([{ owed: 5, since: third }, []]);
});
