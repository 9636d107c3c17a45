import { login } from '@drawhouse/contract/auth/auth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp, type Network, type Reply } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { SCOPES } from './attempts.ts';
import { DEVICE_LIFETIME_MS } from './sign-in-history.ts';

const WRONG = 'not the password';
const ORIGIN = 'https://games.example';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());
beforeEach(async () => {
  net = await t.network({ credit: 0, reserve: 0 });
  await t.db.query('delete from attempts');
});

interface From {
  readonly device?: string | undefined;
  readonly ip?: string;
  readonly headers?: Record<string, string>;
}

const signIn = (username: string, password: string, { device, ip = '10.0.0.1', headers = { origin: ORIGIN } }: From) =>
  t.send(
    'POST',
    `/api/${login.path}`,
    { ip },
    { username, password },
    {
      ...headers,
      ...(device !== undefined && { cookie: `device=${device}` }),
    },
  );

const codeOf = ({ status, body }: Reply<unknown>): string | number => (body as { code?: string }).code ?? status;

function cookieOf({ headers }: Reply<unknown>): string | undefined {
  const cookies = [headers['set-cookie'] ?? []].flat().map(String);
  return cookies.find((cookie) => /^(?:__Host-)?device=/.test(cookie));
}

async function deviceOf(username: string, from: From = {}): Promise<string> {
  const reply = await signIn(username, PASSWORD, from);
  return /^(?:__Host-)?device=([\w-]{43});/.exec(cookieOf(reply) ?? '')![1]!;
}

async function guess(times: number, username: string, from: From): Promise<(string | number)[]> {
  const codes = [];
  for (let n = 0; n < times; n++) codes.push(codeOf(await signIn(username, WRONG, from)));
  return codes;
}

const full = (most: number): (string | number)[] => [...Array<string>(most).fill('WRONG_CREDENTIALS'), 'THROTTLED'];

describe('a browser with an earlier sign-in', () => {
  it('has an HttpOnly same-site secret, stored as a hash', async () => {
    const reply = await signIn(net.user.username, PASSWORD, {});
    expect(cookieOf(reply)).toMatch(/^device=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Strict$/);
    const overHttps = await signIn(net.user.username, PASSWORD, {
      headers: { origin: ORIGIN, 'x-forwarded-proto': 'https' },
    });
    expect(cookieOf(overHttps)).toMatch(/^__Host-device=.*; Secure/);
    const secret = /=([\w-]+)/.exec(cookieOf(reply)!)![1]!;
    const [{ all } = { all: '' }] = await t.db.query<{ all: string }>(
      'select json_agg(d)::text as all from known_devices d',
    );
    expect(all).not.toContain(secret);
    expect(all).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
  });

  it('signs in while a neighbor at its address keeps guessing', async () => {
    const device = await deviceOf(net.user.username);
    expect(await guess(SCOPES.pair.most + 1, net.user.username, {})).toEqual(full(SCOPES.pair.most));
    expect(codeOf(await signIn(net.user.username, PASSWORD, {}))).toBe('THROTTLED');
    expect(codeOf(await signIn(net.user.username, PASSWORD, { device }))).toBe(200);
  });

  it('signs in from a new address while many addresses guess', async () => {
    const device = await deviceOf(net.user.username);
    for (let n = 0; n < SCOPES.name.most; n++) await guess(1, net.user.username, { ip: `10.3.${n}.1` });
    expect(codeOf(await signIn(net.user.username, PASSWORD, { ip: '10.4.0.1' }))).toBe('THROTTLED');
    expect(codeOf(await signIn(net.user.username, PASSWORD, { ip: '10.4.0.1', device }))).toBe(200);
  });

  it('guesses no faster with a stolen cookie from anywhere', async () => {
    const device = await deviceOf(net.user.username);
    const codes = [];
    for (let n = 0; n <= SCOPES.device.most; n++)
      codes.push(...(await guess(1, net.user.username, { device, ip: `10.5.${n}.1` })));
    expect(codes).toEqual(full(SCOPES.device.most));
    const others = await guess(SCOPES.pair.most + 1, net.retailer.username, { device, ip: '10.6.0.1' });
    expect(others).toEqual(full(SCOPES.pair.most));
    expect(codeOf(await signIn(net.user.username, PASSWORD, { ip: '10.7.0.1' }))).toBe(200);
  });

  it('is known to several accounts under one secret', async () => {
    const device = await deviceOf(net.user.username);
    expect(await deviceOf(net.retailer.username, { device })).toBe(device);
    for (const { username } of [net.user, net.retailer]) {
      await guess(SCOPES.pair.most, username, {});
      expect(codeOf(await signIn(username, PASSWORD, { device }))).toBe(200);
    }
  });

  it('cannot choose its secret', async () => {
    const planted = 'a'.repeat(43);
    expect(await deviceOf(net.user.username, { device: planted })).not.toBe(planted);
    await guess(SCOPES.pair.most, net.user.username, {});
    expect(codeOf(await signIn(net.user.username, PASSWORD, { device: planted }))).toBe('THROTTLED');
  });

  it('is forgotten after 90 days or ten newer browsers', async () => {
    const device = await deviceOf(net.user.username);
    const rows = () => t.db.query('select from known_devices where account_id = $1', [net.user._id]);
    for (let n = 0; n < 10; n++) {
      t.clock.advance(1_000);
      await deviceOf(net.user.username);
    }
    expect(await rows()).toHaveLength(10);
    await guess(SCOPES.pair.most, net.user.username, {});
    expect(codeOf(await signIn(net.user.username, PASSWORD, { device }))).toBe('THROTTLED');
    const late = await deviceOf(net.user.username, { ip: '10.8.0.1' });
    t.clock.advance(DEVICE_LIFETIME_MS);
    await guess(SCOPES.pair.most, net.user.username, { ip: '10.8.0.1' });
    expect(codeOf(await signIn(net.user.username, PASSWORD, { device: late, ip: '10.8.0.1' }))).toBe('THROTTLED');
    expect(codeOf(await signIn(net.user.username, PASSWORD, { ip: '10.8.0.2' }))).toBe(200);
    expect(await rows()).toHaveLength(1);
  });
});

it('programs get no cookie, so their sign-ins displace no browser', async () => {
  expect(cookieOf(await signIn(net.user.username, PASSWORD, { headers: {} }))).toBeUndefined();
  expect(await t.db.query('select from known_devices where account_id = $1', [net.user._id])).toEqual([]);
});

it('a wrong password gets the same answer in a known browser and sets no cookie', async () => {
  const device = await deviceOf(net.user.username);
  const reply = await signIn(net.user.username, WRONG, { device });
  expect([codeOf(reply), cookieOf(reply)]).toEqual(['WRONG_CREDENTIALS', undefined]);
});
