import { mayCall, permissionsOf } from '@drawhouse/contract/core/permissions';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { makeApiKey } from '@drawhouse/contract/api-keys/api-keys';
import { transferToMany } from '@drawhouse/contract/credit/payouts';
import { addLogin } from '@drawhouse/contract/logins/logins';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../harness.ts';
import { PASSWORD } from '../test-password.ts';
import { emptyUrlOf, nameOf, ROUTES } from './contract-routes.ts';

// A cashier of a network's admin tries everything, with a valid elevation.

let t: TestApp;
let net: Network;
let other: Network;
let cashier: SignedIn;
beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 100 });
  other = await t.network({ credit: 100 });
  const body = { username: 'front.desk', name: 'Meera', role: 'cashier' as const, password: PASSWORD, dailyLimit: 50 };
  await t.ok(addLogin, { body }, net.admin);
  await t.takePasswordsAsOwn();
  cashier = await t.signIn('front.desk');
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

const RIGHTS = permissionsOf('cashier', []);
const closed = ROUTES.filter((route) => route.access !== 'public' && !mayCall(route, RIGHTS));

it('is refused every call that is not its job, before its body is read', async () => {
  expect(closed.length).toBeGreaterThan(100);
  const answers: Record<string, unknown> = {};
  for (const route of closed) {
    const reply = await t.send(route.method, emptyUrlOf(route), cashier, route.method === 'GET' ? undefined : {});
    answers[nameOf(route)] = [reply.status, (reply.body as { code?: string }).code];
  }
  const isRefusal = ([status, code]: [number, string]) =>
    status === 403 && ['NO_PERMISSION', 'NOT_ALLOWED'].includes(code);
  expect(Object.entries(answers).filter(([, answer]) => !isRefusal(answer as [number, string]))).toEqual([]);
  t.clock.advance(60_000);
  await t.app.tick();
  const { data } = await t.ok(activityLog.route, { query: { search: 'Refused' } }, net.admin);
  expect(data[0]!.username).toBe(`${net.admin.username} / Meera`);
});

it('gives no more than its amount, to nobody outside, and takes nothing back', async () => {
  const give = (to: SignedIn, points: number) => {
    const body = { toUserId: to._id, transferAmount: points, password: PASSWORD };
    return t.call(accountRoutes[to.role].creditTransfer, { body }, cashier);
  };
  const codeOf = async (reply: Promise<{ body: unknown }>) => ((await reply).body as { code?: string }).code;
  expect(await codeOf(give(other.user, 1))).toBe('NOT_FOUND');
  expect(await codeOf(give(net.admin, 1))).toBe('NOT_ALLOWED');
  expect(await codeOf(give(net.user, 50.01))).toBe('DAILY_LIMIT');
  // Calls at once share one limit.
  const codes = await Promise.all(Array.from({ length: 4 }, () => codeOf(give(net.user, 20))));
  expect(codes.filter((code) => code === undefined)).toHaveLength(2);
  expect(codes.filter((code) => code === 'DAILY_LIMIT')).toHaveLength(2);
  const back = {
    transfers: [{ toUserId: net.user._id, amount: 1 }],
    transactionType: 'debit' as const,
    password: PASSWORD,
  };
  expect(await codeOf(t.call(transferToMany, { body: back }, cashier))).toBe('NO_PERMISSION');
});

it('makes no API key with another role: a key acts as the account', async () => {
  const permissions = ['keys', 'lists'] as never;
  const body = { username: 'keeper.of.keys', name: 'Ravi', role: 'custom' as const, password: PASSWORD, permissions };
  await t.ok(addLogin, { body }, net.admin);
  await t.takePasswordsAsOwn();
  const key = { name: 'Mine', permissions: ['credit', 'adjustments'] } as never;
  const refused = await t.call(makeApiKey, { body: key }, await t.signIn(body.username));
  expect(refused.body.code).toBe('NO_PERMISSION');
});
