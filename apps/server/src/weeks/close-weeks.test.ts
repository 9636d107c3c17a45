import { randomUUID } from 'node:crypto';
import { addWeekNote, closeWeeks } from '@drawhouse/contract/weeks/close-weeks';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { recordPayment } from '@drawhouse/contract/weeks/week-payments';
import { setWeekTerms } from '@drawhouse/contract/weeks/week-terms';
import { weekDays, weekSheet, type WeekSheetRow } from '@drawhouse/contract/weeks/week-sheet';
import { addDays } from '@drawhouse/rules/time/zone-days';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';

const WEEK_MS = 7 * 86_400_000;

let t: TestApp;
let net: Network;
let other: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 500, commissions: { retailer: 10 } });
  other = await t.network();
});
afterAll(() => t.close());

async function toNextWeek(): Promise<void> {
  t.clock.advance(WEEK_MS);
  await t.app.tick();
  for (const role of ['superadmin', 'admin', 'superdistributor', 'distributor', 'retailer', 'user'] as const)
    for (const each of [net, other]) each[role] = await t.signIn(each[role].username);
}

const sheetOf = (by: SignedIn, day?: string) => t.ok(weekSheet.route, { query: day === undefined ? {} : { day } }, by);
const rowOf = async (by: SignedIn, account: SignedIn, day?: string): Promise<WeekSheetRow> =>
  (await sheetOf(by, day)).data.find(({ id }) => id === account._id)!;

async function lastWeek(): Promise<string> {
  return addDays((await sheetOf(net.distributor)).week.from, -7);
}

const close = (by: SignedIn, day: string, rows: readonly Pick<WeekSheetRow, 'id' | 'balance'>[], more: object = {}) =>
  t.call(
    closeWeeks,
    {
      body: {
        day,
        lines: rows.map(({ id, balance }) => ({ accountId: id, expectedBalance: balance })),
        password: PASSWORD,
        ...more,
      },
    },
    { ...by, idempotencyKey: randomUUID() },
  );

const pay = (amount: number, direction: 'in' | 'out' = 'in') =>
  t.ok(
    recordPayment,
    { body: { accountId: net.retailer._id, direction, sum: amount, method: 'cash' } },
    net.distributor,
  );

it('closes a week for good: later payments appear in the next', async () => {
  await pay(20);
  expect((await close(net.distributor, (await sheetOf(net.distributor)).week.from, [])).status).toBe(400);
  const running = await rowOf(net.distributor, net.retailer);
  const early = await close(net.distributor, (await sheetOf(net.distributor)).week.from, [running]);
  expect([early.status, early.body.code]).toEqual([422, 'RULE_REFUSED']);
  await toNextWeek();
  const day = await lastWeek();
  const row = await rowOf(net.distributor, net.retailer, day);
  const stale = await close(net.distributor, day, [{ ...row, balance: row.balance + 1 }]);
  expect(stale.body.fields).toHaveProperty('lines.0.expectedBalance');
  const closed = await close(net.distributor, day, [row]);
  expect(closed.body.results).toEqual([
    { accountId: net.retailer._id, balance: row.balance, left: row.balance, credit: 0 },
  ]);
  await pay(7);
  expect(await rowOf(net.distributor, net.retailer, day)).toEqual({ ...row, state: 'closed' });
  const next = await rowOf(net.distributor, net.retailer);
  expect([next.carried, next.received, next.balance]).toEqual([row.balance, 7, row.balance - 7]);
  expect((await close(net.distributor, day, [row])).body.code).toBe('RULE_REFUSED');
});

it('pays, refills credit, and carries the rest, once per key', async () => {
  await toNextWeek();
  const day = await lastWeek();
  const row = await rowOf(net.distributor, net.retailer, day);
  await t.give(net.admin, net.distributor, 200);
  await pay(4);
  expect(await rowOf(net.distributor, net.retailer, day)).toEqual({ ...row, afterwards: { received: 4, given: 0 } });
  expect(row).toMatchObject({ credit: 0, isCreditOwed: true, afterwards: { received: 0, given: 0 } });
  const order = {
    body: {
      day,
      lines: [
        {
          accountId: row.id,
          expectedBalance: row.balance,
          payment: { direction: 'in' as const, sum: 3, method: 'bank' as const },
        },
      ],
      credit: 'refill' as const,
      refillTo: 150,
      password: PASSWORD,
    },
  };
  const by = { ...net.distributor, idempotencyKey: randomUUID() };
  const first = await t.call(closeWeeks, order, by);
  const again = await t.call(closeWeeks, order, by);
  expect(again.body.results).toEqual(first.body.results);
  expect(first.body.results[0]).toMatchObject({ balance: row.balance, left: row.balance - 4 - 3 + 150, credit: 150 });
  expect(await t.credit(net.retailer)).toBe(150);
  const next = await rowOf(net.distributor, net.retailer);
  expect([next.received, next.given, next.balance]).toEqual([7, 150, first.body.results[0]!.left]);
  await toNextWeek();
  const back = await rowOf(net.distributor, net.retailer, await lastWeek());
  const returned = await close(net.distributor, await lastWeek(), [back], { credit: 'back' });
  expect([returned.body.results[0]!.credit, await t.credit(net.retailer)]).toEqual([-150, 0]);
});

it('closes the open weeks before it with it', async () => {
  await t.ok(setWeekTerms, { body: { accounts: [net.retailer._id], share: 50, commission: 'week' } }, net.distributor);
  await t.bet(net.user, { 3: 100 });
  await t.finishDraw();
  await toNextWeek();
  await t.bet(net.user, { 3: 50 });
  await t.finishDraw();
  await toNextWeek();
  const day = await lastWeek();
  const row = await rowOf(net.distributor, net.retailer, day);
  expect((await close(net.distributor, day, [row])).status).toBe(200);
  const before = await rowOf(net.distributor, net.retailer, addDays(day, -7));
  expect([before.state, row.carried]).toEqual(['closed', before.balance]);
  await t.expectBooksToBalance();
});

it('closes a week once from two tabs, with a payment beside', async () => {
  await toNextWeek();
  const day = await lastWeek();
  const row = await rowOf(net.distributor, net.retailer, day);
  const tabs = [close(net.distributor, day, [row]), close(net.distributor, day, [row])];
  const [replies] = await Promise.all([Promise.all(tabs), pay(2)]);
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  const next = await rowOf(net.distributor, net.retailer);
  expect([next.carried, next.received]).toEqual([row.balance, 2]);
  await t.expectBooksToBalance();
});

it('is for the account directly above, and waits for the answer to a dispute', async () => {
  await toNextWeek();
  const day = await lastWeek();
  const row = await rowOf(net.distributor, net.retailer, day);
  for (const by of [net.retailer, net.superdistributor, other.distributor])
    expect([403, 404]).toContain((await close(by, day, [row])).status);
  const note = (by: SignedIn, kind: 'note' | 'dispute' | 'answer', accountId = net.retailer._id) =>
    t.call(addWeekNote, { body: { accountId, day, kind, note: 'See the receipt' } }, by);
  expect((await note(net.distributor, 'answer')).body.code).toBe('RULE_REFUSED');
  const noticesOf = async (by: SignedIn) =>
    (await t.ok(listNotices, {}, by)).data.filter((each) => each.day === day).map(({ code, about }) => [code, about]);
  const everyone = () =>
    Promise.all([net.retailer, net.distributor, net.superdistributor, other.distributor].map(noticesOf));
  expect((await note(net.retailer, 'dispute')).status).toBe(200);
  expect(await everyone()).toEqual([[], [['WEEK_DISPUTED', net.retailer.username]], [], []]);
  expect((await note(other.admin, 'note')).status).toBe(404);
  expect((await rowOf(net.distributor, net.retailer, day)).state).toBe('disputed');
  expect((await close(net.distributor, day, [row])).body.fields).toHaveProperty('lines.0.accountId');
  expect((await note(net.distributor, 'answer')).status).toBe(200);
  expect(await everyone()).toEqual([[['DISPUTE_ANSWERED', undefined]], [], [], []]);
  const { sheet } = await t.ok(weekDays.route, { query: { day } }, net.retailer);
  expect(sheet?.notes.map(({ by, kind }) => [by, kind])).toEqual([
    [net.retailer.username, 'dispute'],
    [net.distributor.username, 'answer'],
  ]);
  expect((await close(net.distributor, day, [row])).status).toBe(200);
  expect((await note(net.distributor, 'dispute')).status).toBe(200);
  expect((await note(net.retailer, 'dispute')).status).toBe(200);
  expect(await everyone()).toEqual([[], [], [], []]);
});

it('closes the weeks of a superadmin, whose admins are in separate networks', async () => {
  await toNextWeek();
  const day = await lastWeek();
  const mine = [net.admin, other.admin];
  const rows = (await sheetOf(net.superadmin, day)).data.filter(({ id }) => mine.some((admin) => admin._id === id));
  const closed = await close(net.superadmin, day, rows);
  expect(closed.body.results.map(({ balance }) => balance)).toEqual(rows.map(({ balance }) => balance));
});
