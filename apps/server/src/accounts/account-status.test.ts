import { BELOW_MAX, belowCount, userCount } from '@drawhouse/contract/accounts/account-children';
import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { bulkDailyLimit, bulkStatus } from '@drawhouse/contract/accounts/bulk-accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { ROLES } from '@drawhouse/contract/core/primitives';
import { describe, expect, it } from 'vitest';
import { UNKNOWN_ID } from '../../test/routes/contract-routes.ts';
import { listen, onFreshNetworks, type Network, type SignedIn, type TestApp } from '../../test/harness.ts';

let t: TestApp;
let net: Network;

onFreshNetworks((...both) => ([t, net] = both));

type Target = Pick<SignedIn, '_id' | 'role'>;

const toggle = (by: SignedIn, { _id, role }: Target, action: 'activate' | 'deactivate') =>
  t.ok(accountRoutes[role].toggleStatus, { params: { userId: _id, action } }, by);
const inactiveAbove = async (by: SignedIn, { _id, role }: Target) =>
  (await t.ok(accountRoutes[role].get, { params: { id: _id } }, by)).data.inactiveAbove;
const below = async (by: SignedIn, ...targets: readonly Target[]) => {
  const { accounts, players } = await t.ok(belowCount, { query: { ids: targets.map(({ _id }) => _id).join(',') } }, by);
  return { accounts, players };
};

describe('a superadmin', () => {
  it('can neither deactivate, change nor delete itself', async () => {
    const { superadmin } = net;
    const { toggleStatus, update, remove } = accountRoutes.superadmin;
    for (const { status } of [
      await t.call(toggleStatus, { params: { userId: superadmin._id, action: 'deactivate' } }, superadmin),
      await t.call(update, { params: { id: superadmin._id }, body: { note: 'changed' } }, superadmin),
      await t.call(remove, { params: { id: superadmin._id } }, superadmin),
    ])
      expect(status).toBe(404);
    expect((await t.signIn(superadmin.username))._id).toBe(superadmin._id);
  });
});

describe('an account below an inactive one', () => {
  it('names the highest inactive ancestor to viewers of both', async () => {
    expect(await inactiveAbove(net.admin, net.user)).toBeNull();
    await toggle(net.admin, net.retailer, 'deactivate');
    const { username: retailer } = net.retailer;
    expect(await inactiveAbove(net.admin, net.user)).toEqual({
      _id: net.retailer._id,
      username: retailer,
      role: 'retailer',
    });
    expect(await inactiveAbove(net.admin, net.retailer), 'its own status is not above it').toBeNull();
    await toggle(net.admin, net.distributor, 'deactivate');
    expect(await inactiveAbove(net.superadmin, net.user)).toMatchObject({ _id: net.distributor._id });
    expect(await inactiveAbove(net.admin, net.retailer)).toMatchObject({ _id: net.distributor._id });
    expect(await inactiveAbove(net.admin, net.superdistributor)).toBeNull();
    await toggle(net.admin, net.distributor, 'activate');
    await toggle(net.admin, net.retailer, 'activate');
    expect(await inactiveAbove(net.admin, net.user)).toBeNull();
  });

  it('is marked in lists too', async () => {
    await toggle(net.superadmin, net.admin, 'deactivate');
    const listed = await t.ok(accountLists.user.route, { query: { parentId: net.retailer._id } }, net.superadmin);
    expect(listed.data.map((player) => [player._id, player.userStatus, player.inactiveAbove?.username])).toEqual([
      [net.user._id, true, net.admin.username],
    ]);
  });
});

describe('the accounts a deactivation signs out', () => {
  it('requests as many ids as fit in a URL', async () => {
    const ids = Array(BELOW_MAX).fill(net.retailer._id).join(',');
    const headers = { authorization: `Bearer ${net.admin.token}` };
    const { status } = await fetch(`${await listen(t.app)}/api/${belowCount.path}?ids=${ids}`, { headers });
    expect(status).toBe(200);
  });

  it('are all active ones below', async () => {
    expect(await below(net.superadmin, net.admin)).toEqual({ accounts: 3, players: 1 });
    expect(await below(net.admin, net.user)).toEqual({ accounts: 0, players: 0 });
    const shop = await t.make(net.distributor);
    const [one, two] = [
      await t.make(net.admin, { role: 'user', refId: shop._id }),
      await t.make(net.admin, { role: 'user', refId: shop._id }),
    ];
    expect(await below(net.admin, net.distributor)).toEqual({ accounts: 2, players: 3 });
    await toggle(net.admin, one, 'deactivate');
    expect(await below(net.admin, net.distributor)).toEqual({ accounts: 2, players: 2 });
    await toggle(net.admin, shop, 'deactivate');
    expect(await below(net.admin, net.distributor)).toEqual({ accounts: 1, players: 1 });
    expect(await below(net.admin, shop), 'asked of one that is out itself').toEqual({ accounts: 0, players: 0 });
    await toggle(net.admin, shop, 'activate');
    expect(await below(net.admin, shop, net.retailer), 'of several at once').toEqual({ accounts: 0, players: 2 });
    expect(two.role).toBe('user');
  });

  it("are reported only for the caller's subtree", async () => {
    const other = await t.network({ credit: 0 });
    for (const target of [other.retailer, net.admin, { _id: UNKNOWN_ID, role: 'retailer' as const }])
      expect(
        await t.call(belowCount, { query: { ids: `${net.retailer._id},${target._id}` } }, net.distributor),
      ).toMatchObject({ status: 404 });
    expect((await t.call(belowCount, { query: { ids: net.user._id } }, net.user)).status).toBe(403);
  });
});

describe('many accounts at once', () => {
  const setAll = (by: SignedIn, ids: readonly string[], action: 'activate' | 'deactivate') =>
    t.call(bulkStatus, { body: { ids: [...ids], action } }, by);
  const newest = async (count: number) =>
    (await t.ok(activityLog.route, { query: { pageSize: String(count) } }, net.admin)).data.map(
      ({ subject }) => subject,
    );

  it('are toggled together, with a log row each, and their sessions end', async () => {
    const second = await t.create(net.retailer);
    const ids = [net.user._id, second._id];
    expect((await setAll(net.retailer, ids, 'deactivate')).body).toMatchObject({
      message: '2 accounts deactivated.',
      changed: 2,
    });
    const names = [net.user.username, second.username];
    expect((await newest(2)).toSorted()).toEqual(names.map((name) => `Deactivated user ${name}`).toSorted());
    for (const { token } of [net.user, second])
      expect(await t.call(userCount, { query: {} }, { token })).toMatchObject({ status: 401 });
    expect((await setAll(net.retailer, ids.slice(1), 'activate')).body.changed).toBe(1);
    expect((await setAll(net.retailer, ids, 'activate')).body.changed).toBe(1);
    await t.signIn(net.user.username);
  });

  it('are refused as a whole if one is not below, naming its row', async () => {
    const foreign = await t.network();
    for (const id of [foreign.user._id, UNKNOWN_ID, net.retailer._id, net.distributor._id])
      expect(await setAll(net.retailer, [net.user._id, id], 'deactivate')).toMatchObject({
        status: 404,
        body: { fields: { 'ids.1': 'Choose an account below you' } },
      });
    const { userStatus } = (await t.ok(accountRoutes.user.get, { params: { id: net.user._id } }, net.retailer)).data;
    expect(userStatus).toBe(true);
  });

  it('get one daily limit together, except players', async () => {
    const second = await t.make(net.distributor);
    const set = (ids: readonly string[], dailyLimit: number | null) =>
      t.call(bulkDailyLimit, { body: { ids: [...ids], dailyLimit } }, net.admin);
    const ids = [net.retailer._id, second._id];
    expect((await set(ids, 75.5)).body).toMatchObject({ changed: 2, message: 'Daily limit of 2 accounts saved.' });
    expect(await set([...ids, net.user._id], 80)).toMatchObject({
      status: 400,
      body: { fields: { dailyLimit: expect.any(String) as string } },
    });
    for (const id of ids)
      expect((await t.ok(accountRoutes.retailer.get, { params: { id } }, net.admin)).data.dailyLimit).toBe(75.5);
    expect((await newest(2)).every((subject) => subject.includes('daily limit'))).toBe(true);
    expect((await set(ids, null)).body.changed).toBe(2);
  });
});

describe('a change notification', () => {
  it('names the account by its readable id', async () => {
    const { message, data } = await toggle(net.admin, net.retailer, 'deactivate');
    expect(message).toBe(`User ${data.uniqueId} has been successfully deactivated.`);
  });

  it('is logged with the change', async () => {
    const change = (body: object) =>
      t.ok(accountRoutes.retailer.update, { params: { id: net.retailer._id }, body }, net.admin);
    await change({ commission: 2 });
    await change({ commission: 3.5, note: 'By the river', dailyLimit: 500 });
    await change({ userStatus: false });
    await change({ userStatus: true, password: 'quite another one' });
    const { data } = await t.ok(activityLog.route, { query: { pageSize: '4' } }, net.admin);
    const { username } = net.retailer;
    expect(data.map((row) => row.subject)).toEqual([
      `Activated retailer ${username}; changed password`,
      `Deactivated retailer ${username}`,
      `Changed commission of retailer ${username} from 2 to 3.5, daily limit from none to 500.00, note`,
      `Changed commission of retailer ${username} from 0 to 2`,
    ]);
  });
});

describe('a day of the log', () => {
  it('uses the viewer’s time zone, sent as instants', async () => {
    // 01:00 on the 6th on the server, still the 5th in New York.
    t.clock.set(new Date('2027-05-05T19:30:00.000Z'));
    const admin = await t.signIn(net.admin.username);
    await t.ok(
      accountRoutes.retailer.update,
      { params: { id: net.retailer._id }, body: { note: 'Night watch' } },
      admin,
    );
    const subjects = async (query: object): Promise<string[]> => {
      const { data } = await t.ok(activityLog.route, { query: { search: 'Changed note', ...query } }, admin);
      return data.map((row) => row.subject);
    };
    const [newYork5, newYork6] = [
      { startDate: '2027-05-05T04:00:00.000Z', endDate: '2027-05-06T03:59:59.999Z' },
      { startDate: '2027-05-06T04:00:00.000Z', endDate: '2027-05-07T03:59:59.999Z' },
    ];
    expect(await subjects(newYork5)).toEqual([`Changed note of retailer ${net.retailer.username}`]);
    expect(await subjects(newYork6)).toEqual([]);
    expect(await subjects({ date: '2027-05-06' }), 'a day alone is the server’s').toHaveLength(1);
    expect(await subjects({ date: '2027-05-05' })).toEqual([]);
    expect(await subjects({ startDate: '2027-05-05T19:30:00.000Z', endDate: '2027-05-05T19:30:00.000Z' })).toHaveLength(
      1,
    );
  });
});

it('roles below see nothing of the roles above', async () => {
  for (const role of ROLES) {
    const asked = net[role];
    expect((await t.ok(accountRoutes[role].get, { params: { id: asked._id } }, asked)).data.inactiveAbove).toBeNull();
  }
});
