import { activityLog } from '@drawhouse/contract/activity/activity';
import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { changePassword, listSessions, login as signIn, session } from '@drawhouse/contract/auth/auth';
import { statement } from '@drawhouse/contract/credit/statement';
import { loadCredit } from '@drawhouse/contract/credit/own-credit';
import { transferToMany } from '@drawhouse/contract/credit/payouts';
import { addResult } from '@drawhouse/contract/draws/draws';
import { livePairs } from '@drawhouse/contract/games/game-pair';
import { gameList } from '@drawhouse/contract/games/game-catalogue';
import {
  addLogin,
  changeLogin,
  endLoginSessions,
  listLogins,
  loginSessions,
  removeLogin,
  type Login,
} from '@drawhouse/contract/logins/logins';
import { liveTables } from '@drawhouse/contract/live/live-tables';
import { turnoverReport } from '@drawhouse/contract/reports/turnover';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';

let t: TestApp;
let net: Network;
beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 0, games: ['funtargetbingo', 'horse12'] });
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

let names = 0;
async function add(owner: SignedIn, terms: Partial<Login> & Pick<Login, 'role'>): Promise<Login> {
  const n = ++names;
  const body = { username: `Person${n}`, name: `Meera ${n}`, password: PASSWORD, ...terms } as never;
  const { data } = await t.ok(addLogin, { body }, owner);
  await t.takePasswordsAsOwn();
  return data;
}
const change = (owner: SignedIn, { number, username: _name, ...login }: Login, terms: object) =>
  t.ok(changeLogin, { params: { number: String(number) }, body: { ...login, ...terms } as never }, owner);

describe('a login', () => {
  it('signs in by its own name, in any case, and may call what its role allows', async () => {
    const added = await add(net.retailer, { role: 'cashier' });
    const cashier = await t.signIn(added.username.toUpperCase());
    expect(cashier._id).toBe(net.retailer._id);
    const { user } = await t.ok(session, {}, cashier);
    expect(user).toMatchObject({
      username: net.retailer.username,
      login: { number: added.number, name: added.name, role: 'cashier', permissions: ['lists', 'credit'] },
    });
    expect((await t.ok(accountLists.user.route, { query: {} }, cashier)).data).toHaveLength(1);
    for (const route of [turnoverReport.route, listLogins]) {
      const refused = await t.call(route, { query: {} }, cashier);
      expect([refused.status, refused.body.code]).toEqual([403, 'NO_PERMISSION']);
    }
    t.clock.advance(60_000);
    await t.app.tick();
    const { data } = await t.ok(activityLog.route, { query: { search: added.name, sort: 'createdAt' } }, net.retailer);
    const person = `${net.retailer.username} / ${added.name}`;
    expect(data.map(({ username, subject }) => [username, subject])).toEqual([
      [net.retailer.username, `Added login ${added.name} of ${net.retailer.username}`],
      [person, 'Signed in'],
      [person, expect.stringContaining('Refused')],
    ]);
  });

  it('has its own sessions and password', async () => {
    const { username } = await add(net.distributor, { role: 'manager' });
    const manager = await t.signIn(username);
    expect((await t.ok(listSessions, {}, manager)).data).toHaveLength(1);
    const words = { opass: PASSWORD, npass: 'another horse battery', cpass: 'another horse battery' };
    await t.ok(changePassword, { body: words }, manager);
    await t.signIn(username, words.npass);
    expect((await t.ok(session, {}, net.distributor)).user.login).toBeUndefined();
    await t.signIn(net.distributor.username);
  });

  it('loses its rights at once when the owner takes them', async () => {
    const added = await add(net.distributor, { role: 'reports' });
    const reporter = await t.signIn(added.username);
    await t.ok(turnoverReport.route, { query: {} }, reporter);
    await change(net.distributor, added, { role: 'custom', permissions: ['credit'] });
    expect((await t.call(turnoverReport.route, { query: {} }, reporter)).body.code).toBe('NO_PERMISSION');
    await change(net.distributor, added, { active: false });
    expect((await t.call(session, {}, reporter)).body.code).toBe('SESSION_ENDED');
    const body = { username: added.username, password: PASSWORD };
    expect((await t.call(signIn, { body })).body.code).toBe('ACCOUNT_INACTIVE');
  });

  it('ends for good when removed, and its name stays taken', async () => {
    const added = await add(net.superdistributor, { role: 'manager' });
    const manager = await t.signIn(added.username);
    await t.ok(removeLogin, { params: { number: String(added.number) } }, net.superdistributor);
    expect((await t.call(session, {}, manager)).body.code).toBe('SESSION_ENDED');
    const body = { username: added.username, password: PASSWORD };
    expect((await t.call(signIn, { body })).body.code).toBe('WRONG_CREDENTIALS');
    expect((await t.ok(listLogins, {}, net.superdistributor)).data).toEqual([]);
    const again = { ...body, name: 'Asha', role: 'manager' as const };
    expect((await t.call(addLogin, { body: again }, net.superdistributor)).body.code).toBe('USERNAME_TAKEN');
    const account = { ...body, commission: 0, note: 'x', role: 'distributor' as const };
    expect((await t.call(accountRoutes.distributor.create, { body: account }, net.superdistributor)).body.code).toBe(
      'USERNAME_TAKEN',
    );
    const ofAccount = { ...again, username: net.user.username };
    expect((await t.call(addLogin, { body: ofAccount }, net.superdistributor)).body.code).toBe('USERNAME_TAKEN');
  });

  it('is signed out by the owner on one device or on all', async () => {
    const added = await add(net.superdistributor, { role: 'manager' });
    const [one, other] = [await t.signIn(added.username), await t.signIn(added.username)];
    const params = { number: String(added.number) };
    const { data } = await t.ok(loginSessions, { params }, net.superdistributor);
    expect(data.map(({ current }) => current)).toEqual([false, false]);
    await t.ok(endLoginSessions, { params, query: { sessionId: data[0]!._id } }, net.superdistributor);
    const codes = async () =>
      (await Promise.all([one, other].map((each) => t.call(session, {}, each)))).map(({ status }) => status);
    expect(new Set(await codes())).toEqual(new Set([200, 401]));
    await t.ok(endLoginSessions, { params, query: {} }, net.superdistributor);
    expect(await codes()).toEqual([401, 401]);
  });

  it('is its own account’s alone', async () => {
    const added = await add(net.retailer, { role: 'cashier' });
    const params = { number: String(added.number + 50) };
    for (const owner of [net.superdistributor, net.user])
      expect((await t.call(removeLogin, { params }, owner)).status).toBe(owner === net.user ? 403 : 404);
  });
});

describe('where from', () => {
  it('signs in and works from allowed addresses and in its hours alone, and refusals are logged', async () => {
    const owner = await t.signIn(net.retailer.username);
    const added = await add(owner, { role: 'cashier', addresses: ['203.0.113.0/24'] });
    const body = { username: added.username, password: PASSWORD };
    const refused = await t.call(signIn, { body }, { ip: '198.51.100.7' });
    expect([refused.status, refused.body.code]).toEqual([403, 'NOT_ALLOWED']);
    const { token } = await t.ok(signIn, { body }, { ip: '203.0.113.7' });
    const status = async (ip: string) => (await t.call(session, {}, { token, ip })).status;
    expect([await status('203.0.113.9'), await status('198.51.100.7')]).toEqual([200, 403]);
    const { data } = await t.ok(activityLog.route, { query: { search: 'may not be used from here' } }, owner);
    expect(data[0]!.username).toBe(`${net.retailer.username} / ${added.name}`);

    const minute = (by: number) =>
      new Date(t.clock.now().getTime() + by * 60_000 + 330 * 60_000).toISOString().slice(11, 16);
    await change(owner, added, { addresses: [], hours: { from: minute(-5), to: minute(5) } });
    expect(await status('198.51.100.7')).toBe(200);
    const reads = async () => (await t.call(accountLists.user.route, { query: {} }, { token })).status;
    expect(await reads()).toBe(200);
    t.clock.advance(6 * 60_000);
    expect(await reads(), 'its hours ended').toBe(401);
    await change(owner, added, { addresses: [], hours: { from: minute(5), to: minute(-5) } });
    expect(await status('198.51.100.7')).toBe(401);
    expect((await t.call(signIn, { body })).body.code).toBe('NOT_ALLOWED');
  });
});

describe('a cashier', () => {
  it('gives credit within its daily amount, in its own name', async () => {
    await t.give(net.superadmin, net.superadmin, 1_000);
    await t.give(net.superadmin, net.retailer, 500);
    const added = await add(net.retailer, { role: 'cashier', dailyLimit: 100 });
    const cashier = await t.signIn(added.username);
    await t.give(cashier, net.user, 60);
    expect((await t.ok(loadCredit, { query: {} }, cashier)).data[0]!.leftToday).toBe(40);
    const transfers = [{ toUserId: net.user._id, amount: 40.01 }];
    const many = { transfers, transactionType: 'credit' as const, password: PASSWORD };
    expect((await t.call(transferToMany, { body: many }, cashier)).body.code).toBe('DAILY_LIMIT');
    await t.give(net.retailer, net.user, 300);
    t.clock.advance(24 * 60 * 60_000);
    const next = await t.signIn(added.username);
    await t.ok(transferToMany, { body: many }, next);
    const { data } = await t.ok(
      activityLog.route,
      { query: { search: 'Gave 40.01' } },
      await t.signIn(net.retailer.username),
    );
    expect(data[0]!.username).toBe(`${net.retailer.username} / ${added.name}`);
    const today = {
      startDate: new Date(t.clock.now().getTime() - 86_400_000).toISOString(),
      endDate: t.clock.now().toISOString(),
    };
    const { data: movements } = await t.ok(
      statement.route,
      { query: { id: net.user._id, wallet: 'credit', ...today } },
      await t.signIn(net.retailer.username),
    );
    expect(movements.find(({ credit }) => credit === 40.01)!.actor).toBe(`${net.retailer.username} / ${added.name}`);
    const back = { ...many, transactionType: 'debit' as const };
    expect((await t.call(transferToMany, { body: back }, next)).body.code).toBe('NO_PERMISSION');
  });
});

describe('a table login', () => {
  it('opens the panels of its games alone, and declares only if it may', async () => {
    await t.app.tick();
    const owner = await t.signIn(net.admin.username);
    const games = (await t.ok(gameList.route, { query: {} }, await t.signIn(net.superadmin.username))).data;
    const own = games.find(({ gameId }) => gameId === 'horse12')!;
    const added = await add(owner, { role: 'table', games: [own._id] });
    const table = await t.signIn(added.username);
    expect((await t.ok(livePairs, {}, table)).data.map(({ gameId }) => gameId)).toEqual(['horse12']);
    expect((await t.ok(liveTables, {}, table)).data.map(({ gameId }) => gameId)).toEqual(['horse12']);
    const result = (gameId: string) => ({ body: { adminId: net.admin._id, gameId, result: '5' } as never });
    expect((await t.call(addResult, result('horse12'), table)).body.code).toBe('NO_PERMISSION');
    await change(owner, added, { permissions: ['results'] });
    expect((await t.call(addResult, result('funtargetbingo'), table)).body.code).toBe('NOT_FOUND');
    await t.ok(addResult, result('horse12'), table);
    const panels = (await t.ok(liveTables, {}, owner)).data;
    const saved = panels.find(({ gameId }) => gameId === 'horse12')!.saved;
    expect(saved).toMatchObject({ by: `${net.admin.username} / ${added.name}` });
  });
});
