import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import {
  changePassword,
  endOtherSessions,
  endOwnSession,
  listSessions,
  login,
  session,
  signup,
} from '@drawhouse/contract/auth/auth';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FIRST_SUPERADMIN } from '../../compose/first-start.ts';
import { TestApp, type Network, type Reply, type SignedIn } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());
afterAll(() => t.expectBooksToBalance());

const signInAs = (username: string, password: string) => t.call(login, { body: { username, password } });
const isSignedIn = async (account: SignedIn): Promise<boolean> => (await t.call(session, {}, account)).status === 200;

describe('signing up', () => {
  it('is refused with a sentence without a configured retailer', async () => {
    const reply = await t.call(signup, { body: { username: 'newcomer', password: PASSWORD } });
    expect(reply).toMatchObject({
      status: 403,
      body: { code: 'NOT_ALLOWED', message: expect.stringMatching(/\w \w/) },
    });
    expect(await t.db.query("select from accounts where username = 'newcomer'")).toEqual([]);
  });

  it('creates a player below that retailer while it is active', async () => {
    const open = await TestApp.start({ signupRetailer: 'Retailer-4' });
    try {
      const own = await open.network({ credit: 0 });
      const body = { username: 'newcomer', password: PASSWORD };
      expect(await open.call(signup, { body })).toMatchObject({
        status: 201,
        body: { success: true, data: { username: 'newcomer', uniqueId: expect.stringMatching(/^U/) } },
      });
      const newcomer = await open.signIn('newcomer');
      const { data } = await open.ok(accountRoutes.user.get, { params: { id: newcomer._id } }, own.retailer);
      expect(data).toMatchObject({ refId: { _id: own.retailer._id }, walletBalance: 0, userStatus: true });
      expect((await open.call(signup, { body })).body.code).toBe('USERNAME_TAKEN');
      for (const password of ['12345', 'password'])
        expect((await open.call(signup, { body: { username: 'another', password } })).status).toBe(400);
      const params = { userId: own.distributor._id, action: 'deactivate' as const };
      await open.ok(accountRoutes.distributor.toggleStatus, { params }, own.admin);
      expect((await open.call(signup, { body: { username: 'another', password: PASSWORD } })).status).toBe(403);
      await open.expectBooksToBalance();
    } finally {
      await open.close();
    }
  });
});

describe("changing one's own password", () => {
  const NEW = 'a wholly new phrase';
  const change = (by: SignedIn, body: Partial<Record<'opass' | 'npass' | 'cpass' | 'userId', string>>) =>
    t.call(changePassword, { body: { opass: PASSWORD, npass: NEW, cpass: body.npass ?? NEW, ...body } }, by);
  beforeEach(async () => {
    net = await t.network({ credit: 0 });
  });

  it.each([
    [{ opass: 'not the password' }, 403, 'opass'],
    [{ cpass: 'something else' }, 400, 'cpass'],
    [{ npass: '1234567' }, 400, 'npass'],
    [{ npass: 'Password1' }, 400, 'npass'],
    [{ npass: 'x'.repeat(201) }, 400, 'npass'],
  ])('refuses %j', async (body, status, field) => {
    expect(await change(net.retailer, body)).toMatchObject({
      status,
      body: { fields: { [field]: expect.any(String) } },
    });
    expect((await signInAs(net.retailer.username, PASSWORD)).status).toBe(200);
  });

  it('refuses another’s id and short passwords, for players and staff', async () => {
    expect((await change(net.retailer, { userId: net.user._id })).body.code).toBe('IDENTITY_MISMATCH');
    for (const own of [net.user, net.retailer]) {
      expect((await change(own, { npass: 'zq7.kbw' })).body.fields).toEqual({ npass: 'Use at least 8 characters' });
      expect((await change(own, { npass: 'zq7.kbwx' })).status).toBe(200);
    }
  });

  it('ends other sessions and keeps its own', async () => {
    const [second, third] = [await t.signIn(net.retailer.username), await t.signIn(net.retailer.username)];
    const { status, body } = await change(second, { userId: second._id });
    expect([status, body.message]).toEqual([200, '✅ Password changed successfully!']);
    expect([await isSignedIn(net.retailer), await isSignedIn(second), await isSignedIn(third)]).toEqual([
      false,
      true,
      false,
    ]);
    expect(await isSignedIn(net.user)).toBe(true);
    expect((await signInAs(net.retailer.username, PASSWORD)).status).toBe(401);
    expect((await signInAs(net.retailer.username, NEW)).status).toBe(200);
  });
});

describe('own sessions', () => {
  it('are listed, marked, and ended one by one', async () => {
    net = await t.network({ credit: 0 });
    t.clock.advance(60_000);
    const second = await t.signIn(net.retailer.username);
    const { data } = await t.ok(listSessions, {}, second);
    expect(data.map((row) => row.current)).toEqual([true, false]);
    const end = (by: SignedIn, sessionId: string): Promise<Reply<typeof endOwnSession>> =>
      t.call(endOwnSession, { params: { sessionId } }, by);
    expect((await end(net.admin, data[1]!._id)).status).toBe(404);
    expect((await end(second, data[1]!._id)).status).toBe(200);
    expect((await end(second, data[1]!._id)).status).toBe(404);
    expect([await isSignedIn(net.retailer), await isSignedIn(second)]).toEqual([false, true]);
    expect((await t.ok(listSessions, {}, second)).data).toHaveLength(1);
    expect(JSON.stringify(data)).not.toContain(second.token);
    expect((await signInAs(FIRST_SUPERADMIN, PASSWORD)).status).toBe(200);
  });

  async function browse(
    username: string,
    userAgent: string,
    cookie = '',
  ): Promise<{ token: string; elevation: string; deviceCookie: string }> {
    const headers = { origin: 'https://games.example', 'user-agent': userAgent, ...(cookie && { cookie }) };
    const { body, headers: answered } = await t.send(
      'POST',
      `/api/${login.path}`,
      {},
      { username, password: PASSWORD, elevation: true },
      headers,
    );
    const device = [answered['set-cookie'] ?? []].flat().find((one) => String(one).startsWith('device='));
    const { token, elevation } = body as unknown as { token: string; elevation: string };
    return { token, elevation, deviceCookie: String(device).split(';')[0]! };
  }
  const statusOf = async (by: { token: string }): Promise<number> => (await t.call(session, {}, by)).status;

  it('are one row per device, whatever the number of sign-ins', async () => {
    net = await t.network({ credit: 0 });
    const { username } = net.user;
    t.clock.advance(60_000);
    const firstAt = t.clock.now().toISOString();
    const phone = [await browse(username, 'Phone/1')];
    for (const _ of [1, 2]) {
      t.clock.advance(60_000);
      phone.push(await browse(username, 'Phone/2', phone[0]!.deviceCookie));
    }
    const lastAt = t.clock.now().toISOString();
    t.clock.advance(60_000);
    const laptop = await browse(username, 'Laptop/1');
    const { data } = await t.ok(listSessions, {}, laptop);
    expect(data.map(({ userAgent, current }) => [userAgent, current])).toEqual([
      ['Laptop/1', true],
      ['Phone/2', false],
      [expect.any(String), false],
    ]);
    expect(data[1]).toMatchObject({ createdAt: firstAt, lastUsedAt: lastAt });

    expect((await t.call(endOwnSession, { params: { sessionId: data[1]!._id } }, laptop)).status).toBe(200);
    expect(await Promise.all([...phone, laptop, net.user].map(statusOf))).toEqual([401, 401, 401, 200, 200]);
  });

  it('of one device in two accounts do not end each other', async () => {
    net = await t.network({ credit: 0 });
    const own = await browse(net.user.username, 'Shared/1');
    const sister = await browse(net.retailer.username, 'Shared/1', own.deviceCookie);
    const { data } = await t.ok(listSessions, {}, own);
    await t.ok(endOwnSession, { params: { sessionId: data[0]!._id } }, own);
    expect(await Promise.all([own, sister].map(statusOf))).toEqual([401, 200]);
  });

  it('end everywhere else at once, which is logged if there were any', async () => {
    net = await t.network({ credit: 0 });
    const here = await browse(net.user.username, 'Phone/1');
    const elsewhere = [net.user, await browse(net.user.username, 'Laptop/1')];
    expect(await t.ok(endOtherSessions, {}, here)).toMatchObject({ message: 'You are signed out everywhere else.' });
    expect(await Promise.all([...elsewhere, net.retailer, here].map(statusOf))).toEqual([401, 401, 200, 200]);
    await t.ok(endOtherSessions, {}, here);
    const { data } = await t.ok(activityLog.route, { query: { search: 'other sessions' } }, net.admin);
    expect(data).toMatchObject([{ username: net.user.username }]);
  });
});
