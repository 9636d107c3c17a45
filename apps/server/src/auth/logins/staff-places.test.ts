import { EventEmitter } from 'node:events';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { login as signInRoute, session } from '@drawhouse/contract/auth/auth';
import { addLogin, setStaffPlaces, staffPlaces } from '@drawhouse/contract/logins/logins';
import { setApprovalRules } from '@drawhouse/contract/approvals/approvals';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAppFactor } from '../../../test/clients/app-factor.ts';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { resetPlacesFromShell } from '../attempts/unlock-account.ts';
import { PASSWORD } from '../../../test/test-password.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 0 });
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

const set = (by: SignedIn, body: { addresses?: string[]; hours?: { from: string; to: string } | null }) =>
  t.call(setStaffPlaces, { params: { adminId: net.admin._id }, body }, by);
const signIn = async ({ username }: Pick<SignedIn, 'username'>) =>
  (await t.call(signInRoute, { body: { username, password: PASSWORD } })).body.code ?? 'done';
const ask = async (by: SignedIn) => (await t.call(session, {}, by)).body.code ?? 'done';
const AWAY = { addresses: ['203.0.113.0/24'], hours: null };

it('of a network apply at once to all its staff, but not to players or superadmins', async () => {
  expect((await set(net.superadmin, AWAY)).status).toBe(200);
  for (const by of [net.admin, net.distributor, net.retailer]) {
    expect([await ask(by), await signIn(by)]).toEqual(['NOT_ALLOWED', 'NOT_ALLOWED']);
  }
  for (const by of [net.user, net.superadmin]) expect([await ask(by), await signIn(by)]).toEqual(['done', 'done']);
  const { data } = await t.ok(staffPlaces, { params: { adminId: net.admin._id } }, net.superadmin);
  expect(data).toEqual(AWAY);
  expect((await set(net.superadmin, {})).status).toBe(200);
  expect(await signIn(net.retailer)).toBe('done');
  expect(await ask(net.retailer)).toBe('done');
  const { data: log } = await t.ok(activityLog.route, { query: { search: 'may not sign in from here' } }, net.admin);
  expect(log.map(({ username }) => username)).toContain(net.retailer.username);
  const { data: notices } = await t.ok(listNotices, {}, await t.signIn(net.admin.username));
  expect(notices).toContainEqual(
    expect.objectContaining({ code: 'SIGN_INS_REFUSED', detail: `3 times, last ${net.retailer.username}.` }),
  );
});

it('are removed from the server shell, of a network by its admin and of a login alone', async () => {
  const shell = { command: 'npm run admin', osUser: 'root' };
  const reset = (name: string) => resetPlacesFromShell({ ...t.app.services, events: new EventEmitter() }, shell, name);
  expect((await set(net.superadmin, AWAY)).status).toBe(200);
  expect(await signIn(net.retailer)).toBe('NOT_ALLOWED');
  expect(await reset(net.retailer.username)).toEqual({ of: net.admin.username, isChanged: true });
  expect(await signIn(net.retailer)).toBe('done');
  expect(await reset(net.admin.username)).toMatchObject({ isChanged: false });
  await expect(reset(net.superadmin.username)).rejects.toThrow('is in no network');

  const body = { username: 'meera.places', name: 'Meera', role: 'reports' as const, password: PASSWORD, ...AWAY };
  await t.ok(addLogin, { body }, await t.signIn(net.distributor.username));
  await t.takePasswordsAsOwn();
  expect(await signIn(body)).toBe('NOT_ALLOWED');
  expect(await reset('Meera.Places')).toEqual({ of: body.username, isChanged: true });
  expect(await signIn(body)).toBe('done');
  const { data: log } = await t.ok(
    activityLog.route,
    { query: { search: 'from the server shell' } },
    await t.signIn(net.admin.username),
  );
  expect(log.map(({ subject }) => subject)).toEqual(
    [body.username, net.admin.username].map(
      (of) => `Removed the allowed addresses and hours of ${of}, from the server shell as root`,
    ),
  );
});

it('never shut out the person who sets them', async () => {
  expect((await set(net.admin, AWAY)).body.fields).toEqual({
    addresses: expect.stringContaining('You are at 127.0.0.1'),
  });
  const now = t.clock.now();
  const clock = (hours: number): string =>
    new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: t.app.services.timeZone }).format(
      new Date(now.getTime() + hours * 3_600_000),
    );
  expect((await set(net.admin, { hours: { from: clock(1), to: clock(2) } })).body.fields).toHaveProperty('hours');
  expect((await set(net.admin, { addresses: ['127.0.0.1'], hours: { from: clock(-1), to: clock(1) } })).status).toBe(
    200,
  );
  expect(await ask(net.retailer)).toBe('done');
  t.clock.advance(2 * 3_600_000);
  expect(await signIn(net.retailer)).toBe('NOT_ALLOWED');
  net.superadmin = await t.signIn(net.superadmin.username);
  expect((await set(net.superadmin, {})).status).toBe(200);
});

it('end the sessions of staff with their hours', async () => {
  const retailer = await t.signIn(net.retailer.username);
  const minute = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: t.app.services.timeZone });
  const at = (minutes: number): string => minute.format(new Date(t.clock.now().getTime() + minutes * 60_000));
  expect((await set(net.superadmin, { hours: { from: at(-5), to: at(5) } })).status).toBe(200);
  expect(await ask(retailer)).toBe('done');
  t.clock.advance(6 * 60_000);
  expect(await ask(retailer)).toBe('SESSION_ENDED');
  expect((await set(net.superadmin, {})).status).toBe(200);
});

it('are set by the admin and its superadmin, and wait for a second person if loosened', async () => {
  const other = await t.network({ credit: 0 });
  expect((await set(other.admin, {})).status).toBe(404);
  expect((await set(await t.signIn(net.distributor.username), {})).status).toBe(403);
  const rules = [{ kind: 'guards' as const, above: 0 }];
  await t.ok(setApprovalRules, { params: { adminId: net.admin._id }, body: { rules } }, net.superadmin);
  await t.byHand('update accounts set password_set_by = id where id = $1', [net.admin._id]);
  expect((await set(net.superadmin, AWAY)).status).toBe(200);
  for (const looser of [{}, { addresses: [...AWAY.addresses, '198.51.100.7'] }])
    expect((await set(net.superadmin, looser)).body.code).toBe('APPROVAL_PENDING');
});

it('are judged before the second factor, so a stolen password is noticed', async () => {
  const own = await t.network({ credit: 0 });
  await addAppFactor(t, own.retailer);
  expect(await signIn(own.retailer)).toBe('SECOND_FACTOR');
  const allow = (body: object) => t.ok(setStaffPlaces, { params: { adminId: own.admin._id }, body }, own.superadmin);
  await allow(AWAY);
  expect(await signIn(own.retailer)).toBe('NOT_ALLOWED');
  await allow({});
  const { data } = await t.ok(listNotices, {}, await t.signIn(own.admin.username));
  expect(data.map(({ code }) => code)).toContain('SIGN_INS_REFUSED');
});

it('are not named if a temporary password has expired', async () => {
  const own = await t.network({ credit: 0 });
  const created = await t.create(own.admin);
  await t.byHand('update accounts set temporary_until = $1 where id = $2', [t.clock.now(), created._id]);
  t.clock.advance(1);
  expect(await signIn(created)).toBe('NOT_ALLOWED');
  const { data } = await t.ok(listNotices, {}, own.admin);
  expect(data.map(({ code }) => code)).not.toContain('SIGN_INS_REFUSED');
});
