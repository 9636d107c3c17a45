import { randomUUID } from 'node:crypto';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { changePassword, confirmPassword, login, session } from '@drawhouse/contract/auth/auth';
import {
  addApp,
  beginApp,
  finishSignIn,
  listFactors,
  RECOVERY_CODES,
  removeFactor,
  renewCodes,
} from '@drawhouse/contract/auth/factors';
import { loadCredit } from '@drawhouse/contract/credit/own-credit';
import { PASSWORD_HEADER } from '@drawhouse/contract/core/route';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { afterAll, describe, expect, it } from 'vitest';
import { addAppFactor, appCode, APP_STEP_MS, type AppOwner } from '../../../test/clients/app-factor.ts';
import {
  onFreshNetworks,
  type As,
  type Network,
  type Reply,
  type SignedIn,
  type TestApp,
} from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { liftFence, raiseFence } from '../../activity/network-work/fences.ts';
import { resetFactorFromShell } from '../attempts/unlock-account.ts';
import { SCOPES } from '../attempts/attempts.ts';

let t: TestApp;
let net: Network;

onFreshNetworks((...both) => ([t, net] = both));
afterAll(() => t.expectBooksToBalance());

const codeOf = ({ status, body }: Reply<unknown>): string | number => body.code ?? status;
const codeNow = (secret: string): Promise<string> => appCode(t, secret);
const withApp = (account: SignedIn = net.retailer, name?: string): Promise<AppOwner> => addAppFactor(t, account, name);

async function challengeOf({ username }: Pick<SignedIn, 'username'>): Promise<string> {
  const reply = await t.call(login, { body: { username, password: PASSWORD, elevation: true } });
  expect([reply.status, reply.body.code]).toEqual([401, 'SECOND_FACTOR']);
  return reply.body.challenge!;
}

const finish = (challenge: string, code: string, ip = '10.0.0.1'): Promise<Reply<typeof finishSignIn>> =>
  t.call(finishSignIn, { body: { challenge, code } }, { ip });

describe('a sign-in with an authenticator app', () => {
  it('asks for a code only after the correct password', async () => {
    const { account, secret } = await withApp();
    const { username } = account;
    const wrong = await t.call(login, { body: { username, password: 'not the password' } });
    expect(codeOf(wrong)).toBe('WRONG_CREDENTIALS');
    const reply = await finish(await challengeOf(account), await codeNow(secret));
    expect(reply.body).toMatchObject({ success: true, roles: 'retailer', user: { username, secondFactor: true } });
    const { token, elevation } = reply.body;
    expect(elevation).toBeDefined();
    expect((await t.ok(session, {}, { token })).user.secondFactor).toBe(true);
  });

  it('takes each code once, also at the same time', async () => {
    const { account, secret } = await withApp();
    const [one, other] = [await challengeOf(account), await challengeOf(account)];
    const code = await codeNow(secret);
    const codes = (await Promise.all([finish(one, code), finish(other, code)])).map(codeOf);
    expect(new Set(codes)).toEqual(new Set([200, 'WRONG_FACTOR']));
    t.clock.advance(APP_STEP_MS);
    expect(codeOf(await finish(one, code))).toBe('WRONG_FACTOR');
  });

  it('spends no code and logs nothing while the network moves to another cell', async () => {
    const { account, secret, codes } = await withApp();
    const challenge = await challengeOf(account);
    const code = await codeNow(secret);
    const { db, clock } = t.app.services;
    const fence = { networkId: net.networkId, adminId: net.admin._id, moveId: randomUUID(), arrives: false, cell: 'b' };
    const log = 'select count(*)::int as rows, max(seq) as seq from activity where network_id = $1';
    const before = await t.db.query(log, [net.networkId]);
    await db.transaction((tx) => raiseFence(tx, fence, clock.now()));
    const answered = [];
    for (const answer of [code, codes[0]!, '000000']) answered.push(codeOf(await finish(challenge, answer)));
    expect(answered).toEqual(['NOT_READY', 'NOT_READY', 'NOT_READY']);
    const refused = await t.call(login, { body: { username: account.username, password: 'not the password' } });
    expect(codeOf(refused)).toBe('NOT_READY');
    expect(await t.db.query(log, [net.networkId])).toEqual(before);
    await db.transaction((tx) => liftFence(tx, fence, clock.now()));
    expect(codeOf(await finish(challenge, code))).toBe(200);
    expect(codeOf(await finish(await challengeOf(account), codes[0]!))).toBe(200);
  });

  it('does not take the code that set it up, nor codes of another secret', async () => {
    const { setup, secret } = await t.ok(beginApp, {}, net.retailer);
    const code = await codeNow(secret);
    await t.ok(addApp, { body: { setup, name: 'Phone', code } }, net.retailer);
    const challenge = await challengeOf(net.retailer);
    expect(codeOf(await finish(challenge, code))).toBe('WRONG_FACTOR');
    const other = await withApp(net.distributor);
    expect(codeOf(await finish(challenge, await codeNow(other.secret)))).toBe('WRONG_FACTOR');
  });

  it('ends its challenge after five minutes, a new password, or any change', async () => {
    const { account, secret } = await withApp();
    const old = await challengeOf(account);
    t.clock.advance(5 * 60_000 + 1);
    expect(codeOf(await finish(old, await codeNow(secret)))).toBe('CHALLENGE_ENDED');
    const challenge = await challengeOf(account);
    const altered = challenge.slice(0, -4) + (challenge.endsWith('AAAA') ? 'BBBB' : 'AAAA');
    expect(codeOf(await finish(altered, await codeNow(secret)))).toBe('CHALLENGE_ENDED');
    const params = { id: account._id };
    const password = 'another horse battery';
    await t.ok(accountRoutes.retailer.update, { params, body: { password } }, net.distributor);
    expect(codeOf(await finish(challenge, await codeNow(secret)))).toBe('CHALLENGE_ENDED');
    const again = await t.call(login, { body: { username: account.username, password } });
    expect(codeOf(again), 'a reset does not bypass the factor').toBe('SECOND_FACTOR');
  });

  it('slows guessing at one address and from many, and logs it', async () => {
    const { account, secret } = await withApp();
    const challenge = await challengeOf(account);
    const guess = async (ip: string) => codeOf(await finish(challenge, '000000', ip));
    const here = [];
    for (let nth = 0; nth <= SCOPES.pair.most; nth++) here.push(await guess('10.0.0.1'));
    expect(here).toEqual([...Array.from({ length: SCOPES.pair.most }, () => 'WRONG_FACTOR'), 'THROTTLED']);
    const elsewhere = [];
    for (let nth = SCOPES.pair.most; nth <= SCOPES.factor.most; nth++) elsewhere.push(await guess(`10.0.1.${nth}`));
    expect(elsewhere.at(-1)).toBe('THROTTLED');
    expect(codeOf(await finish(challenge, await codeNow(secret), '10.0.2.1'))).toBe('THROTTLED');
    const { data } = await t.ok(activityLog.route, { query: { search: 'Second factor refused' } }, account);
    expect(data).toHaveLength(SCOPES.factor.most);
  });
});

describe('recovery codes', () => {
  it('come with the first factor, and sign in once each', async () => {
    const { account, codes } = await withApp();
    expect(new Set(codes).size).toBe(RECOVERY_CODES);
    expect((await withApp(account, 'Tablet')).codes).toEqual([]);
    const typed = codes[3]!.toUpperCase().replaceAll('-', ' ');
    expect(codeOf(await finish(await challengeOf(account), typed))).toBe(200);
    expect(codeOf(await finish(await challengeOf(account), codes[3]!))).toBe('WRONG_FACTOR');
    const { data } = await t.ok(listFactors, {}, account);
    expect(data.map(({ kind, name, codesLeft }) => [kind, name, codesLeft])).toEqual([
      ['app', 'Phone', undefined],
      ['codes', 'Recovery codes', RECOVERY_CODES - 1],
      ['app', 'Tablet', undefined],
    ]);
  });

  it('sign in once, also in two tabs at the same time', async () => {
    const { account, codes } = await withApp();
    const challenges = [await challengeOf(account), await challengeOf(account)];
    const replies = await Promise.all(challenges.map((challenge) => finish(challenge, codes[0]!)));
    expect(new Set(replies.map(codeOf))).toEqual(new Set([200, 'WRONG_FACTOR']));
    const { data } = await t.ok(listFactors, {}, account);
    expect(data.find(({ kind }) => kind === 'codes')!.codesLeft).toBe(RECOVERY_CODES - 1);
  });

  it('are replaced by new ones', async () => {
    const { account, codes } = await withApp();
    const renewed = (await t.ok(renewCodes, {}, account)).codes;
    expect(codeOf(await finish(await challengeOf(account), codes[0]!))).toBe('WRONG_FACTOR');
    expect(codeOf(await finish(await challengeOf(account), renewed[0]!))).toBe(200);
  });
});

describe('sensitive calls of a login with a second factor', () => {
  const note = async (as: As, headers: Record<string, string> = {}): Promise<string | number> =>
    codeOf(await t.send('PUT', `/api/users/${net.user._id}`, as, { note: 'by hand' }, headers));
  const give = async (as: As): Promise<string | number> => {
    const body = { toUserId: net.user._id, transferAmount: 1, password: PASSWORD };
    return codeOf(await t.call(accountRoutes.user.creditTransfer, { body }, as));
  };

  it('need an elevation by the factor: neither the password nor the token alone', async () => {
    const { username } = net.retailer;
    const byPassword = (await t.ok(confirmPassword, { body: { password: PASSWORD } }, net.retailer)).elevation;
    const other = await t.signIn(username);
    const { secret } = await withApp();
    expect([await note(other), await give(other)]).toEqual(['CONFIRM_FACTOR', 'CONFIRM_FACTOR']);
    expect(await note({ token: net.retailer.token, elevation: byPassword })).toBe(200);
    const { token } = net.retailer;
    expect(await note({ token }, { [PASSWORD_HEADER]: PASSWORD })).toBe('CONFIRM_FACTOR');
    const confirm = async (body: { password?: string; code?: string }) =>
      t.call(confirmPassword, { body }, { token, ip: '10.0.3.1' });
    expect(codeOf(await confirm({ password: PASSWORD }))).toBe('CONFIRM_FACTOR');
    expect(codeOf(await confirm({ password: PASSWORD, code: '000000' }))).toBe('WRONG_FACTOR');
    const { elevation } = (await confirm({ code: await codeNow(secret) })).body;
    const both = [await note({ token, elevation }), await give({ token, elevation })];
    expect(both).toEqual([200, 'INSUFFICIENT_CREDIT']);
    expect(await give({ token })).toBe('CONFIRM_FACTOR');
  });

  it('are not allowed by the token of a program that knows only the specification', async () => {
    const { secret } = await withApp();
    const challenge = (await t.call(login, { body: { username: net.retailer.username, password: PASSWORD } })).body
      .challenge!;
    const { token } = (await finish(challenge, await codeNow(secret))).body;
    expect([await note({ token }), await give({ token })]).toEqual(['CONFIRM_FACTOR', 'CONFIRM_FACTOR']);
  });
});

describe('a second factor that the network requires', () => {
  const require = (roles: string[], as: SignedIn = net.superadmin) =>
    t.call(accountRoutes.admin.update, { params: { id: net.admin._id }, body: { factorRoles: roles as never } }, as);
  const note = async (as: As) => codeOf(await t.send('PUT', `/api/users/${net.user._id}`, as, { note: 'by hand' }));

  const reads = async (as: As) => codeOf(await t.call(loadCredit, { query: {} }, as));

  it('must be added before any other call, by the roles that the superadmin chose', async () => {
    expect(codeOf(await require(['retailer']))).toBe(200);
    expect([await reads(net.retailer), await reads(net.distributor)]).toEqual(['ADD_FACTOR', 200]);
    const retailer = await t.signIn(net.retailer.username);
    expect((await t.ok(session, {}, retailer)).user).toMatchObject({ mustAddFactor: true, secondFactor: false });
    expect(await note(retailer)).toBe('ADD_FACTOR');
    expect(await note(net.distributor)).toBe(200);
    await withApp(retailer);
    expect((await t.ok(session, {}, retailer)).user).toMatchObject({ mustAddFactor: false, secondFactor: true });
    expect([await note(retailer), await reads(retailer)]).toEqual([200, 200]);
    await t.ok(removeFactor, { params: { number: '1' } }, retailer);
    expect(await reads(retailer)).toBe('ADD_FACTOR');
  });

  it('comes only after choosing a password', async () => {
    await require(['retailer']);
    const until = new Date(t.clock.now().getTime() + 60_000);
    await t.byHand('update accounts set temporary_until = $2 where id = $1', [net.retailer._id, until]);
    const retailer = await t.signIn(net.retailer.username);
    expect([await reads(retailer), codeOf(await t.call(beginApp, {}, retailer))]).toEqual([
      'CHANGE_PASSWORD',
      'CHANGE_PASSWORD',
    ]);
    const npass = 'another horse battery';
    await t.ok(changePassword, { body: { opass: PASSWORD, npass, cpass: npass } }, retailer);
    expect(await reads(retailer)).toBe('ADD_FACTOR');
  });

  it('applies to superadmins if the operator says so, and never to players', async () => {
    expect(codeOf(await require(['user']))).toBe('INVALID_INPUT');
    const strict = await t.beside({ superadminFactor: true });
    expect(codeOf(await strict.call(loadCredit, { query: {} }, net.superadmin))).toBe('ADD_FACTOR');
    expect(codeOf(await strict.call(loadCredit, { query: {} }, net.admin))).toBe(200);
    await strict.close();
  });

  it('is set by the superadmin alone, and named in the log', async () => {
    expect((await require([], net.admin)).status).toBeGreaterThanOrEqual(403);
    await require(['admin', 'retailer']);
    const { data } = await t.ok(activityLog.route, { query: { search: 'second factor' } }, net.superadmin);
    expect(data[0]!.subject).toMatch(/roles with a second factor of admin .* from none to admin, retailer$/);
  });
});

describe('the factors of a login', () => {
  it("are set up with a correct code of one's own setup, after the password", async () => {
    const { setup, secret, uri, qr } = await t.ok(beginApp, {}, net.retailer);
    expect(uri).toContain(encodeURIComponent(net.retailer.username));
    expect(qr).toMatch(/^<svg/);
    const add = async (as: SignedIn, code: string) =>
      codeOf(await t.call(addApp, { body: { setup, name: 'Phone', code } }, as));
    expect(await add(net.retailer, '000000')).toBe('WRONG_FACTOR');
    expect(await add(net.distributor, await codeNow(secret))).toBe('CHALLENGE_ENDED');
    const { token } = net.retailer;
    expect(codeOf(await t.call(beginApp, {}, { token }))).toBe('CONFIRM_PASSWORD');
    expect((await t.ok(listFactors, {}, net.retailer)).data).toEqual([]);
  });

  it('end with the last device, the recovery codes included', async () => {
    const { account } = await withApp();
    const numbers = async () => (await t.ok(listFactors, {}, account)).data.map(({ number }) => number);
    const remove = async (number: number, as: SignedIn) =>
      codeOf(await t.call(removeFactor, { params: { number: String(number) } }, as));
    expect(await remove(1, net.distributor)).toBe('NOT_FOUND');
    expect(await remove(2, account)).toBe('NOT_FOUND');
    expect(await numbers()).toEqual([1, 2]);
    expect(await remove(1, account)).toBe(200);
    expect(await numbers()).toEqual([]);
    expect((await t.signIn(account.username)).token).toBeDefined();
  });

  it('are removed from the shell, with the sessions', async () => {
    const { account } = await withApp();
    const shell = { command: 'npm run admin', osUser: undefined };
    const reset = () => resetFactorFromShell(t.app.services, shell, account.username.toUpperCase());
    expect(await reset()).toEqual({ username: account.username, removed: 2 });
    expect(await reset()).toMatchObject({ removed: 0 });
    expect(codeOf(await t.call(session, {}, account))).toBe('SESSION_ENDED');
    await t.signIn(account.username);
    const { data } = await t.ok(activityLog.route, { query: { search: 'Removed the second factors' } }, net.admin);
    expect(data).toMatchObject([{ username: '(shell)' }]);
  });

  it('store no secret unencrypted', async () => {
    const { account, secret, codes } = await withApp();
    const rows = await t.db.query<{ secret: Buffer }>('select secret from factors where account_id = $1', [
      account._id,
    ]);
    expect(rows).toHaveLength(2);
    for (const row of rows)
      for (const clear of [secret, ...codes]) expect(row.secret.toString('latin1')).not.toContain(clear);
  });
});
