import { activityLog } from '@drawhouse/contract/activity/activity';
import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { changePassword, listSessions, session } from '@drawhouse/contract/auth/auth';
import type { LoginRole } from '@drawhouse/contract/core/permissions';
import { turnoverReport } from '@drawhouse/contract/reports/turnover';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../../../test/harness.ts';
import type { Network, SignedIn } from '../../../test/harness.ts';

let t: TestApp;
let net: Network;
beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 0 });
});
afterAll(() => t.close());

let names = 0;
async function login(of: SignedIn, role: LoginRole): Promise<string> {
  const username = `person${++names}`;
  await t.byHand(
    `insert into logins (network_id, account_id, number, created_at, password_set_at, password_set_by, role, username, name, password_hash)
     select network_id, id, $2, now(), now(), id, $3, $4, 'Meera', password_hash from accounts where id = $1`,
    [of._id, names, role, username],
  );
  return username;
}

it('signs in by its own name, and may call what its role allows', async () => {
  const cashier = await t.signIn(await login(net.retailer, 'cashier'));
  expect(cashier._id).toBe(net.retailer._id);
  const { user } = await t.ok(session, {}, cashier);
  expect(user).toMatchObject({
    username: net.retailer.username,
    login: { number: names, name: 'Meera', role: 'cashier', permissions: ['lists', 'credit'] },
  });
  expect((await t.ok(accountLists.user.route, { query: {} }, cashier)).data).toHaveLength(1);
  const refused = await t.call(turnoverReport.route, { query: {} }, cashier);
  expect([refused.status, refused.body.code]).toEqual([403, 'NO_PERMISSION']);
  t.clock.advance(60_000);
  await t.app.tick();
  const { data } = await t.ok(activityLog.route, { query: { search: 'Meera' } }, net.retailer);
  expect(data.map(({ username }) => username)).toEqual(Array(2).fill(`${net.retailer.username} / Meera`));
});

it('has sessions and a password of its own', async () => {
  const username = await login(net.distributor, 'manager');
  const manager = await t.signIn(username);
  expect((await t.ok(listSessions, {}, manager)).data).toHaveLength(1);
  const change = { opass: 'correct horse battery', npass: 'another horse battery', cpass: 'another horse battery' };
  await t.ok(changePassword, { body: change }, manager);
  await t.signIn(username, change.npass);
  expect((await t.ok(session, {}, net.distributor)).user.login).toBeUndefined();
  await t.signIn(net.distributor.username);
});

it('ends with its login or its account', async () => {
  const username = await login(net.superdistributor, 'manager');
  const manager = await t.signIn(username);
  await t.byHand('update logins set active = false where username = $1', [username]);
  expect((await t.call(changePassword, { body: {} as never }, manager)).body.code).toBe('SESSION_ENDED');
});
