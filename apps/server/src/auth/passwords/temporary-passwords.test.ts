import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { importAccounts } from '@drawhouse/contract/accounts/bulk-accounts';
import { changePassword, confirmPassword, login, logout, session } from '@drawhouse/contract/auth/auth';
import { loadCredit } from '@drawhouse/contract/credit/own-credit';
import { makeChain } from '@drawhouse/contract/first-steps/first-steps';
import { addLogin, changeLogin } from '@drawhouse/contract/logins/logins';
import type { Role } from '@drawhouse/contract/core/primitives';
import { afterAll, describe, expect, it } from 'vitest';
import { onFreshNetworks, type As, type Network, type SignedIn, type TestApp } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';

const FIRST = 'first horse battery';
const DAY_MS = 24 * 60 * 60_000;

let t: TestApp;
let net: Network;
onFreshNetworks((...both) => ([t, net] = both));
afterAll(() => t.expectBooksToBalance());

let names = 0;
const newName = (): string => `fresh-${++names}`;

async function created(role: 'distributor' | 'user' = 'distributor', by = net.superdistributor): Promise<string> {
  const username = newName();
  const body = {
    username,
    password: FIRST,
    commission: 0,
    note: 'x',
    refId: role === 'user' ? net.retailer._id : by._id,
  };
  await t.ok(accountRoutes[role].create, { body }, by);
  return username;
}

const change = (as: As, from = FIRST, to = PASSWORD) =>
  t.call(changePassword, { body: { opass: from, npass: to, cpass: to } }, as);
const isTold = async (as: As): Promise<boolean> => (await t.ok(session, {}, as)).user.mustChangePassword;
const codeOf = async (reply: Promise<{ status: number; body: { code?: string } }>): Promise<string | number> => {
  const { status, body } = await reply;
  return body.code ?? status;
};
const creates = (as: SignedIn) =>
  codeOf(
    t.call(
      accountRoutes.retailer.create,
      { body: { username: newName(), password: FIRST, commission: 0, note: 'x', refId: as._id } },
      as,
    ),
  );
const reads = (as: As) => codeOf(t.call(loadCredit, { query: {} }, as));

describe('a password that somebody else set', () => {
  it('signs in, and sensitive calls wait until the person chooses another', async () => {
    const distributor = await t.signIn(await created(), FIRST);
    expect(await isTold(distributor)).toBe(true);
    expect([await reads(distributor), await creates(distributor)]).toEqual([200, 'CHANGE_PASSWORD']);
    expect(await codeOf(t.call(confirmPassword, { body: { password: FIRST } }, distributor))).toBe(200);
    expect((await change(distributor)).status).toBe(200);
    expect(await isTold(distributor)).toBe(false);
    const again = await t.signIn(distributor.username);
    expect([await isTold(again), await creates(again)]).toEqual([false, 201]);
  });

  it('covers logins, imports, the first chain, and resets', async () => {
    const its = async (username: string) => isTold(await t.signIn(username, FIRST));
    const person = { username: newName(), name: 'Meera', role: 'manager' as const, password: FIRST };
    const { number } = (await t.ok(addLogin, { body: person }, net.retailer)).data;
    expect(await its(person.username)).toBe(true);
    const meera = await t.signIn(person.username, FIRST);
    await change(meera);
    expect(await isTold(meera)).toBe(false);
    const terms = { name: 'Meera', role: 'manager' as const, active: true, password: FIRST };
    await t.ok(changeLogin, { params: { number: String(number) }, body: terms }, net.retailer);
    expect(await its(person.username)).toBe(true);

    const row = { username: newName(), password: FIRST, commission: '0' };
    const order = { role: 'retailer' as const, refId: net.distributor._id, rows: [row] };
    await t.ok(importAccounts, { body: order }, { ...net.superdistributor, idempotencyKey: newName() });
    expect(await its(row.username)).toBe(true);

    const usernames = Object.fromEntries(
      (['admin', 'superdistributor', 'distributor', 'retailer', 'user'] as const).map((role) => [role, newName()]),
    ) as Record<Exclude<Role, 'superadmin'>, string>;
    const chain = { usernames, accountPassword: FIRST, password: PASSWORD, adminCredit: 1, playerCredit: 1 };
    await t.give(net.superadmin, net.superadmin, 10);
    const body = { ...chain, games: ['funtargetbingo'], testNetwork: false };
    await t.ok(makeChain, { body }, { ...net.superadmin, idempotencyKey: newName() });
    expect([await its(usernames.admin), await its(usernames.user)]).toEqual([true, false]);

    const params = { id: net.retailer._id };
    await t.ok(accountRoutes.retailer.update, { params, body: { password: FIRST } }, net.distributor);
    expect(await its(net.retailer.username)).toBe(true);
  });

  it('stays with players, who bet at once', async () => {
    const player = await t.signIn(await created('user', net.retailer), FIRST);
    expect(await isTold(player)).toBe(false);
    await t.ok(accountRoutes.user.update, { params: { id: player._id }, body: { password: PASSWORD } }, net.retailer);
    expect(await isTold(await t.signIn(player.username))).toBe(false);
  });

  it('expires after 7 days, and the refusal says whom to ask', async () => {
    const username = await created();
    const person = { username: newName(), name: 'Asha', role: 'manager' as const, password: FIRST };
    await t.ok(addLogin, { body: person }, net.admin);
    const signsIn = (name: string) => t.call(login, { body: { username: name, password: FIRST } });
    t.clock.advance(7 * DAY_MS - 1);
    expect((await signsIn(username)).status).toBe(200);
    t.clock.advance(1);
    const messages = [await signsIn(username), await signsIn(person.username)].map(({ body }) => [
      body.code,
      (body as { message?: string }).message,
    ]);
    expect(messages).toEqual([
      ['NOT_ALLOWED', expect.stringContaining('Ask the account that manages yours')],
      ['NOT_ALLOWED', expect.stringContaining('Ask the owner of the account')],
    ]);
  });
});

describe('a network in which every call waits for a new password', () => {
  const set = (passwordFirst: boolean, as: SignedIn) =>
    codeOf(t.call(accountRoutes.admin.update, { params: { id: net.admin._id }, body: { passwordFirst } }, as));

  it('refuses every call but those that lead to one, at once', async () => {
    const distributor = await t.signIn(await created(), FIRST);
    expect(await reads(distributor)).toBe(200);
    expect(await set(true, net.superadmin)).toBe(200);
    expect([await reads(distributor), await reads(net.distributor)]).toEqual(['CHANGE_PASSWORD', 200]);
    expect(await codeOf(t.call(accountLists.retailer.route, { query: {} }, distributor))).toBe('CHANGE_PASSWORD');
    expect(await isTold(distributor)).toBe(true);
    await change(distributor);
    expect(await reads(distributor)).toBe(200);
    expect(await codeOf(t.call(logout, {}, distributor))).toBe(200);
  });

  it('is chosen by the superadmin alone', async () => {
    expect(await set(true, net.admin)).not.toBe(200);
  });
});
