import type { LiveEvents } from '@drawhouse/contract/live/live';
import type { Role } from '@drawhouse/contract/core/primitives';
import { login } from '@drawhouse/contract/auth/auth';
import {
  endPlayerExclusion,
  excludeOneself,
  excludePlayer,
  playerProtection,
  playerProtectionHistory,
  setOwnLimit,
  takeBreak,
} from '@drawhouse/contract/players/protection';
import { claimWin, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listen, TestApp, type Network } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { untilWaiting } from '../../test/statements/until-waiting.ts';

let t: TestApp;
let url: string;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  url = await listen(t.app);
});
beforeEach(async () => {
  await t.finishDraw();
  net = await t.network({ credit: 100 });
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

const signIn = (password = PASSWORD) => t.call(login, { body: { username: net.user.username, password } });
const exclude = (length: '6 months' | '1 year' | '5 years' = '6 months') =>
  t.call(excludeOneself, { body: { length } }, net.user);

it('ends sessions and sockets at once, and refuses sign-in with its end date only after the correct password', async () => {
  const socket: Socket<LiveEvents> = io(url, {
    auth: { token: net.user.token },
    transports: ['websocket'],
    forceNew: true,
  });
  const closed = vi.fn();
  socket.on('disconnect', closed);
  await expect.poll(() => socket.connected).toBeTruthy();
  const { body } = await exclude();
  // Asia/Kolkata has no daylight saving time.
  const until = new Date(t.clock.now());
  until.setUTCMonth(until.getUTCMonth() + 6);
  expect(body.excludedUntil).toBe(until.toISOString());
  await expect.poll(() => closed.mock.calls.length > 0).toBeTruthy();
  socket.disconnect();
  expect((await t.bet(net.user, { 1: 1 })).body.code).toBe('SESSION_ENDED');
  expect((await t.call(playerTickets, {}, net.user)).status).toBe(401);

  const refused = await signIn();
  expect([refused.status, refused.body.code]).toEqual([403, 'EXCLUDED']);
  expect(refused.body.message).toMatch(
    /^This account is excluded until 10 September 2026 at 1\d:\d\d \(Asia\/Kolkata\)\./,
  );
  expect((await signIn('quite another')).body.code).toBe('WRONG_CREDENTIALS');

  t.clock.set(new Date(until.getTime() - 1));
  expect((await signIn()).body.code).toBe('EXCLUDED');
  t.clock.advance(1);
  expect((await signIn()).status).toBe(200);
});

it('by a manager works the same way and may be extended, never shortened', async () => {
  const params = { playerId: net.user._id };
  const by = (role: 'superadmin' | 'admin' | 'retailer', length: '6 months' | '1 year' | '5 years') =>
    t.call(excludePlayer, { params, body: { length, reason: 'asked by the family' } }, net[role]);
  expect((await by('retailer', '1 year')).status).toBe(200);
  expect((await signIn()).body.code).toBe('EXCLUDED');
  for (const role of ['superadmin', 'admin', 'retailer'] as const)
    expect((await by(role, '6 months')).body.code).toBe('RULE_REFUSED');
  expect((await by('superadmin', '5 years')).status).toBe(200);
  expect((await by('admin', '1 year')).body.code).toBe('RULE_REFUSED');
});

describe('an exclusion by a manager', () => {
  const DAY_MS = 24 * 60 * 60_000;
  const params = () => ({ playerId: net.user._id });
  const begin = (role: Role, length: '6 months' | '1 year' | '5 years' = '6 months') =>
    t.call(excludePlayer, { params: params(), body: { length } }, net[role]);
  const end = (role: Role) =>
    t.call(endPlayerExclusion, { params: params(), body: { reason: 'the wrong player' } }, net[role]);
  const endableUntil = async () =>
    (await t.ok(playerProtection, { params: params() }, net.admin)).data.exclusionEndableUntil;

  it('may be ended by its author or an account above, and appears in the history', async () => {
    await begin('distributor');
    const refused = {
      status: 422,
      body: { code: 'RULE_REFUSED', message: expect.stringContaining('An account above') },
    };
    expect(await end('retailer')).toMatchObject(refused);
    const stranger = await t.network({ credit: 0 });
    const foreign = { params: params(), body: {} };
    expect((await t.call(endPlayerExclusion, foreign, stranger.admin)).status).toBe(404);
    expect((await t.call(endPlayerExclusion, foreign, net.user)).status).toBe(401);
    const { body } = await end('superdistributor');
    expect(body.message).toBe(`Exclusion ended. ${net.user.username} can sign in.`);
    expect(body.data).toMatchObject({ excludedUntil: null, exclusionEndableUntil: null });
    net.user = await t.signIn(net.user.username);
    expect((await t.bet(net.user, { 1: 1 })).status).toBe(201);
    const { data } = await t.ok(playerProtectionHistory, { params: params(), query: {} }, net.admin);
    expect(data.map(({ step, length, reason }) => [step, length, reason])).toEqual([
      ['withdrawn', '6 months', 'the wrong player'],
      ['set', '6 months', ''],
    ]);
    expect((await end('superadmin')).body.message).toBe('This player is not excluded.');
  });

  it('may be ended within 24 hours of its start, to the millisecond', async () => {
    const began = t.clock.now().getTime();
    await begin('admin');
    expect(await endableUntil()).toBe(new Date(began + DAY_MS).toISOString());
    t.clock.set(new Date(began + DAY_MS));
    net.admin = await t.signIn(net.admin.username);
    expect(await endableUntil()).toBeNull();
    expect(await end('admin')).toMatchObject({ status: 422, body: { code: 'RULE_REFUSED' } });
    expect((await signIn()).body.code).toBe('EXCLUDED');
  });

  it("ends alone: the player's own and earlier exclusions remain", async () => {
    const { body: own } = await exclude();
    expect((await end('superadmin')).body.code).toBe('RULE_REFUSED');
    await begin('retailer', '1 year');
    await begin('admin', '5 years');
    expect((await end('admin')).body.data.excludedUntil).not.toBe(own.excludedUntil);
    const { body } = await end('admin');
    expect(body.data.excludedUntil).toBe(own.excludedUntil);
    expect(body.message).toContain('Another one applies until');
    expect((await end('superadmin')).body.code).toBe('RULE_REFUSED');
    expect((await signIn()).body.code).toBe('EXCLUDED');
  });
});

it('lets open tickets finish and pays their wins', async () => {
  const all = Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [String(digit), 1]));
  await t.bet(net.user, all);
  expect((await exclude()).status).toBe(200);
  await t.finishDraw();
  const [wallet] = await t.db.query<{ balance: bigint }>(
    'select balance from wallets where owner_id = $1 and kind = 1',
    [net.user._id],
  );
  expect(wallet!.balance).toBeGreaterThanOrEqual(9_900n);
});

it('is noticed by a concurrent sign-in in either order', async () => {
  // The sign-in waits for the account row locked by the exclusion.
  const [one, signedIn] = await t.db
    .transaction(async (tx) => {
      await tx.query('select from wallets where owner_id = $1 for update', [net.user._id]);
      const excluding = exclude();
      await untilWaiting(t);
      const signing = signIn();
      await untilWaiting(t, 2);
      return { both: Promise.all([excluding, signing]) };
    })
    .then(({ both }) => both);
  expect(one.status).toBe(200);
  expect(signedIn.body.code).toBe('EXCLUDED');
  expect(await t.db.query('select from sessions where account_id = $1', [net.user._id])).toEqual([]);
});

it('a break allows sign-in, viewing and claiming, and sign-in mentions it', async () => {
  await t.ok(takeBreak, { body: { length: '1 week' } }, net.user);
  const { status, body } = await signIn();
  expect(status).toBe(200);
  expect(body.notice).toMatch(/^You are on a break until \d+ \w+ 2026 at \d\d:\d\d \(Asia.Kolkata\)\./);
  expect((await t.ok(playerTickets, {}, net.user)).total).toBe(0);
  const claim = await t.call(claimWin, { body: { ticketId: '0ABC-1DEF-2GHJ' } }, net.user);
  expect(claim.body.code).toBe('NOT_FOUND');
});

it('may start during a break, and a concurrent change is refused', async () => {
  await t.ok(takeBreak, { body: { length: '3 months' } }, net.user);
  expect((await exclude('1 year')).status).toBe(200);
  const late = await t.call(setOwnLimit, { params: { limit: 'stakePerDay' }, body: { value: 5 } }, net.user);
  expect(late.status).toBe(401);
});
