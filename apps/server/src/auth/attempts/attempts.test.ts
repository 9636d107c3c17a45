import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { listSessions, login, session, signup } from '@drawhouse/contract/auth/auth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { attempt, SCOPES, WINDOW_MS, type Count } from './attempts.ts';
import { SESSIONS_MAX } from '../sessions/sessions.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { TestApp, type Network, type Reply, type SignedIn } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';

const WRONG = 'not the password';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start({ signupRetailer: 'retailer-4' });
  net = await t.network({ credit: 0, reserve: 0 });
});
afterAll(() => t.close());
beforeEach(async () => void (await t.db.query('delete from attempts')));

async function fill(scope: Count['scope'], subject: string, left: number): Promise<void> {
  const failures = SCOPES[scope].most - left;
  await t.db.query(
    'insert into attempts (scope, subject, failures, since) values ($1, $2, $3, $4) on conflict (scope, subject) do ' +
      'update set failures = $3, since = $4',
    [scope, subject, failures, t.clock.now()],
  );
}

const signIn = (username: string, password: string, ip = '10.0.0.1'): Promise<Reply<typeof login>> =>
  t.call(login, { body: { username, password } }, { ip });
const countOf = (codes: readonly (string | number)[], code: string | number): number =>
  codes.filter((each) => each === code).length;
const codeOf = ({ status, body }: { status: number; body: object }): string | number =>
  (body as { code?: string }).code ?? status;

async function times(count: number, send: (n: number) => Promise<Reply<unknown>>): Promise<(string | number)[]> {
  const codes: (string | number)[] = [];
  for (let n = 0; n < count; n++) codes.push(codeOf(await send(n)));
  return codes;
}

function transfer(password: string, by: SignedIn = net.superadmin, ip?: string): Promise<Reply<unknown>> {
  const body = { toUserId: net.admin._id, transferAmount: 1, password };
  return t.call(accountRoutes.admin.creditTransfer, { body }, { ...by, ip });
}

describe('concurrent attempts', () => {
  it('with the correct password all succeed without later delays', async () => {
    await t.give(net.superadmin, net.superadmin, 20);
    const replies = await Promise.all(Array.from({ length: 20 }, () => transfer(PASSWORD)));
    expect(replies.map(codeOf)).toEqual(Array(20).fill(200));
    expect(await t.credit(net.admin)).toBe(20);
    expect((await signIn(net.superadmin.username, PASSWORD)).status).toBe(200);
  });

  it('with wrong ones never slip through, even among correct ones', async () => {
    await t.give(net.superadmin, net.superadmin, 1);
    const wrong = await Promise.all(Array.from({ length: 30 }, () => transfer(WRONG, net.superadmin, '10.0.0.7')));
    expect(countOf(wrong.map(codeOf), 'WRONG_PASSWORD')).toBe(5);
    expect(countOf(wrong.map(codeOf), 'THROTTLED')).toBe(25);
    const other = await Promise.all(Array.from({ length: 30 }, () => signIn(net.user.username, WRONG, '10.0.0.7')));
    expect(countOf(other.map(codeOf), 'WRONG_CREDENTIALS')).toBe(5);
  });

  it('do not count if their callers left', async () => {
    const counts = [{ scope: 'pair', subject: 'somebody' }] as const;
    const as = {
      networkId: net.networkId,
      accountId: null,
      username: 'x',
      origin: { url: '/', method: 'POST', ip: '' },
    };
    const busy = (): Promise<boolean> => Promise.reject(new CallError('NOT_READY'));
    for (let n = 0; n < 20; n++)
      await expect(attempt(t.app.services, counts, as, busy)).rejects.toMatchObject({ code: 'NOT_READY' });
    const wrong = (): Promise<boolean> => Promise.resolve(false);
    for (let n = 0; n < 5; n++) expect(await attempt(t.app.services, counts, as, wrong)).toBe(false);
    await expect(attempt(t.app.services, counts, as, wrong)).rejects.toMatchObject({ code: 'THROTTLED' });
  });

  it('with the correct password of an inactive account do not count', async () => {
    const { toggleStatus } = accountRoutes.user;
    const account = await t.make(net.retailer);
    await t.ok(toggleStatus, { params: { userId: account._id, action: 'deactivate' } }, net.retailer);
    expect(await times(7, () => signIn(account.username, PASSWORD))).toEqual(Array(7).fill('ACCOUNT_INACTIVE'));
  });
});

describe('guessing many names from one address', () => {
  it('is stopped, without affecting accounts that signed in there before', async () => {
    expect((await signIn(net.retailer.username, PASSWORD, '10.1.0.1')).status).toBe(200);
    await fill('address', '10.1.0.1', 2);
    const codes = await times(4, (n) => signIn(`invented-${n}`, WRONG, '10.1.0.1'));
    expect(codes).toEqual(['WRONG_CREDENTIALS', 'WRONG_CREDENTIALS', 'THROTTLED', 'THROTTLED']);
    expect(codeOf(await signIn(net.user.username, PASSWORD, '10.1.0.1'))).toBe('THROTTLED');
    expect((await signIn(net.retailer.username, PASSWORD, '10.1.0.1')).status).toBe(200);
    expect((await signIn(net.user.username, PASSWORD, '10.1.0.2')).status).toBe(200);
  });

  it('is not reset by a correct password', async () => {
    await fill('address', '10.1.0.3', 1);
    expect((await signIn(net.user.username, PASSWORD, '10.1.0.3')).status).toBe(200);
    const codes = await times(2, (n) => signIn(`invented-${n}`, WRONG, '10.1.0.3'));
    expect(codes).toEqual(['WRONG_CREDENTIALS', 'THROTTLED']);
  });

  it('counts per IPv6 /64', async () => {
    await fill('pair', `${net.user._id} 2001:db8:0:0::/64`, 1);
    const codes = await times(2, (n) => signIn(net.user.username, WRONG, `2001:db8::${n + 1}`));
    expect(codes).toEqual(['WRONG_CREDENTIALS', 'THROTTLED']);
    expect(codeOf(await signIn(net.user.username, WRONG, '2001:db8:0:1::1'))).toBe('WRONG_CREDENTIALS');
  });
});

describe('guessing one name from many addresses', () => {
  const spray = (username: string): Promise<(string | number)[]> =>
    times(3, (n) => signIn(username, WRONG, `10.2.${n}.1`));
  const ends = ['WRONG_CREDENTIALS', 'THROTTLED', 'THROTTLED'];

  it('is stopped without locking out known devices of the owner', async () => {
    expect((await signIn(net.user.username, PASSWORD, '10.9.0.1')).status).toBe(200);
    await fill('name', net.user._id, 1);
    expect(await spray(net.user.username)).toEqual(ends);
    expect(codeOf(await signIn(net.user.username, PASSWORD, '10.9.0.2'))).toBe('THROTTLED');
    expect((await signIn(net.user.username, PASSWORD, '10.9.0.1')).status).toBe(200);
    t.clock.advance(WINDOW_MS);
    expect((await signIn(net.user.username, PASSWORD, '10.9.0.2')).status).toBe(200);
  });

  it('does not affect its sessions', async () => {
    await t.give(net.superadmin, net.superadmin, 2);
    await fill('name', net.superadmin._id, 1);
    expect(await spray(net.superadmin.username)).toEqual(ends);
    expect((await transfer(PASSWORD)).status).toBe(200);
    expect((await transfer(PASSWORD, net.superadmin, '10.9.0.3')).status).toBe(200);
  });

  it('does not affect its sessions from the same address', async () => {
    await t.give(net.superadmin, net.superadmin, 1);
    const at = '10.9.0.4';
    expect((await signIn(net.superadmin.username, PASSWORD, at)).status).toBe(200);
    const guesses = await times(6, () => signIn(net.superadmin.username, WRONG, at));
    expect(guesses).toEqual([...Array(5).fill('WRONG_CREDENTIALS'), 'THROTTLED']);
    expect((await transfer(PASSWORD, net.superadmin, at)).status).toBe(200);
  });

  it('treats unknown names the same', async () => {
    await fill('name', 'nobody-at-all', 1);
    expect(await spray('Nobody-At-All')).toEqual(ends);
  });

  it('is stopped within a session too, wherever its token comes from', async () => {
    await fill('session', net.superadmin._id, 1);
    const codes = await times(2, (n) => transfer(WRONG, net.superadmin, `10.3.${n}.1`));
    expect(codes).toEqual(['WRONG_PASSWORD', 'THROTTLED']);
    await t.give(net.superadmin, net.superadmin, 1);
    expect((await transfer(PASSWORD)).status).toBe(200);
  });
});

describe('attempts refused without a check', () => {
  const refusals = async (search: string): Promise<{ subject: string; ipAddress: string }[]> => {
    const superadmin = await t.signIn('superadmin');
    const { data } = await t.ok(activityLog.route, { query: { search, pageSize: '500' } }, superadmin);
    return data.filter(({ subject }) => /refused (once|\d+ times)/i.test(subject));
  };

  it('are logged once per window with their number', async () => {
    await fill('pair', `${net.distributor._id} 10.4.0.1`, 2);
    await times(2 + 37, () => signIn(net.distributor.username, WRONG, '10.4.0.1'));
    expect(await refusals(net.distributor.username)).toEqual([]);
    t.clock.advance(WINDOW_MS - 1);
    await t.app.tick();
    expect(await refusals(net.distributor.username)).toEqual([]);
    t.clock.advance(60_000);
    await t.app.tick();
    expect(await refusals(net.distributor.username)).toEqual([
      expect.objectContaining({ subject: 'Refused 37 times: too many wrong passwords', ipAddress: '10.4.0.1' }),
    ]);
    await fill('pair', `${net.distributor._id} 10.4.0.1`, 1);
    await times(1 + 1, () => signIn(net.distributor.username, WRONG, '10.4.0.1'));
    t.clock.advance(WINDOW_MS);
    await signIn(net.distributor.username, WRONG, '10.4.0.1');
    expect((await refusals(net.distributor.username)).map(({ subject }) => subject)).toEqual([
      'Refused once: too many wrong passwords',
      'Refused 37 times: too many wrong passwords',
    ]);
    expect(await t.db.query("select from attempts where scope = 'pair' and failures > 1")).toEqual([]);
  });

  it('are forgotten under a flood of names', async () => {
    await t.db.query(
      "insert into attempts (scope, subject, failures, since) select 'name', 'nobody-' || n, 1, $1 from generate_series(1, 2500) n",
      [new Date(t.clock.now().getTime() - WINDOW_MS)],
    );
    t.clock.advance(60_000);
    for (let ticks = 0; ticks < 3; ticks++) await t.app.tick();
    expect(await t.db.query("select from attempts where subject like 'nobody-%'")).toEqual([]);
  });

  it('are hidden from accounts below if counted by address, because they name other networks', async () => {
    await fill('address', '10.4.0.2', 0);
    await times(4, () => signIn(net.user.username, WRONG, '10.4.0.2'));
    t.clock.advance(WINDOW_MS + 60_000);
    await t.app.tick();
    expect(await refusals(net.user.username)).toContainEqual(
      expect.objectContaining({ subject: 'Sign-in refused 4 times: too many wrong passwords from one address' }),
    );
    const rows = await t.db.query<{ network_id: number }>(
      "select network_id from activity where subject like 'Sign-in refused 4 times%'",
    );
    expect(rows).toEqual([{ network_id: ROOT_NETWORK }]);
  });

  it("are in the root's log if their network has moved to another cell meanwhile", async () => {
    await t.db.query(
      `insert into attempts (scope, subject, failures, since, refused, refused_as) values ('name', 'moved', 30, $1, 9, $2)`,
      [
        t.clock.now(),
        { networkId: 999, accountId: net.user._id, username: 'moved', origin: { url: '', method: '', ip: '10.4.0.3' } },
      ],
    );
    t.clock.advance(WINDOW_MS + 60_000);
    await t.app.tick();
    const rows = await t.db.query(
      `select network_id, account_id, username from activity where subject like '%9 times%' and ip = '10.4.0.3'`,
    );
    expect(rows).toEqual([{ network_id: ROOT_NETWORK, account_id: null, username: 'moved' }]);
  });
});

describe('signing up', () => {
  it('is counted by address, successful or not', async () => {
    const signUp = (username: string, ip: string, password = PASSWORD): Promise<Reply<unknown>> =>
      t.call(signup, { body: { username, password } }, { ip });
    await fill('signup', '10.5.0.1', 4);
    const most = 4;
    expect(codeOf(await signUp('newcomer', '10.5.0.1', 'password'))).toBe('INVALID_INPUT');
    const codes = await times(most + 2, (n) => signUp(n % 2 === 0 ? `newcomer-${n}` : 'newcomer-0', '10.5.0.1'));
    expect(countOf(codes, 201)).toBe(most / 2);
    expect(countOf(codes, 'USERNAME_TAKEN')).toBe(most / 2);
    expect(codes.slice(most)).toEqual(['THROTTLED', 'THROTTLED']);
    expect(codeOf(await signUp('another-newcomer', '10.5.0.2'))).toBe(201);
    t.clock.advance(WINDOW_MS);
    expect(codeOf(await signUp('late-newcomer', '10.5.0.1'))).toBe(201);
  });
});

describe('sessions of one account', () => {
  it('are limited: the oldest ends with a reason and a log row', async () => {
    const owner = await t.create(await t.signIn(net.retailer.username));
    const later: SignedIn[] = [];
    for (let n = 1; n < SESSIONS_MAX; n++) {
      t.clock.advance(1_000);
      later.push(await t.signIn(owner.username));
    }
    expect((await t.call(session, {}, owner)).status).toBe(200);
    t.clock.advance(1_000);
    later.push(await t.signIn(owner.username));
    expect(await t.call(session, {}, owner)).toMatchObject({
      status: 401,
      body: { code: 'SESSION_REPLACED', message: expect.stringContaining('signed in elsewhere') },
    });
    for (const one of later) expect((await t.call(session, {}, one)).status).toBe(200);
    expect((await t.ok(listSessions, {}, later[0])).data).toHaveLength(SESSIONS_MAX);
    const { data } = await t.ok(
      activityLog.route,
      { query: { search: owner.username } },
      await t.signIn(net.admin.username),
    );
    expect(data.filter(({ subject }) => subject.startsWith('Signed out'))).toEqual([
      expect.objectContaining({ subject: 'Signed out the oldest session, from 127.0.0.1: too many sessions' }),
    ]);
    await t.expectBooksToBalance();
  });

  it('stay open after a fast clock is corrected', async () => {
    const owner = await t.make(await t.signIn(net.retailer.username));
    for (let n = 0; n < SESSIONS_MAX; n++) await t.signIn(owner.username);
    t.clock.advance(-24 * 60 * 60_000);
    const later = [await t.signIn(owner.username), await t.signIn(owner.username)];
    for (const one of later) expect((await t.call(session, {}, one)).status).toBe(200);
    t.clock.advance(24 * 60 * 60_000);
  });

  it('stay open after a sign-in that began earlier but ended later', async () => {
    const owner = await t.make(await t.signIn(net.retailer.username));
    for (let n = 0; n < SESSIONS_MAX; n++) await t.signIn(owner.username);
    t.clock.advance(1);
    const first = await t.signIn(owner.username);
    t.clock.advance(-1);
    await t.signIn(owner.username);
    expect((await t.call(session, {}, first)).status).toBe(200);
  });

  it('stay limited under concurrent sign-ins', async () => {
    const owner = await t.make(await t.signIn(net.retailer.username));
    await t.db.query(
      `insert into sessions (token_hash, account_id, created_at, last_used_at, ip, user_agent)
       select sha256($1::text::bytea || n::text::bytea), $1::uuid, $2, $2, '', '' from generate_series(1, $3) n`,
      [owner._id, t.clock.now(), SESSIONS_MAX],
    );
    t.clock.advance(1);
    await Promise.all([1, 2, 3].map(() => t.signIn(owner.username)));
    expect(await t.db.query('select from sessions where account_id = $1', [owner._id])).toHaveLength(SESSIONS_MAX);
  });
});

describe('addresses of past sign-ins', () => {
  it('are forgotten after a season', async () => {
    expect((await signIn(net.user.username, PASSWORD, '10.9.0.1')).status).toBe(200);
    t.clock.advance(91 * 24 * 60 * 60_000);
    await fill('name', net.user._id, 0);
    expect(codeOf(await signIn(net.user.username, PASSWORD, '10.9.0.1'))).toBe('THROTTLED');
  });
});
