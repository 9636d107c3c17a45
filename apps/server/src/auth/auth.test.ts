import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { changePassword, login, logout, session } from '@drawhouse/contract/auth/auth';
import { loadCredit } from '@drawhouse/contract/credit/own-credit';
import { ROLES } from '@drawhouse/contract/frame/primitives';
import type { Role } from '@drawhouse/contract/frame/primitives';
import { BACKGROUND_HEADER } from '@drawhouse/contract/frame/route';
import { claimWin, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { afterAll, describe, expect, it } from 'vitest';
import { hashPassword } from './password.ts';
import { NOBODY } from './sign-in.ts';
import { onFreshNetworks } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import type { Network, Reply, SignedIn, TestApp } from '../../test/harness.ts';
import { untilWaiting } from '../../test/until-waiting.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const WRONG = 'not the password';

type Answer = Pick<Reply<unknown>, 'status' | 'headers'> & { body: object };

let t: TestApp;
let net: Network;

onFreshNetworks((...both) => ([t, net] = both));
afterAll(() => t.expectBooksToBalance());

const attempt = (username: string, password: string, ip = '10.0.0.1'): Promise<Reply<typeof login>> =>
  t.call(login, { body: { username, password } }, { ip });
const isSignedIn = async (account: SignedIn): Promise<boolean> => (await t.call(session, {}, account)).status === 200;
const codesOf = (replies: readonly Answer[]): (string | number)[] =>
  replies.map(({ status, body }) => (body as { code?: string }).code ?? status);

async function failTimes(times: number, username: string, ip?: string): Promise<void> {
  for (let n = 0; n < times; n++) expect((await attempt(username, WRONG, ip)).status).toBe(401);
}

/** Gives credit to an account from nothing, and lets a draw begin. */
async function endow(account: SignedIn, points: number): Promise<void> {
  await t.finishDraw();
  await t.give(net.superadmin, net.superadmin, points);
  await t.give(net.superadmin, account, points);
}

async function transfer(password: string, ip?: string): Promise<Answer> {
  const body = { toUserId: net.admin._id, transferAmount: 1, password };
  await t.give(net.superadmin, net.superadmin, 1);
  return t.call(accountRoutes.admin.creditTransfer, { body }, { ...net.superadmin, ip });
}

describe('signing in', () => {
  it('is refused where the password was replaced while it was checked', async () => {
    const { late } = await t.db.transaction(async (tx) => {
      await tx.query('select from accounts where id = $1 for update', [net.user._id]);
      const begun = attempt(net.user.username, PASSWORD);
      await untilWaiting(t);
      const hash = await hashPassword('another horse battery');
      await tx.query('set local session_replication_role = replica');
      await tx.query('update accounts set password_hash = $2 where id = $1', [net.user._id, hash]);
      return { late: begun };
    });
    expect(codesOf([await late])).toEqual(['WRONG_CREDENTIALS']);
  });

  it('keeps the password that somebody above gave, whatever change of the old one is under way', async () => {
    const account = await t.create(net.retailer);
    const body = { opass: PASSWORD, npass: 'an intruder wants it', cpass: 'an intruder wants it' };
    const { late } = await t.db.transaction(async (tx) => {
      await tx.query('select from accounts where id = $1 for update', [account._id]);
      const begun = t.call(changePassword, { body }, account);
      await untilWaiting(t);
      const hash = await hashPassword('another horse battery');
      await tx.query('set local session_replication_role = replica');
      await tx.query('update accounts set password_hash = $2 where id = $1', [account._id, hash]);
      return { late: begun };
    });
    expect(await late).toMatchObject({ body: { code: 'WRONG_PASSWORD', fields: { opass: 'The password is wrong' } } });
    expect((await attempt(account.username, 'another horse battery')).status).toBe(200);
  });

  it('reads alike for a wrong name and a wrong password', async () => {
    const name = await attempt('nobody-of-that-name', PASSWORD);
    const password = await attempt(net.user.username, WRONG);
    expect(name).toMatchObject({ status: 401, body: { success: false, code: 'WRONG_CREDENTIALS' } });
    expect(password.status).toBe(name.status);
    expect(password.body).toEqual({ ...name.body, requestId: expect.any(String) });
    const shown = ({ headers }: Answer): string[] =>
      Object.keys(headers)
        .filter((header) => header !== 'date')
        .sort();
    expect(shown(password)).toEqual(shown(name));
    expect(password.headers['set-cookie']).toBeUndefined();
  });

  it('takes the name in any case and with spaces around it, and the password exactly', async () => {
    expect((await attempt(`  ${net.admin.username.toUpperCase()} `, PASSWORD)).body.user).toMatchObject({
      _id: net.admin._id,
      role: 'admin',
      roles: 'admin',
    });
    for (const password of [PASSWORD.toUpperCase(), `${PASSWORD} `, ` ${PASSWORD}`])
      expect((await attempt(net.admin.username, password)).body.code).toBe('WRONG_CREDENTIALS');
  });

  it('sets a cookie that no script reads and no other site sends, Secure behind HTTPS', async () => {
    const cookieOf = async (proto: string): Promise<string> => {
      const body = { username: net.user.username, password: PASSWORD };
      return String(
        (await t.send('POST', '/api/auth/login', {}, body, { 'x-forwarded-proto': proto })).headers['set-cookie'],
      );
    };
    expect(await cookieOf('http')).toMatch(/^session-token=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(await cookieOf('https')).toMatch(
      /^__Host-session-token=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  it('is in the activity log, refused or not, and the password never is', async () => {
    await attempt(net.user.username, WRONG, '10.9.9.9');
    await attempt(net.user.username, PASSWORD, '10.9.9.8');
    // The password where the name belongs, as happens.
    await attempt(PASSWORD, WRONG, '10.9.9.7');
    const { data } = await t.ok(activityLog.route, { query: {} }, net.admin);
    expect(data.slice(0, 2)).toEqual([
      expect.objectContaining({
        username: net.user.username,
        subject: 'Signed in',
        ipAddress: '10.9.9.8',
        requestUrl: '/api/auth/login',
        method: 'POST',
      }),
      expect.objectContaining({
        username: net.user.username,
        subject: 'Sign-in refused: Username or password is wrong.',
        ipAddress: '10.9.9.9',
      }),
    ]);
    const oldestFirst = await t.ok(activityLog.route, { query: { sort: 'createdAt', pageSize: '500' } }, net.admin);
    expect(oldestFirst.data).toEqual(data.toReversed());
    const unknown = { search: NOBODY };
    expect((await t.ok(activityLog.route, { query: unknown }, net.admin)).total).toBe(0);
    const refused = await t.ok(activityLog.route, { query: unknown }, net.superadmin);
    expect(refused.data[0]).toMatchObject({ username: NOBODY, ipAddress: '10.9.9.7' });
    const all = await t.db.query('select username, subject, ip, detail from activity');
    expect(all).toContainEqual({
      username: NOBODY,
      subject: 'Sign-in refused: Username or password is wrong.',
      ip: '10.9.9.7',
      detail: null,
    });
    expect(JSON.stringify(all)).not.toMatch(new RegExp(`${WRONG}|${PASSWORD}`));
  });
});

it('of a deleted account is refused, and logged by its name', async () => {
  const gone = await t.create(net.retailer);
  await t.ok(accountRoutes.user.remove, { params: { id: gone._id } }, net.retailer);
  expect((await attempt(gone.username.toUpperCase(), PASSWORD)).body.code).toBe('WRONG_CREDENTIALS');
  const { data } = await t.ok(activityLog.route, { query: { search: 'Sign-in refused' } }, net.superadmin);
  expect(data[0]).toMatchObject({ username: gone.username });
});

describe('the throttle', () => {
  it('stops the sixth attempt of a name from an address, whatever its password', async () => {
    await failTimes(5, net.user.username);
    const sixth = await attempt(net.user.username, PASSWORD);
    expect(sixth).toMatchObject({
      status: 429,
      body: { code: 'THROTTLED' },
      headers: { 'retry-after': String(15 * 60) },
    });
    expect((await attempt(net.user.username.toUpperCase(), PASSWORD)).status).toBe(429);
  });

  it('is forgotten once its window is over', async () => {
    const attempts = () => t.db.query("select from attempts where subject like 'nobody-at-all%'");
    await t.call(login, { body: { username: 'nobody-at-all', password: 'wrong one' } });
    expect(await attempts()).toHaveLength(2);
    t.clock.advance(15 * 60_000);
    await t.app.tick();
    expect(await attempts()).toHaveLength(0);
  });

  it('leaves other addresses and other names alone', async () => {
    await failTimes(5, net.user.username);
    expect((await attempt(net.user.username, PASSWORD, '10.0.0.2')).status).toBe(200);
    expect((await attempt(net.retailer.username, PASSWORD)).status).toBe(200);
    expect((await attempt(net.user.username, PASSWORD)).status).toBe(429);
  });

  it('believes the proxy, not what the client wrote in front of its word', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) {
      const headers = { 'x-forwarded-for': `203.0.113.${n}, 10.7.7.7` };
      const body = { username: net.retailer.username, password: WRONG };
      statuses.push((await t.send('POST', '/api/auth/login', {}, body, headers)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('ends 15 minutes after the first failure, and says how long that is', async () => {
    await failTimes(1, net.user.username);
    t.clock.advance(5 * MINUTE_MS);
    await failTimes(4, net.user.username);
    t.clock.advance(9 * MINUTE_MS + 59 * SECOND_MS);
    const last = await attempt(net.user.username, PASSWORD);
    expect(last).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    t.clock.advance(SECOND_MS);
    expect((await attempt(net.user.username, PASSWORD)).status).toBe(200);
  });

  it('counts anew after a success, and after its window', async () => {
    await failTimes(4, net.user.username);
    expect((await attempt(net.user.username, PASSWORD)).status).toBe(200);
    await failTimes(4, net.user.username);
    t.clock.advance(15 * MINUTE_MS);
    await failTimes(5, net.user.username);
    expect((await attempt(net.user.username, PASSWORD)).status).toBe(429);
  });

  it('keeps nobody waiting longer where the clock has gone back by a day since, and forgets nothing', async () => {
    await failTimes(3, net.user.username);
    await failTimes(5, net.retailer.username);
    t.clock.advance(-24 * HOUR_MS);
    const last = await attempt(net.retailer.username, PASSWORD);
    expect(last).toMatchObject({ status: 429, headers: { 'retry-after': '900' } });
    await failTimes(2, net.user.username);
    expect((await attempt(net.user.username, PASSWORD)).status).toBe(429);
    t.clock.advance(15 * MINUTE_MS);
    for (const { username } of [net.user, net.retailer]) expect((await attempt(username, PASSWORD)).status).toBe(200);
  });

  it('treats a name that nobody has just the same', async () => {
    await failTimes(5, 'nobody-else');
    expect((await attempt('nobody-else', PASSWORD)).status).toBe(429);
  });

  it('lets no more than five of many attempts at once through', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => attempt(net.user.username, WRONG)));
    expect(codesOf(replies).filter((code) => code === 'WRONG_CREDENTIALS')).toHaveLength(5);
    expect(codesOf(replies).filter((code) => code === 'THROTTLED')).toHaveLength(35);
  });

  it('counts the passwords asked for with credit transfers as well', async () => {
    await t.give(net.superadmin, net.superadmin, 1);
    const replies = [];
    for (let n = 0; n < 6; n++) replies.push(await transfer(WRONG, '10.0.0.3'));
    expect(codesOf(replies)).toEqual([...Array.from({ length: 5 }, () => 'WRONG_PASSWORD'), 'THROTTLED']);
    expect(replies[0]).toMatchObject({ status: 403, body: { fields: { password: 'The password is wrong' } } });
    expect(replies[5]!.headers['retry-after']).toBe(String(15 * 60));
    expect((await transfer(PASSWORD, '10.0.0.3')).status).toBe(429);
    // Signing in has a count of its own: neither shuts the other out.
    expect((await attempt(net.superadmin.username, PASSWORD, '10.0.0.3')).status).toBe(200);
    expect((await transfer(PASSWORD, '10.0.0.4')).status).toBe(200);
    expect(await t.credit(net.admin)).toBe(1);
  });
});

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

  it('ends 12 hours after sign-in, however much it is used', async () => {
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      t.clock.advance(20 * MINUTE_MS);
      expect(await isSignedIn(net.user)).toBe(true);
    }
    const { expiresAt } = await t.ok(session, {}, net.user);
    expect(new Date(expiresAt).getTime() - t.clock.now().getTime()).toBe(20 * MINUTE_MS);
    t.clock.advance(20 * MINUTE_MS);
    expect((await t.call(session, {}, net.user)).body).toMatchObject({ code: 'SESSION_ENDED' });
  });

  it('says when it ends', async () => {
    t.clock.advance(2 * HOUR_MS);
    const { token, expiresAt } = await t.ok(login, { body: { username: net.user.username, password: PASSWORD } });
    expect(new Date(expiresAt).getTime() - t.clock.now().getTime()).toBe(30 * MINUTE_MS);
    t.clock.advance(10 * MINUTE_MS);
    const { expiresAt: later } = await t.ok(session, {}, { token });
    expect(new Date(later).getTime() - t.clock.now().getTime()).toBe(30 * MINUTE_MS);
  });

  it('ends at logout, and only that one', async () => {
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

  it('is not kept alive by what a page asks by itself', async () => {
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

  it('is kept alive by what changes something, whatever the request says of itself', async () => {
    const player = await t.signIn(net.user.username);
    t.clock.advance(20 * MINUTE_MS);
    await t.send('POST', `/api/${claimWin.path}`, player, { ticketId: 'none' }, { [BACKGROUND_HEADER]: '1' });
    t.clock.advance(20 * MINUTE_MS);
    expect(await isSignedIn(player)).toBe(true);
  });

  it('leaves nothing behind: the next sign-in of the account clears what has run out', async () => {
    const account = await t.create(net.superadmin);
    t.clock.advance(31 * 60_000);
    await t.signIn(account.username);
    expect(await t.db.query('select from sessions where account_id = $1', [account._id])).toHaveLength(1);
  });

  it('is known to the database only by the hash of its token', async () => {
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
    // What the table holds instead is no token itself.
    const [stored] = await t.db.query<{ token_hash: Buffer }>('select token_hash from sessions limit 1');
    for (const token of [stored!.token_hash.toString('hex'), stored!.token_hash.toString('base64url')])
      expect((await t.call(session, {}, { token })).status).toBe(401);
  });
});

describe('the cookie alone', () => {
  it('serves reads', async () => {
    expect((await t.call(session, {}, { ...net.user, cookie: true })).status).toBe(200);
    expect((await t.call(loadCredit, { query: {} }, { ...net.retailer, cookie: true })).status).toBe(200);
  });

  it('is heard over HTTPS by the name alone that no other host could have set', async () => {
    const statusOf = async (name: string, proto: string): Promise<number> => {
      const headers = { cookie: `${name}=${net.user.token}`, 'x-forwarded-proto': proto };
      return (await t.send('GET', '/api/auth/session', {}, undefined, headers)).status;
    };
    expect(await statusOf('__Host-session-token', 'https')).toBe(200);
    expect(await statusOf('session-token', 'https')).toBe(401);
    expect(await statusOf('session-token', 'http')).toBe(200);
    expect(await statusOf('__Host-session-token', 'http')).toBe(401);
  });

  it('never changes anything, nor signs out', async () => {
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

describe('deactivation', () => {
  const toggle = (by: SignedIn, account: SignedIn, action: 'activate' | 'deactivate'): Promise<unknown> =>
    t.ok(accountRoutes[account.role].toggleStatus, { params: { userId: account._id, action } }, by);

  it.each<[Role, Role]>([
    ['admin', 'superadmin'],
    ['distributor', 'admin'],
    ['retailer', 'superdistributor'],
    ['user', 'retailer'],
  ])('of the %s by the %s ends the sessions of its subtree, and none above', async (role, by) => {
    const place = ROLES.indexOf(role);
    await toggle(net[by], net[role], 'deactivate');
    for (const [index, each] of ROLES.entries()) {
      expect(await isSignedIn(net[each]), `${each} is signed in`).toBe(index < place);
      const reply = await attempt(net[each].username, PASSWORD);
      if (index < place) expect(reply.status).toBe(200);
      else expect(reply.body).toMatchObject({ code: 'ACCOUNT_INACTIVE' });
    }
  });

  it('refuses betting too, until the last one above is active again', async () => {
    await endow(net.user, 5);
    await toggle(net.superadmin, net.admin, 'deactivate');
    await toggle(net.superadmin, net.retailer, 'deactivate');
    await toggle(net.superadmin, net.admin, 'activate');
    expect((await attempt(net.user.username, PASSWORD)).body.code).toBe('ACCOUNT_INACTIVE');
    expect((await attempt(net.distributor.username, PASSWORD)).status).toBe(200);
    await toggle(net.superadmin, net.retailer, 'activate');
    // The old sessions stay ended; a new sign-in bets.
    expect(await isSignedIn(net.user)).toBe(false);
    expect((await t.bet(await t.signIn(net.user.username), { 1: 5 })).status).toBe(201);
  });

  it('holds for a session that got past it', async () => {
    // As if a sign-in had been under way in the moment of deactivation.
    await endow(net.user, 5);
    await toggle(net.superadmin, net.retailer, 'deactivate');
    await t.db.query(
      `insert into sessions (token_hash, account_id, created_at, last_used_at, ip, user_agent) select decode($1, 'hex'), $2, $3, $3, '', ''`,
      [await sha256(net.user.token), net.user._id, t.clock.now()],
    );
    expect((await t.call(session, {}, net.user)).body).toMatchObject({ code: 'SESSION_ENDED' });
    expect((await t.bet(net.user, { 1: 5 })).status).toBe(401);
    expect(await t.db.query('select 1 from tickets where account_id = $1', [net.user._id])).toEqual([]);
  });

  it('tells a wrong password nothing of it', async () => {
    await toggle(net.superadmin, net.retailer, 'deactivate');
    expect((await attempt(net.user.username, WRONG)).body.code).toBe('WRONG_CREDENTIALS');
  });
});

describe('password hashes', () => {
  it('are argon2id, each with a salt of its own', async () => {
    const made = [await t.make(net.retailer), await t.make(net.retailer)].map(({ _id }) => _id);
    const rows = await t.db.query<{ password_hash: string }>(
      "select password_hash from accounts where id = any($1::uuid[]) or role = 'superadmin'",
      [made],
    );
    expect(new Set(rows.map((row) => row.password_hash)).size).toBe(3);
    for (const { password_hash } of rows) expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d,p=1\$/);
  });

  it('are in no answer that shows an account', async () => {
    const { superadmin, admin, retailer, user } = net;
    await endow(user, 1);
    await t.give(superadmin, superadmin, 1);
    const created = {
      username: 'another',
      password: 'a very own secret',
      commission: 0,
      note: 'add notes',
      refId: retailer._id,
    };
    const answers = [
      await t.send('POST', '/api/auth/login', {}, { username: user.username, password: PASSWORD }),
      await t.send('GET', '/api/auth/session', admin),
      await t.send('GET', `/api/auth/userauth/${user._id}`, admin),
      await t.send('GET', '/api/users/all', superadmin),
      await t.send('GET', '/api/superadmins/all', superadmin),
      await t.send('GET', `/api/users/${user._id}`, retailer),
      await t.send('POST', '/api/users/create', retailer, created),
      await t.send('POST', '/api/admins/credit-transfer', superadmin, {
        toUserId: admin._id,
        transferAmount: 1,
        password: WRONG,
      }),
      await t.send('PATCH', `/api/users/toggle-status/${user._id}/deactivate`, retailer),
      await t.send('POST', '/api/users/credit-adjust', superadmin, {
        toUserId: user._id,
        adjustAmount: 1,
        password: PASSWORD,
        transactionType: 'debit',
      }),
      await t.send('GET', '/api/logs', superadmin),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200, 200, 201, 403, 200, 200, 200]);
    for (const { body } of answers)
      expect(JSON.stringify(body)).not.toMatch(/argon2|password_?hash|a very own secret|correct horse/i);
  });
});

async function sha256(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('hex');
}
