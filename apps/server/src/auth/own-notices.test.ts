import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { changePassword, login } from '@drawhouse/contract/auth/auth';
import { inviteAccount } from '@drawhouse/contract/auth/invitations';
import { markOwnNotices, ownNotices } from '@drawhouse/contract/auth/own-notices';
import { addLogin, changeLogin } from '@drawhouse/contract/logins/logins';
import { afterAll, expect, it } from 'vitest';
import { addAppFactor } from '../../test/clients/app-factor.ts';
import { onFreshNetworks, type As, type Network, type TestApp } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';

let t: TestApp;
let net: Network;
onFreshNetworks((...both) => ([t, net] = both));
afterAll(() => t.expectBooksToBalance());

const kindsOf = async (as: As): Promise<string[]> => (await t.ok(ownNotices, {}, as)).data.map(({ kind }) => kind);
const signIn = (username: string, ip: string, password = PASSWORD) =>
  t.call(login, { body: { username, password } }, { ip });

it('report a sign-in from a new device, but not from a known address or the first one', async () => {
  const made = await t.create(net.distributor);
  expect(await kindsOf(made)).toEqual([]);
  await signIn(made.username, '127.0.0.1');
  expect(await kindsOf(made)).toEqual([]);
  await signIn(made.username, '203.0.113.9');
  await signIn(made.username, '203.0.113.9');
  const { data } = await t.ok(ownNotices, {}, made);
  expect(data).toMatchObject([{ kind: 'device', by: made.username, ipAddress: '203.0.113.9' }]);
});

it('report changes of commission, password and second factor, newest first', async () => {
  const change = (body: object) =>
    t.ok(accountRoutes.retailer.update, { params: { id: net.retailer._id }, body }, net.admin);
  await change({ commission: 1 });
  await change({ note: 'nothing of a login' });
  await change({ password: 'first horse battery' });
  const retailer = await t.signIn(net.retailer.username, 'first horse battery');
  const words = { opass: 'first horse battery', npass: PASSWORD, cpass: PASSWORD };
  await t.ok(changePassword, { body: words }, retailer);
  const again = await t.signIn(retailer.username);
  await addAppFactor(t, again);
  const { data } = await t.ok(ownNotices, {}, again);
  expect(data.map(({ kind, by, ipAddress }) => [kind, by, ipAddress === null])).toEqual([
    ['factor', retailer.username, false],
    ['password', retailer.username, false],
    ['password', net.admin.username, true],
    ['commission', net.admin.username, true],
  ]);
  t.clock.advance(31 * 86_400_000);
  expect(await kindsOf(await t.signIn(net.distributor.username))).toEqual([]);
});

it("reach an admin from the root's log, and a login only about itself", async () => {
  const body = { username: 'meera.notices', name: 'Meera', role: 'manager' as const, password: PASSWORD };
  const { number } = (await t.ok(addLogin, { body }, net.admin)).data;
  await t.takePasswordsAsOwn();
  const terms = { name: 'Meera', role: 'reports' as const, active: true };
  await t.ok(changeLogin, { params: { number: String(number) }, body: terms }, net.admin);
  const meera = await t.signIn(body.username);
  expect([await kindsOf(meera), await kindsOf(net.admin)]).toEqual([['rights'], []]);
  await t.ok(inviteAccount, { params: { accountId: net.admin._id } }, net.superadmin);
  expect(await kindsOf(await t.signIn(body.username))).toEqual(['rights']);
  await t.ok(
    accountRoutes.admin.update,
    { params: { id: net.admin._id }, body: { password: PASSWORD } },
    net.superadmin,
  );
  await t.takePasswordsAsOwn();
  expect(await kindsOf(await t.signIn(net.admin.username))).toEqual(['password', 'password']);
});

it('are marked as read by each person alone, up to the newest one seen', async () => {
  const body = { username: 'ravi.notices', name: 'Ravi', role: 'cashier' as const, password: PASSWORD };
  const { number } = (await t.ok(addLogin, { body }, net.distributor)).data;
  await t.takePasswordsAsOwn();
  const at = (as: As) => t.ok(ownNotices, {}, as).then(({ data }) => data);
  const change = (active: boolean) =>
    t.ok(
      changeLogin,
      { params: { number: String(number) }, body: { name: 'Ravi', role: 'cashier', active } },
      net.distributor,
    );
  await change(false);
  await change(true);
  const ravi = await t.signIn(body.username);
  const [newest] = await at(ravi);
  t.clock.advance(1000);
  await signIn(body.username, '203.0.113.77');
  await t.ok(markOwnNotices, { body: { until: newest!.createdAt } }, ravi);
  await t.ok(markOwnNotices, { body: { until: '2199-01-01T00:00:00Z' } }, net.distributor);
  expect((await at(ravi)).map(({ kind, isRead }) => [kind, isRead])).toEqual([
    ['device', false],
    ['rights', true],
    ['rights', true],
  ]);
  await t.ok(markOwnNotices, { body: { until: '2199-01-01T00:00:00Z' } }, ravi);
  t.clock.advance(1000);
  await signIn(body.username, '203.0.113.78');
  expect((await at(ravi)).map(({ isRead }) => isRead)).toEqual([false, true, true, true]);
});
