import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { changePassword, login, session } from '@drawhouse/contract/auth/auth';
import { ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { afterAll, describe, expect, it } from 'vitest';
import { hashPassword } from './passwords/password.ts';
import { NOBODY } from './sign-in.ts';
import { onFreshNetworks, type Network, type Reply, type SignedIn, type TestApp } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { untilWaiting } from '../../test/statements/until-waiting.ts';

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

const LINE = 1000;

async function endow(account: SignedIn, points: number): Promise<void> {
  await t.finishDraw();
  await t.give(net.superadmin, net.superadmin, points + LINE);
  await t.give(net.superadmin, account, points);
  await t.give(net.superadmin, net.admin, LINE);
}

describe('signing in', () => {
  it('is refused if the password changed during the check', async () => {
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

  it('keeps the password set from above during a concurrent change', async () => {
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

  it('answers the same for wrong names and wrong passwords', async () => {
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

  it('accepts the name in any case with spaces, and the password exactly', async () => {
    expect((await attempt(`  ${net.admin.username.toUpperCase()} `, PASSWORD)).body.user).toMatchObject({
      _id: net.admin._id,
      role: 'admin',
      roles: 'admin',
    });
    for (const password of [PASSWORD.toUpperCase(), `${PASSWORD} `, ` ${PASSWORD}`])
      expect((await attempt(net.admin.username, password)).body.code).toBe('WRONG_CREDENTIALS');
  });

  it('sets an HttpOnly same-site cookie, Secure behind HTTPS', async () => {
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

  it('is logged, refused or not, without the password', async () => {
    await attempt(net.user.username, WRONG, '10.9.9.9');
    await attempt(net.user.username, PASSWORD, '10.9.9.8');
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

it('sign-in of a deleted account is refused and logged by name', async () => {
  const gone = await t.create(net.retailer);
  await t.ok(accountRoutes.user.remove, { params: { id: gone._id } }, net.retailer);
  expect((await attempt(gone.username.toUpperCase(), PASSWORD)).body.code).toBe('WRONG_CREDENTIALS');
  const { data } = await t.ok(activityLog.route, { query: { search: 'Sign-in refused' } }, net.superadmin);
  expect(data[0]).toMatchObject({ username: gone.username });
});

describe('deactivation', () => {
  const toggle = (by: SignedIn, account: SignedIn, action: 'activate' | 'deactivate'): Promise<unknown> =>
    t.ok(accountRoutes[account.role].toggleStatus, { params: { userId: account._id, action } }, by);

  it.each<[Role, Role]>([
    ['admin', 'superadmin'],
    ['distributor', 'admin'],
    ['retailer', 'superdistributor'],
    ['user', 'retailer'],
  ])('of the %s by the %s ends sessions in its subtree only', async (role, by) => {
    const place = ROLES.indexOf(role);
    await toggle(net[by], net[role], 'deactivate');
    for (const [index, each] of ROLES.entries()) {
      expect(await isSignedIn(net[each]), `${each} is signed in`).toBe(index < place);
      const reply = await attempt(net[each].username, PASSWORD);
      if (index < place) expect(reply.status).toBe(200);
      else expect(reply.body).toMatchObject({ code: 'ACCOUNT_INACTIVE' });
    }
  });

  it('blocks betting until every ancestor is active again', async () => {
    await endow(net.user, 5);
    await toggle(net.superadmin, net.admin, 'deactivate');
    await toggle(net.superadmin, net.retailer, 'deactivate');
    await toggle(net.superadmin, net.admin, 'activate');
    expect((await attempt(net.user.username, PASSWORD)).body.code).toBe('ACCOUNT_INACTIVE');
    expect((await attempt(net.distributor.username, PASSWORD)).status).toBe(200);
    await toggle(net.superadmin, net.retailer, 'activate');
    expect(await isSignedIn(net.user)).toBe(false);
    expect((await t.bet(await t.signIn(net.user.username), { 1: 5 })).status).toBe(201);
  });

  it('applies to a session that slipped through', async () => {
    await endow(net.user, 5);
    await toggle(net.superadmin, net.retailer, 'deactivate');
    await t.db.query(
      'insert into sessions (token_hash, account_id, created_at, last_used_at, ip, user_agent) select decode($1, ' +
        "'hex'), $2, $3, $3, '', ''",
      [await sha256(net.user.token), net.user._id, t.clock.now()],
    );
    expect((await t.call(session, {}, net.user)).body).toMatchObject({ code: 'SESSION_ENDED' });
    expect((await t.bet(net.user, { 1: 5 })).status).toBe(401);
    expect(await t.db.query('select 1 from tickets where account_id = $1', [net.user._id])).toEqual([]);
  });

  it('is not revealed by a wrong password', async () => {
    await toggle(net.superadmin, net.retailer, 'deactivate');
    expect((await attempt(net.user.username, WRONG)).body.code).toBe('WRONG_CREDENTIALS');
  });
});

describe('password hashes', () => {
  it('are argon2id with separate salts', async () => {
    const made = [await t.make(net.retailer), await t.make(net.retailer)].map(({ _id }) => _id);
    const rows = await t.db.query<{ password_hash: string }>(
      "select password_hash from accounts where id = any($1::uuid[]) or role = 'superadmin'",
      [made],
    );
    expect(new Set(rows.map((row) => row.password_hash)).size).toBe(3);
    for (const { password_hash } of rows) expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d,p=1\$/);
  });

  it('never appear in answers', async () => {
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
