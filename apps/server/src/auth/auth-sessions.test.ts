import { activityLog } from '@drawhouse/contract/activity/activity';
import { login, logout, session } from '@drawhouse/contract/auth/auth';
import { loadCredit } from '@drawhouse/contract/credit/own-credit';
import { ROLES } from '@drawhouse/contract/core/primitives';
import { BACKGROUND_HEADER } from '@drawhouse/contract/core/route';
import { claimWin, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { afterAll, describe, expect, it } from 'vitest';
import { onFreshNetworks, type Network, type Reply, type SignedIn, type TestApp } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

let t: TestApp;
let net: Network;

onFreshNetworks((...both) => ([t, net] = both));
afterAll(() => t.expectBooksToBalance());

const isSignedIn = async (account: SignedIn): Promise<boolean> => (await t.call(session, {}, account)).status === 200;

const LINE = 1000;

async function endow(account: SignedIn, points: number): Promise<void> {
  await t.finishDraw();
  await t.give(net.superadmin, net.superadmin, points + LINE);
  await t.give(net.superadmin, account, points);
  await t.give(net.superadmin, net.admin, LINE);
}

describe('a session', () => {
  it('ends 30 minutes after its last use', async () => {
    t.clock.advance(30 * MINUTE_MS - 1);
    expect(await isSignedIn(net.user)).toBe(true);
    t.clock.advance(30 * MINUTE_MS - 1);
    expect(await isSignedIn(net.user)).toBe(true);
    t.clock.advance(30 * MINUTE_MS);
    expect((await t.call(session, {}, net.user)).body).toMatchObject({ code: 'SESSION_ENDED' });
    expect(await isSignedIn(net.user)).toBe(false);
  });

  it('ends 12 hours after sign-in regardless of use', async () => {
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      t.clock.advance(20 * MINUTE_MS);
      expect(await isSignedIn(net.user)).toBe(true);
    }
    const { expiresAt } = await t.ok(session, {}, net.user);
    expect(new Date(expiresAt).getTime() - t.clock.now().getTime()).toBe(20 * MINUTE_MS);
    t.clock.advance(20 * MINUTE_MS);
    expect((await t.call(session, {}, net.user)).body).toMatchObject({ code: 'SESSION_ENDED' });
  });

  it('reports its end', async () => {
    t.clock.advance(2 * HOUR_MS);
    const { token, expiresAt } = await t.ok(login, { body: { username: net.user.username, password: PASSWORD } });
    expect(new Date(expiresAt).getTime() - t.clock.now().getTime()).toBe(30 * MINUTE_MS);
    t.clock.advance(10 * MINUTE_MS);
    const { expiresAt: later } = await t.ok(session, {}, { token });
    expect(new Date(later).getTime() - t.clock.now().getTime()).toBe(30 * MINUTE_MS);
  });

  it('ends at logout, alone', async () => {
    const elsewhere = await t.signIn(net.user.username);
    const reply = await t.call(logout, {}, net.user);
    expect(reply).toMatchObject({ status: 200, body: { success: true } });
    expect(reply.headers['set-cookie']).toEqual([
      expect.stringMatching(/^session-token=; .*Expires=Thu, 01 Jan 1970/),
      expect.stringMatching(/^__Host-session-token=; .*Expires=Thu, 01 Jan 1970.* Secure/),
    ]);
    expect(await isSignedIn(net.user)).toBe(false);
    expect(await isSignedIn(elsewhere)).toBe(true);
    const { data } = await t.ok(activityLog.route, { query: {} }, net.admin);
    expect(data[0]).toMatchObject({ username: net.user.username, subject: 'Signed out' });
  });

  it("is not extended by a page's automatic requests", async () => {
    const player = await t.signIn(net.user.username);
    const looksOn = (): Promise<Reply<unknown>> =>
      t.send('GET', `/api/${playerTickets.path}`, player, undefined, { [BACKGROUND_HEADER]: '1' });
    for (let minutes = 0; minutes < 30; minutes += 5) {
      expect((await looksOn()).status).toBe(200);
      t.clock.advance(5 * MINUTE_MS);
      await t.app.tick();
    }
    expect(await looksOn()).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } });
  });

  it('is extended by changes, whatever the request claims', async () => {
    const player = await t.signIn(net.user.username);
    t.clock.advance(20 * MINUTE_MS);
    await t.send('POST', `/api/${claimWin.path}`, player, { ticketId: 'none' }, { [BACKGROUND_HEADER]: '1' });
    t.clock.advance(20 * MINUTE_MS);
    expect(await isSignedIn(player)).toBe(true);
  });

  it("is cleaned up after expiry at the account's next sign-in", async () => {
    const account = await t.create(net.superadmin);
    t.clock.advance(31 * 60_000);
    await t.signIn(account.username);
    expect(await t.db.query('select from sessions where account_id = $1', [account._id])).toHaveLength(1);
  });

  it('is stored only as a hash of its token', async () => {
    const tokens = ROLES.map((role) => net[role].token);
    const tables = await t.db.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    expect(tables.length).toBeGreaterThan(10);
    for (const { name } of tables) {
      const rows = await t.db.query<{ row: string }>(`select row_to_json(t)::text as row from ${name} t`);
      for (const token of tokens) {
        const forms = [token, Buffer.from(token).toString('hex'), Buffer.from(token, 'base64url').toString('hex')];
        for (const form of forms)
          expect(
            rows.some(({ row }) => row.includes(form)),
            `a token in ${name}`,
          ).toBe(false);
      }
    }
    const [stored] = await t.db.query<{ token_hash: Buffer }>('select token_hash from sessions limit 1');
    for (const token of [stored!.token_hash.toString('hex'), stored!.token_hash.toString('base64url')])
      expect((await t.call(session, {}, { token })).status).toBe(401);
  });
});

describe('a cookie without token', () => {
  it('serves reads', async () => {
    expect((await t.call(session, {}, { ...net.user, cookie: true })).status).toBe(200);
    expect((await t.call(loadCredit, { query: {} }, { ...net.retailer, cookie: true })).status).toBe(200);
  });

  it('is accepted over HTTPS only under the name other hosts cannot set', async () => {
    const statusOf = async (name: string, proto: string): Promise<number> => {
      const headers = { cookie: `${name}=${net.user.token}`, 'x-forwarded-proto': proto };
      return (await t.send('GET', '/api/auth/session', {}, undefined, headers)).status;
    };
    expect(await statusOf('__Host-session-token', 'https')).toBe(200);
    expect(await statusOf('session-token', 'https')).toBe(401);
    expect(await statusOf('session-token', 'http')).toBe(200);
    expect(await statusOf('__Host-session-token', 'http')).toBe(401);
  });

  it('never changes anything, not even by signing out', async () => {
    const cookie = { cookie: `session-token=${net.admin.token}` };
    const tries = [
      await t.call(logout, {}, { ...net.admin, cookie: true }),
      await t.send('GET', '/api/auth/logout', {}, undefined, cookie),
      await t.send(
        'POST',
        '/api/users/create',
        {},
        { username: 'by-cookie', password: PASSWORD, commission: 0, note: 'add notes', refId: net.retailer._id },
        cookie,
      ),
      await t.send(
        'POST',
        '/api/users/credit-transfer',
        {},
        { toUserId: net.user._id, transferAmount: 1, password: PASSWORD },
        cookie,
      ),
      await t.send('PATCH', `/api/users/toggle-status/${net.user._id}/deactivate`, {}, undefined, cookie),
      await t.send(
        'POST',
        '/api/live/voiddraw',
        {},
        { gameId: 'funtargetbingo', adminId: net.admin._id, reason: 'x' },
        cookie,
      ),
    ];
    expect(tries.map((reply) => reply.status)).toEqual(tries.map(() => 401));
    expect(await isSignedIn(net.admin)).toBe(true);
    expect(await isSignedIn(net.user)).toBe(true);
    await endow(net.user, 1);
    const byCookie = await t.send(
      'POST',
      '/api/app/bet',
      {},
      { gameId: 'funtargetbingo', requestId: 'x', lines: [{ drawno: '1', qty: 1 }] },
      { cookie: `session-token=${net.user.token}` },
    );
    expect(byCookie.status).toBe(401);
    expect((await t.bet(net.user, { 1: 1 })).status).toBe(201);
  });
});
