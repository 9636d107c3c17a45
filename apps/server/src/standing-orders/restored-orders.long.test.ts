import { randomUUID } from 'node:crypto';
import { backupLosses, exportBackup, importBackup } from '@drawhouse/contract/backup/backups';
import { listNotices } from '@drawhouse/contract/notices/notices';
import {
  endStandingOrder,
  makeStandingOrder,
  standingOrders,
} from '@drawhouse/contract/standing-orders/standing-orders';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { balanceOf } from '../ledger/wallets.ts';
import { runStandingOrders } from './run-standing-orders.ts';
import { STANDING_ORDER_REASONS } from './standing-orders-texts.ts';

const HOUR_MS = 3_600_000;

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network();
  await t.give(net.superadmin, net.superadmin, 1000);
  await t.give(net.superadmin, net.distributor, 1000);
});
afterAll(() => t.close());

const make = async (terms: object): Promise<string> => {
  const body = { accountId: net.retailer._id, ...terms, password: PASSWORD };
  const by = { ...net.distributor, idempotencyKey: randomUUID() };
  return (await t.ok(makeStandingOrder, { body: body as never }, by)).data._id;
};

async function credit(): Promise<bigint> {
  const [row] = await t.db.query<{ networkId: number }>(
    `select network_id as "networkId" from accounts where id = $1`,
    [net.retailer._id],
  );
  return balanceOf(t.app.services.db, row!.networkId, `credit:${net.retailer._id}`);
}

it('keeps orders ended that a person ended, and takes back again what a restore gave back', async () => {
  const takeBackAt = new Date(t.clock.now().getTime() + HOUR_MS).toISOString();
  const temporary = await make({ kind: 'temporary', sum: 50, takeBackAt });
  const refill = await make({ kind: 'refill', sum: 200, clock: '06:00', weekdays: [0, 1, 2, 3, 4, 5, 6] });
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  await t.ok(endStandingOrder, { params: { orderId: refill } }, net.distributor);
  t.clock.advance(2 * HOUR_MS);
  await runStandingOrders(t.app.services);
  expect(await credit()).toBe(0n);

  net.admin = await t.signIn(net.admin.username);
  await t.ok(importBackup, { query: { folder } }, net.admin);
  await runStandingOrders(t.app.services);
  expect(await credit()).toBe(0n);
  t.clock.advance(24 * HOUR_MS);
  await runStandingOrders(t.app.services);
  expect(await credit()).toBe(0n);
  net.distributor = await t.signIn(net.distributor.username);
  const { data } = await t.ok(standingOrders.route, { query: {} }, net.distributor);
  const endOf = (id: string) => data.find(({ _id }) => _id === id)?.ended;
  expect([endOf(refill)?.by, endOf(temporary)?.reason]).toEqual([net.distributor.username, '50.00 taken back.']);
  await t.expectBooksToBalance();
});

it('ends orders made since the backup, says so before, and notifies their giver', async () => {
  net.admin = await t.signIn(net.admin.username);
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  t.clock.advance(1000);
  const floor = await make({ kind: 'floor', sum: 5, measure: 'owed' });
  expect((await t.ok(backupLosses, { query: { folder } }, net.admin)).lost.orders).toBe(1);
  await t.ok(importBackup, { query: { folder } }, net.admin);
  net.admin = await t.signIn(net.admin.username);
  net.distributor = await t.signIn(net.distributor.username);
  const { data } = await t.ok(standingOrders.route, { query: {} }, net.distributor);
  expect(data.find(({ _id }) => _id === floor)?.ended).toMatchObject({
    by: null,
    reason: STANDING_ORDER_REASONS.undone,
  });
  const { data: notices } = await t.ok(listNotices, {}, net.distributor);
  expect(notices.filter(({ code }) => code === 'ORDER_ENDED').map(({ detail }) => detail)).toContain(
    STANDING_ORDER_REASONS.undone,
  );
  await t.expectBooksToBalance();
});
