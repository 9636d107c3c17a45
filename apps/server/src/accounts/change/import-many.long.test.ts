import { checkImport, importAccounts } from '@drawhouse/contract/accounts/bulk-accounts';
import { transferToMany } from '@drawhouse/contract/credit/payouts';
import { BULK_MAX } from '@drawhouse/contract/core/primitives';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network();
});
afterAll(() => t.close());

it('imports 500 accounts, which then get credit in one call', async () => {
  const rows = Array.from({ length: BULK_MAX }, (_, nth) => ({ username: `many-${nth}`, password: PASSWORD }));
  const bare = rows.map(({ username }) => ({ username }));
  await t.ok(checkImport, { body: { role: 'user', rows: bare } }, net.retailer);
  const { accounts } = await t.ok(importAccounts, { body: { role: 'user', rows } }, net.retailer);
  expect(accounts).toHaveLength(BULK_MAX);
  await t.give(net.superadmin, net.superadmin, 1_000);
  await t.give(net.superadmin, net.retailer, 1_000);
  const transfers = accounts.map(({ _id }) => ({ toUserId: _id, amount: 1.5 }));
  expect(await t.ok(transferToMany, { body: { transfers, password: PASSWORD } }, net.retailer)).toMatchObject({
    moved: 750,
  });
  await t.expectBooksToBalance();
});
