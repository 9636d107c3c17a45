import { login } from '@drawhouse/contract/auth/auth';
import { exportBackup, importBackup, undoRestore } from '@drawhouse/contract/backup/backups';
import {
  excludePlayer,
  ownProtection,
  ownProtectionHistory,
  setOwnLimit,
  setPlayerLimit,
  takeBreak,
} from '@drawhouse/contract/players/protection';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PASSWORD, TestApp } from '../../test/harness.ts';
import type { Network, SignedIn } from '../../test/harness.ts';

let t: TestApp;
let net: Network;
let second: SignedIn;

beforeEach(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 100 });
  second = await t.create(net.retailer);
});
afterEach(() => t.close());

async function signInAgain(): Promise<void> {
  Object.assign(net.admin, await t.signIn(net.admin.username));
  Object.assign(net.user, await t.signIn(net.user.username));
}

const held = async () => (await t.ok(ownProtection, {}, net.user)).data;
const valueOf = async (limit: string) => (await held()).limits.find((row) => row.limit === limit)!.value;

it('a restore loosens nothing: limits, breaks and exclusions since the backup hold on, and when it is undone', async () => {
  const own = (limit: 'stakePerDay' | 'lossPerDay', value: number) =>
    t.ok(setOwnLimit, { params: { limit }, body: { value } }, net.user);
  await own('stakePerDay', 80);
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  await own('stakePerDay', 30);
  await own('lossPerDay', 20);
  const params = { playerId: net.user._id, limit: 'stakePerWeek' } as const;
  await t.ok(setPlayerLimit, { params, body: { value: 60 } }, net.superadmin);
  await t.ok(excludePlayer, { params: { playerId: second._id }, body: { length: '1 year' } }, net.retailer);
  await t.ok(importBackup, { query: { folder } }, net.admin);
  await signInAgain();

  expect([await valueOf('stakePerDay'), await valueOf('lossPerDay'), await valueOf('stakePerWeek')]).toEqual([
    30, 20, 60,
  ]);
  expect((await t.ok(ownProtectionHistory, {}, net.user)).total).toBe(4);
  expect((await t.call(login, { body: { username: second.username, password: PASSWORD } })).body.code).toBe('EXCLUDED');
  await t.expectBooksToBalance();

  // What was set after the restore holds on when that is undone.
  await t.ok(takeBreak, { body: { length: '1 day' } }, net.user);
  await t.ok(undoRestore, { body: {} }, net.admin);
  await signInAgain();
  expect((await held()).breakUntil).not.toBeNull();
  expect((await t.ok(ownProtectionHistory, {}, net.user)).total).toBe(5);
  await t.expectBooksToBalance();
});
