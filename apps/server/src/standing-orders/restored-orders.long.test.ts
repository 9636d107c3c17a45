import { randomUUID } from 'node:crypto';
import { exportBackup, importBackup } from '@drawhouse/contract/backup/backups';
import {
  endStandingOrder,
  makeStandingOrder,
  standingOrders,
} from '@drawhouse/contract/standing-orders/standing-orders';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../../test/harness.ts';
import type { Network } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { balanceOf } from '../ledger/wallets.ts';
import { runStandingOrders } from './run-standing-orders.ts';

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
