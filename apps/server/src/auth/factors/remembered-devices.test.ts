import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { changePassword, login } from '@drawhouse/contract/auth/auth';
import {
  finishSignIn,
  forgetDevice,
  rememberedDevices,
  removeFactor,
  renewCodes,
  signInFactors,
} from '@drawhouse/contract/auth/factors';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { addAppFactor, appCode, APP_STEP_MS } from '../../../test/clients/app-factor.ts';
import { onFreshNetworks, type As, type Network, type TestApp } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';

const DAY_MS = 24 * 60 * 60_000;
const SITE = { origin: 'http://localhost:80' };

let t: TestApp;
let net: Network;
let secret: string;

onFreshNetworks((...both) => ([t, net] = both));
beforeEach(async () => {
  await allow(true);
  ({ secret } = await addAppFactor(t, net.retailer));
});
afterAll(() => t.expectBooksToBalance());

const allow = async (rememberDevices: boolean): Promise<void> => {
  await t.ok(accountRoutes.admin.update, { params: { id: net.admin._id }, body: { rememberDevices } }, net.superadmin);
};

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly challenge: string;
  readonly token: string;
  readonly elevation: string | undefined;
  readonly cookie: string | undefined;
}

async function ask(route: { method: string; path: string }, body: object, cookie?: string): Promise<Answer> {
  const reply = await t.send(route.method, `/api/${route.path}`, {}, body, { ...SITE, ...(cookie && { cookie }) });
  const cookies = [reply.headers['set-cookie'] ?? []].flat().map(String);
  const device = cookies.find((each) => /device/.test(each))?.split(';')[0];
  return { ...(reply.body as unknown as Answer), status: reply.status, cookie: device };
}

const enter = (cookie?: string, password = PASSWORD, username = net.retailer.username) =>
  ask(login, { username, password, elevation: true }, cookie);

async function remembered(remember = true): Promise<Answer> {
  t.clock.advance(APP_STEP_MS * 2);
  const { challenge } = await enter();
  const finished = await ask(finishSignIn, { challenge, code: await appCode(t, secret), remember });
  expect(finished.status).toBe(200);
  return finished;
}

const listOf = async (as: As) => (await t.ok(rememberedDevices, {}, as)).data;

describe('a device remembered after the second factor', () => {
  it('signs in by the password alone for 30 days, and confirms nothing', async () => {
    const { cookie, elevation } = await remembered();
    expect(elevation).toBeDefined();
    t.clock.advance(30 * DAY_MS - 60_000 * 5);
    const again = await enter(cookie);
    expect([again.status, again.elevation]).toEqual([200, undefined]);
    const note = await t.send('PUT', `/api/users/${net.user._id}`, { token: again.token }, { note: 'by hand' });
    expect((note.body as { code?: string }).code).toBe('CONFIRM_FACTOR');
    expect((await enter()).code, 'another browser').toBe('SECOND_FACTOR');
    expect((await enter(cookie, 'wrong password')).code).toBe('WRONG_CREDENTIALS');
    t.clock.advance(60_000 * 5);
    expect((await enter(cookie)).code).toBe('SECOND_FACTOR');
  });

  it('is asked again where the network no longer allows it, or never did', async () => {
    const { cookie } = await remembered();
    await allow(false);
    expect((await enter(cookie)).code).toBe('SECOND_FACTOR');
    const { challenge } = await enter();
    expect((await t.ok(signInFactors, { body: { challenge } })).mayRemember).toBe(false);
    const other = await remembered();
    await allow(true);
    expect((await enter(other.cookie)).code).toBe('SECOND_FACTOR');
  });

  it('is remembered only if the person asks for it', async () => {
    expect((await enter((await remembered(false)).cookie)).code).toBe('SECOND_FACTOR');
  });

  it('is listed, and forgotten by the person alone', async () => {
    const { cookie, token } = await remembered();
    const [device, ...more] = await listOf({ token });
    expect(more).toEqual([]);
    const params = { deviceId: device!._id };
    expect((await t.call(forgetDevice, { params }, net.distributor)).status).toBe(404);
    await t.ok(forgetDevice, { params }, { token });
    expect(await listOf({ token })).toEqual([]);
    expect((await enter(cookie)).code).toBe('SECOND_FACTOR');
  });

  it.each([
    [
      'a new password',
      async (as: As) => {
        const npass = 'another horse battery';
        await t.ok(changePassword, { body: { opass: PASSWORD, npass, cpass: npass } }, as);
        return npass;
      },
    ],
    [
      'new recovery codes',
      async (as: As) => {
        await t.ok(renewCodes, {}, as);
        return PASSWORD;
      },
    ],
    [
      'another factor',
      async (as: As) => {
        await addAppFactor(t, { ...net.retailer, ...as }, 'Tablet');
        return PASSWORD;
      },
    ],
    [
      'the removal of a factor',
      async (as: As) => {
        await addAppFactor(t, { ...net.retailer, ...as }, 'Tablet');
        await t.ok(removeFactor, { params: { number: '3' } }, as);
        return PASSWORD;
      },
    ],
  ])('is ended by %s', async (_what, change) => {
    const { cookie, token, elevation } = await remembered();
    const password = await change({ token, elevation: elevation! });
    expect((await enter(cookie, password)).code).toBe('SECOND_FACTOR');
  });
});
