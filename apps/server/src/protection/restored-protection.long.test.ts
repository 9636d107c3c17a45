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
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';

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

const ownLimits = async () => (await t.ok(ownProtection, {}, net.user)).data;
const valueOf = async (limit: string) => (await ownLimits()).limits.find((row) => row.limit === limit)!.value;

it('a restore and its undo loosen no limit, break or exclusion since the backup', async () => {
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

  await t.ok(takeBreak, { body: { length: '1 day' } }, net.user);
  await t.ok(undoRestore, { body: {} }, net.admin);
  await signInAgain();
  expect((await ownLimits()).breakUntil).not.toBeNull();
  expect((await t.ok(ownProtectionHistory, {}, net.user)).total).toBe(5);
  await t.expectBooksToBalance();
});

it('a server drops its cached protection after a restore', async () => {
  const other = await t.beside();
  const codeOf = async (server: TestApp, points: number): Promise<string | undefined> => {
    const { status, body } = await server.bet(net.user, { 1: points });
    return status === 201 ? 'taken' : body.code;
  };
  await t.ok(setOwnLimit, { params: { limit: 'stakePerDay' }, body: { value: 30 } }, net.user);
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  // The restored wallet reaches this same version through a different bet.
  expect(await codeOf(t, 1)).toBe('taken');
  await t.ok(importBackup, { query: { folder } }, net.admin);
  await signInAgain();
  await t.finishDraw();
  expect(await codeOf(other, 25)).toBe('taken');
  expect([await codeOf(t, 6), await codeOf(t, 5)]).toEqual(['OWN_LIMIT', 'taken']);

  await t.ok(takeBreak, { body: { length: '1 day' } }, net.user);
  await t.ok(undoRestore, { body: {} }, net.admin);
  await signInAgain();
  expect([await codeOf(other, 1), await codeOf(t, 1)]).toEqual(['ON_BREAK', 'ON_BREAK']);
  await other.close();
  await t.expectBooksToBalance();
});
