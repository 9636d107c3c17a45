import { backupLosses, exportBackup, importBackup } from '@drawhouse/contract/backup/backups';
import { closeWeeks } from '@drawhouse/contract/weeks/close-weeks';
import { recordPayment, weekPayments } from '@drawhouse/contract/weeks/week-payments';
import { setWeekTerms } from '@drawhouse/contract/weeks/week-terms';
import { weekDays, weekSheet } from '@drawhouse/contract/weeks/week-sheet';
import { addDays } from '@drawhouse/rules/time/zone-days';
import { sumPoints } from '@drawhouse/contract/core/primitives';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { firstOpenDay } from './first-open-day.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 500 });
});
afterAll(() => t.close());

async function signInAgain(): Promise<void> {
  for (const role of ['admin', 'distributor', 'retailer', 'user'] as const)
    net[role] = await t.signIn(net[role].username);
}

async function bet(stake: number): Promise<void> {
  expect((await t.bet(net.user, { 3: stake })).status).toBe(201);
  await t.finishDraw();
}

async function openFrom(): Promise<string | undefined> {
  const [row] = await t.db.query<{ network_id: number }>('select network_id from accounts where id = $1', [
    net.admin._id,
  ]);
  return firstOpenDay(t.db, row!.network_id, t.app.services.timeZone);
}

const weekOf = (day?: string) =>
  t.ok(weekDays.route, { query: { id: net.retailer._id, ...(day !== undefined && { day }) } }, net.distributor);

it('keeps payments and closed weeks in a restore, whose changes appear in the open week as late', async () => {
  const share = { accounts: [net.retailer._id], share: 100, commission: 'atOnce' as const };
  await t.ok(setWeekTerms, { body: share }, net.distributor);
  await bet(40);
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  t.clock.advance(1000);
  const before = (await weekOf()).totals.net;
  await bet(60);
  const undone = sumPoints([(await weekOf()).totals.net, -before]);
  t.clock.advance(7 * 86_400_000);
  await t.app.tick();
  await signInAgain();
  const day = addDays((await weekOf()).week.from, -7);
  const [row] = (await t.ok(weekSheet.route, { query: { day } }, net.distributor)).data;
  const lines = [{ accountId: net.retailer._id, expectedBalance: row!.balance }];
  await t.ok(closeWeeks, { body: { day, lines, password: PASSWORD } }, net.distributor);
  const payment = { accountId: net.retailer._id, direction: 'in', sum: 7, method: 'cash' } as const;
  await t.ok(recordPayment, { body: payment }, net.distributor);
  expect(await openFrom()).toBe(addDays(day, 7));
  // The restore undoes this account, and its payment with it.
  const added = await t.create(net.distributor);
  const ofAdded = await t.ok(recordPayment, { body: { ...payment, accountId: added._id } }, net.distributor);
  const [closed, payments] = [await weekOf(day), await t.ok(weekPayments.route, { query: {} }, net.distributor)];
  expect((await t.ok(backupLosses, { query: { folder } }, net.admin)).kept).toEqual({ payments: 1, weeks: 1 });

  await t.ok(importBackup, { query: { folder } }, net.admin);
  await signInAgain();
  // Clearing would lose what is late.
  expect(await openFrom()).toBe(day);
  expect({ ...(await weekOf(day)), requestId: null }).toEqual({ ...closed, requestId: null });
  const paymentsOf = payments.data.filter(({ _id }) => _id !== ofAdded.paymentId);
  expect((await t.ok(weekPayments.route, { query: {} }, net.distributor)).data).toEqual(paymentsOf);
  const { sheet } = await weekOf();
  expect([sheet!.late, sheet!.carried]).toEqual([-undone, sumPoints([row!.balance, -undone])]);
  expect(sheet!.balance).toBe(sumPoints([row!.balance, -undone, -7]));
  await t.expectBooksToBalance();

  const lastRestore = async () => (await t.db.query<{ at: Date }>('select max(at) as at from restores'))[0]!.at;
  const first = await lastRestore();
  // Weeks that old change by a restore only.
  t.clock.advance(21 * 86_400_000);
  await t.app.tick();
  await signInAgain();
  const next = addDays(day, 7);
  expect((await weekOf(next)).sheet!.late).toBe(-undone);
  const [nextRow] = (await t.ok(weekSheet.route, { query: { day: next } }, net.distributor)).data;
  const nextLines = [{ accountId: net.retailer._id, expectedBalance: nextRow!.balance }];
  await t.ok(closeWeeks, { body: { day: next, lines: nextLines, password: PASSWORD } }, net.distributor);
  const nextClosed = await weekOf(next);
  // This closing stored what was late.
  expect(await openFrom()).toBe(addDays(next, 7));
  await t.ok(importBackup, { query: { folder } }, net.admin);
  await signInAgain();
  expect((await lastRestore()).getTime()).toBeGreaterThan(first.getTime());
  expect(await openFrom()).toBe(day);
  expect({ ...(await weekOf(next)), requestId: null }).toEqual({ ...nextClosed, requestId: null });
  expect((await weekOf()).sheet!.late).toBe(0);
  await t.expectBooksToBalance();
});
