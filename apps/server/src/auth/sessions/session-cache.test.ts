import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import {
  SESSION_IDLE_MS,
  SESSION_MAX_MS,
  changePassword,
  forcedLogout,
  login,
  logout,
  session,
} from '@drawhouse/contract/auth/auth';
import { playerTickets } from '@drawhouse/contract/tickets/tickets';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionIdOf, SESSIONS_MAX } from './sessions.ts';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { statementOf } from '../../../test/statements/statement-of.ts';
import { PASSWORD } from '../../../test/test-password.ts';

const MINUTE_MS = 60_000;

let t: TestApp;
let other: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  other = await t.beside();
});
beforeEach(async () => {
  await t.finishDraw();
  net = await t.network({ credit: 100 });
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await other.close();
  await t.close();
});

const read = (on: TestApp, as: SignedIn) => on.call(playerTickets, { query: {} }, as);

async function looksDuring(on: TestApp, act: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(on.served, 'query');
  await act();
  const looks = query.mock.calls.filter((call) => statementOf(...call).name === 'session-find').length;
  query.mockRestore();
  return looks;
}

async function warm(on: TestApp, as: SignedIn): Promise<void> {
  await expect.poll(() => looksDuring(on, async () => expect((await read(on, as)).status).toBe(200))).toBe(0);
}

it('looks a session up once for many concurrent calls and bets', async () => {
  await warm(t, net.user);
  expect(
    await looksDuring(t, async () => {
      for (let n = 0; n < 3; n++) expect((await t.bet(net.user, { 7: 1 })).status).toBe(201);
    }),
  ).toBe(0);
  const fresh = await t.signIn(net.user.username);
  expect(await looksDuring(t, () => Promise.all(Array.from({ length: 10 }, () => read(t, fresh))))).toBe(1);
});

it('looks it up again after any other change', async () => {
  await warm(t, net.user);
  const change = { opass: 'wrong', npass: 'another horse battery', cpass: 'another horse battery' };
  expect(await looksDuring(t, () => t.call(changePassword, { body: change }, net.user))).toBeGreaterThan(0);
});

describe('a session known to two servers', () => {
  const newest = async (): Promise<void> => {
    t.clock.advance(1_000);
    for (let n = 0; n < SESSIONS_MAX; n++)
      await t.ok(login, { body: { username: net.user.username, password: PASSWORD } });
  };
  const ends: [name: string, end: () => Promise<unknown>, codes: [read: string, bet: string]][] = [
    ['logging out', () => t.ok(logout, {}, net.user), ['SESSION_ENDED', 'SESSION_ENDED']],
    [
      'a forced logout',
      () => t.ok(forcedLogout, { query: { id: net.user._id, role: 'user' } }, net.retailer),
      ['SESSION_ENDED', 'SESSION_ENDED'],
    ],
    [
      'a new password',
      () =>
        t.ok(
          accountRoutes.user.update,
          { params: { id: net.user._id }, body: { password: 'another horse battery' } },
          net.retailer,
        ),
      ['SESSION_ENDED', 'SESSION_ENDED'],
    ],
    [
      'its deactivation',
      () =>
        t.ok(accountRoutes.user.toggleStatus, { params: { userId: net.user._id, action: 'deactivate' } }, net.retailer),
      ['SESSION_ENDED', 'ACCOUNT_INACTIVE'],
    ],
    [
      'a deactivation above it',
      () =>
        t.ok(
          accountRoutes.distributor.toggleStatus,
          { params: { userId: net.distributor._id, action: 'deactivate' } },
          net.superdistributor,
        ),
      ['SESSION_ENDED', 'ACCOUNT_INACTIVE'],
    ],
    [
      'its deletion',
      () => t.ok(accountRoutes.user.remove, { params: { id: net.user._id } }, net.retailer),
      ['SESSION_ENDED', 'ACCOUNT_INACTIVE'],
    ],
    ['ten newer ones', newest, ['SESSION_REPLACED', 'SESSION_REPLACED']],
  ];

  it.each(ends)('ends on both by %s', async (_name, end, [code, betCode]) => {
    for (const server of [t, other]) await warm(server, net.user);
    await end();
    // The other cache may be stale, but stale sessions place no bets.
    expect((await other.bet(net.user, { 7: 1 })).body.code).toBeOneOf([code, betCode]);
    expect((await read(t, net.user)).body.code).toBe(code);
    await expect.poll(async () => (await read(other, net.user)).body.code).toBe(code);
    expect((await t.bet(net.user, { 7: 1 })).body.code).toBe(code);
  });

  it("places no bet from a stale server's cache", async () => {
    await warm(other, net.user);
    await t.db.query('delete from sessions where account_id = $1', [net.user._id]);
    expect((await read(other, net.user)).status).toBe(200);
    expect((await other.bet(net.user, { 7: 1 })).body.code).toBe('SESSION_ENDED');
    const again = await t.signIn(net.user.username);
    await warm(other, again);
    await t.byHand('update accounts set active = false where id = $1', [net.retailer._id]);
    expect((await other.bet(again, { 7: 1 })).body.code).toBe('ACCOUNT_INACTIVE');
  });

  it('follows its moved account', async () => {
    const elsewhere = await t.create(net.superdistributor, { role: 'distributor' });
    for (const server of [t, other]) await warm(server, net.user);
    await t.ok(
      accountRoutes.retailer.update,
      { params: { id: net.retailer._id }, body: { refId: elsewhere._id } },
      net.superdistributor,
    );
    await warm(t, net.user);
    await t.ok(
      accountRoutes.distributor.toggleStatus,
      { params: { userId: elsewhere._id, action: 'deactivate' } },
      net.superdistributor,
    );
    expect((await read(t, net.user)).body.code).toBe('SESSION_ENDED');
  });
});

describe('time', () => {
  it('ends an unused session even if cached', async () => {
    await warm(t, net.user);
    t.clock.advance(SESSION_IDLE_MS);
    expect((await read(t, net.user)).status).toBe(401);
  });

  it('ends it after its maximum life, however much used', async () => {
    const stepMs = SESSION_IDLE_MS - 1_000;
    for (let usedMs = 0; usedMs < SESSION_MAX_MS; usedMs += stepMs) {
      expect((await read(t, net.user)).status).toBe(200);
      t.clock.advance(stepMs);
    }
    expect((await read(t, net.user)).status).toBe(401);
  });

  it('counts deferred uses together, on all servers', async () => {
    await warm(t, net.user);
    const lastUse = async (): Promise<Date> =>
      (
        await t.db.query<{ at: Date }>('select max(last_used_at) as at from sessions where account_id = $1', [
          net.user._id,
        ])
      )[0]!.at;
    t.clock.advance(20 * MINUTE_MS);
    const usedAt = t.clock.now();
    expect(await looksDuring(t, () => read(t, net.user))).toBe(0);
    expect(await lastUse()).not.toEqual(usedAt);
    await t.app.tick();
    expect(await lastUse()).toEqual(usedAt);
    t.clock.advance(20 * MINUTE_MS);
    expect((await read(other, net.user)).status).toBe(200);
  });

  it('counts a use shortly before the end immediately', async () => {
    await warm(t, net.user);
    t.clock.advance(SESSION_IDLE_MS - 1_000);
    expect((await read(t, net.user)).status).toBe(200);
    t.clock.advance(2_000);
    expect((await read(other, net.user)).status).toBe(200);
  });
});

it('caches nothing while end notifications are unavailable', async () => {
  await warm(other, net.user);
  // Each clock read advances a minute, so every answer is late.
  let nowMs = performance.now();
  const cut = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += MINUTE_MS));
  for (let n = 0; n < 2; n++) expect(await looksDuring(other, () => read(other, net.user))).toBeGreaterThan(0);
  cut.mockRestore();
  await t.db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'drawhouse listener' and datname = current_database()`,
  );
  await t.db.query('delete from sessions where account_id = $1', [net.user._id]);
  await expect.poll(async () => (await read(other, net.user)).status).toBe(401);
  await warm(other, await t.signIn(net.user.username));
});

it("gives a session's end time in its answers", async () => {
  await warm(t, net.user);
  const { expiresAt } = await t.ok(session, {}, net.user);
  expect(Date.parse(expiresAt)).toBe(t.clock.now().getTime() + SESSION_IDLE_MS);
});

it('adds pending uses on a new lookup and writes only the last', async () => {
  const second = await t.create(net.retailer);
  for (const player of [net.user, second]) await warm(t, player);
  t.clock.advance(SESSION_IDLE_MS - 10 * MINUTE_MS);
  for (const player of [net.user, second]) expect((await read(t, player)).status).toBe(200);
  t.clock.advance(10 * MINUTE_MS);
  const query = vi.spyOn(t.served, 'query');
  for (const player of [net.user, second]) expect((await read(t, player)).status).toBe(200);
  const written = query.mock.calls
    .filter((call) => statementOf(...call).name === 'sessions-touch')
    .map((call) => statementOf(...call).values[0]);
  expect(written).toEqual([net.user, second].map(({ token }) => [Buffer.from(sessionIdOf(token), 'hex')]));
});
