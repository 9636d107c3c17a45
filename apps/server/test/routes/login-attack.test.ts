import { mayCall, permissionsOf, type LoginRole } from '@drawhouse/contract/core/permissions';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { makeApiKey } from '@drawhouse/contract/api-keys/api-keys';
import { transferToMany } from '@drawhouse/contract/credit/payouts';
import { addLogin } from '@drawhouse/contract/logins/logins';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../harness.ts';
import { PASSWORD } from '../test-password.ts';
import { eachNth } from '../test-tier.ts';
import { emptyUrlOf, nameOf, ROUTES } from './contract-routes.ts';

// Logins of a network's admin try everything, with a valid elevation.

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

async function answersOf(login: SignedIn, role: LoginRole, nth: number): Promise<[string, number, string?][]> {
  const rights = permissionsOf(role, []);
  const closed = ROUTES.filter((route) => route.access !== 'public' && !mayCall(route, rights));
  const answers: [string, number, string?][] = [];
  for (const route of eachNth(nth, closed)) {
    const reply = await t.send(route.method, emptyUrlOf(route), login, route.method === 'GET' ? undefined : {});
    answers.push([nameOf(route), reply.status, (reply.body as { code?: string }).code]);
  }
  return answers;
}

const isRefusal = ([, status, code]: [string, number, string?]): boolean =>
  status === 403 && ['NO_PERMISSION', 'NOT_ALLOWED'].includes(code ?? '');

it.each(['manager', 'table', 'reports', 'custom'] as const)(
  'a login of role %s is refused every call that is not its job',
  async (role) => {
    const username = `${role}.${net.retailer.username}`;
    const owner = await t.signIn(net.admin.username);
    await t.ok(addLogin, { body: { username, name: username, role, password: PASSWORD } }, owner);
    await t.takePasswordsAsOwn();
    const answers = await answersOf(await t.signIn(username), role, 5);
    expect(answers.length).toBeGreaterThan(10);
    expect(answers.filter((answer) => !isRefusal(answer))).toEqual([]);
  },
);

it('is refused every call that is not its job, before its body is read', async () => {
  const answers = await answersOf(cashier, 'cashier', 1);
  expect(answers.length).toBeGreaterThan(100);
  expect(answers.filter((answer) => !isRefusal(answer))).toEqual([]);
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
