import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { login, session } from '@drawhouse/contract/auth/auth';
import { ownNotices } from '@drawhouse/contract/auth/own-notices';
import { addLogin } from '@drawhouse/contract/logins/logins';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { expect, it } from 'vitest';
import { listen, onFreshNetworks, type Network, type TestApp } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { addAppFactor } from '../../../test/clients/app-factor.ts';
import { LiveClient } from '../../../test/clients/live-client.ts';
import { startCommand } from '../../../test/processes/server-process.ts';
import { makeKey } from '../../../test/clients/program-keys.ts';
import { countUsableKeys } from '../../api-keys/api-keys.sql.ts';
import type { Services } from '../../platform/services.ts';
import {
  listForShell,
  resetFactorFromShell,
  resetFromShell,
  slowedAddresses,
  unlockAddress,
  unlockFromShell,
} from './unlock-account.ts';

const ADMIN = fileURLToPath(new URL('../../commands/run-admin.ts', import.meta.url));
const SHELL = { command: 'npm run admin', osUser: 'root' };
const NEW = 'a-new-password-77';

let t: TestApp;
let net: Network;
onFreshNetworks((app, network) => {
  t = app;
  net = network;
});

/** Shell commands reach the server only through the database. */
const atShell = (): Services => ({ ...t.app.services, events: new EventEmitter() });
const signIn = (username: string, password: string, ip = '127.0.0.1') =>
  t.call(login, { body: { username, password } }, { ip });
const logOf = async () => (await t.ok(activityLog.route, {}, await t.signIn(net.superadmin.username))).data;

it('lets a locked-out admin in by a new password and invalidates older access', async () => {
  const url = await listen(t.app);
  const { username, token, _id } = net.admin;
  const client = new LiveClient(url, token);
  await expect.poll(() => client.socket.connected).toBe(true);
  for (let times = 0; times < 5; times++) expect((await signIn(username, 'wrong password')).status).toBe(401);
  expect((await signIn(username, PASSWORD)).status).toBe(429);

  await makeKey(t, net.admin);
  expect(await resetFromShell(atShell(), SHELL, username.toUpperCase(), NEW)).toEqual({
    username,
    role: 'admin',
    ended: 1,
    id: net.admin._id,
    networkId: net.networkId,
    stillOut: [],
  });
  expect(await countUsableKeys(t.served, { id: net.admin._id, networkId: net.networkId })).toBe(1);
  await expect.poll(() => client.closed).toHaveLength(1);
  await expect.poll(async () => (await t.call(listNotices, {}, { token })).status).toBe(401);
  expect((await signIn(username, PASSWORD)).status).toBe(401);
  expect((await signIn(username, NEW)).status).toBe(200);

  expect((await logOf()).find((row) => row.username === '(shell)')).toMatchObject({
    subject: `Gave admin ${username} a new password, from the server shell as root`,
    requestUrl: SHELL.command,
    accountId: null,
  });
  const leaks = await t.db.query('select from activity where activity::text like $1', [`%${NEW}%`]);
  expect(leaks).toEqual([]);
  const [set] = await t.db.query<{ by: string }>('select password_set_by as by from accounts where id = $1', [_id]);
  expect(set!.by).toBe('00000000-0000-0000-0000-000000000000');
  await t.expectBooksToBalanceNow();
});

it('reaches a login by its name, and leaves the owner of the account alone', async () => {
  const body = { username: 'meera.shell', name: 'Meera', role: 'manager' as const, password: PASSWORD };
  await t.ok(addLogin, { body }, net.distributor);
  await t.takePasswordsAsOwn();
  const meera = await t.signIn(body.username);
  await addAppFactor(t, meera);
  expect(await resetFactorFromShell(atShell(), SHELL, 'Meera.Shell')).toEqual({ username: body.username, removed: 2 });
  expect(await resetFromShell(atShell(), SHELL, body.username, NEW)).toMatchObject({
    username: body.username,
    ended: 0,
    stillOut: [],
  });
  expect((await t.call(session, {}, meera)).status).toBe(401);
  expect((await t.ok(session, {}, net.distributor)).user.mustChangePassword).toBe(false);
  expect((await signIn(body.username, PASSWORD)).status).toBe(401);
  const again = await t.signIn(body.username, NEW);
  expect((await t.ok(session, {}, again)).user).toMatchObject({ mustChangePassword: true, secondFactor: false });
  expect((await t.ok(ownNotices, {}, again)).data.map(({ kind, by }) => [kind, by])).toEqual([
    ['password', '(shell)'],
    ['factor', '(shell)'],
    ['factor', expect.stringContaining('Meera')],
  ]);
  await t.expectBooksToBalanceNow();
});

it('unlocks an account that strangers guessed at and logs earlier refusals', async () => {
  const { username, _id } = net.retailer;
  for (let nth = 1; nth <= 20; nth++) await signIn(username, 'wrong password', `192.0.2.${nth}`);
  expect((await signIn(username, PASSWORD, '192.0.2.99')).status).toBe(429);
  const shown = async () => (await listForShell(t.served, ['retailer'], t.clock.now())).find(({ id }) => id === _id)!;
  expect(await shown()).toMatchObject({
    disabled: null,
    sessions: 1,
    slowed: [{ scope: 'name', nextAt: new Date(t.clock.now().getTime() + 30_000) }],
  });

  expect(await unlockFromShell(atShell(), SHELL, username)).toEqual({ username, forgotten: 'full', stillOut: [] });
  expect(await shown()).toMatchObject({ slowed: [] });
  expect((await signIn(username, PASSWORD, '192.0.2.99')).status).toBe(200);
  const subjects = async () => (await logOf()).map(({ subject }) => subject);
  const unlocked = `Unlocked retailer ${username}, from the server shell as root`;
  expect((await subjects()).filter((subject) => subject !== 'Signed in').slice(0, 2)).toEqual([
    unlocked,
    'Sign-in refused once: too many wrong passwords from many addresses',
  ]);

  expect(await unlockFromShell(atShell(), SHELL, username)).toMatchObject({ forgotten: 'nothing' });
  expect((await subjects()).filter((subject) => subject === unlocked)).toHaveLength(1);
  await signIn(username, 'wrong password');
  expect(await unlockFromShell(atShell(), SHELL, username)).toMatchObject({ forgotten: 'some' });
  expect(await subjects()).toContain(
    `Cleared the failed sign-ins of retailer ${username}, from the server shell as root`,
  );
  await t.expectBooksToBalanceNow();
});

it('unlocks an address that tried too many names', async () => {
  const ip = '198.51.100.7';
  for (let nth = 0; nth < 50; nth++) await signIn(`nobody-${nth}`, 'wrong password', ip);
  expect((await signIn(net.retailer.username, PASSWORD, ip)).status).toBe(429);
  expect(await slowedAddresses(t.served, t.clock.now())).toMatchObject([{ subject: ip }]);
  expect(await unlockAddress(atShell(), SHELL, ip)).toBe('full');
  expect((await signIn(net.retailer.username, PASSWORD, ip)).status).toBe(200);
  expect(await unlockAddress(atShell(), SHELL, ip)).toBe('nothing');
  await expect(unlockAddress(atShell(), SHELL, 'home')).rejects.toThrow('home is not an IP address.');
});

it('activates no account and names the inactive ancestor', async () => {
  const { admin, distributor, retailer, superadmin } = net;
  const toggle = { params: { userId: admin._id, action: 'deactivate' } } as const;
  await t.ok(accountRoutes.admin.toggleStatus, toggle, superadmin);
  expect((await resetFromShell(atShell(), SHELL, admin.username, NEW)).stillOut).toEqual([
    `${admin.username} is inactive and can't sign in. An account above it can activate it.`,
  ]);
  expect((await unlockFromShell(atShell(), SHELL, distributor.username)).stillOut).toEqual([
    `${admin.username}, above ${distributor.username}, is inactive, so no account below it can sign in.`,
  ]);
  expect((await signIn(admin.username, NEW)).body.code).toBe('ACCOUNT_INACTIVE');
  await expect(resetFromShell(atShell(), SHELL, 'who-is-this', NEW)).rejects.toThrow(
    'No account is named who-is-this.',
  );
  await t.db.query('update accounts set deleted_at = $2 where id = $1', [retailer._id, t.clock.now()]);
  await expect(unlockFromShell(atShell(), SHELL, retailer.username)).rejects.toThrow(
    `${retailer.username} was deleted`,
  );
});

it('as a command prints the password once, to standard output only', async () => {
  const run = (...args: string[]) => {
    const { child, ended } = startCommand(ADMIN, args, {
      DATABASE_URL: t.database.serverUrl,
      DATABASE_OWNER_URL: t.database.ownerUrl,
    });
    let aside = '';
    child.stderr!.on('data', (chunk: Buffer) => (aside += chunk));
    return ended.then((end) => ({ ...end, aside }));
  };
  const list = await run('list');
  expect(list).toMatchObject({ code: 0, aside: '' });
  expect(list.output.split('\n')[0]).toMatch(/^superadmin +superadmin +last signed in .* can sign in$/);
  expect(list.output).not.toContain(net.distributor.username);
  await t.db.query(
    `insert into attempts (scope, subject, failures, since)
     values ('address', '198.51.100.7', 50, now() + interval '1 hour')`,
  );
  const reset = await run('reset-password', net.admin.username);
  expect(reset.output).toMatch(
    /^Sign-ins with unknown names from 198\.51\.100\.7 are slowed to one attempt every 5 seconds; next attempt in 5 s: unlock --address/m,
  );
  const password = /^ {2}password {2}(\S{16})$/m.exec(reset.output)![1]!;
  expect(reset).toMatchObject({ code: 0, aside: '' });
  expect(reset.output.split(password)).toHaveLength(2);
  expect((await signIn(net.admin.username, password)).status).toBe(200);
  expect(await run('unlock', 'who-is-this')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^No account is named/),
  });
});
