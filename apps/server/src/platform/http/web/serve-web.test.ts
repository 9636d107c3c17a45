import { PERMISSIONS } from '@drawhouse/contract/core/permissions';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { CallError } from '../http-errors.ts';
import { httpLimits } from '../limits/http-limits.ts';
import type { Caller } from '../handler.ts';
import { createHttpServer, type HttpOptions } from '../http-server.ts';
import { FOR_EVER } from '../serve-route.ts';

const root = mkdtempSync(join(tmpdir(), 'drawhouse-web-'));
const playersRoot = mkdtempSync(join(tmpdir(), 'drawhouse-players-'));
const WEB =
  '<meta name="build" content="5a0c77"><meta property="csp-nonce" nonce="%CSP_NONCE%"><script>web()</script><style>a{}</style>';
const PLAYERS =
  '<meta name="build" content="9b1d20"><meta property="csp-nonce" nonce="%CSP_NONCE%"><script>players()</script>';
const PLAYER = 'of a player';
const STAFF = 'of an admin';
const AWAY = 'while the database is down';
const OTHERS = [undefined, STAFF, 'that has ended', AWAY];

let app: FastifyInstance;
let asked: [token: string, how: string][] = [];
beforeAll(async () => {
  mkdirSync(join(root, 'assets'));
  mkdirSync(join(playersRoot, 'assets'));
  writeFileSync(join(root, 'index.html'), WEB);
  writeFileSync(join(playersRoot, 'index.html'), PLAYERS);
  for (const file of ['sw.js', 'sw.js.br', 'players.webmanifest', 'assets/play-77aa01.js'])
    writeFileSync(join(playersRoot, file), file);
  for (const folder of [root, playersRoot]) writeFileSync(join(folder, '.env'), 'SECRET=1');
  writeFileSync(join(root, 'assets/app-5a0c77.js'), 'export {};');
  writeFileSync(join(root, 'assets/app-5a0c77.js.br'), 'small');
  app = await serve({ webRoot: root, playersRoot });
});
afterAll(async () => {
  await app.close();
  for (const folder of [root, playersRoot]) rmSync(folder, { recursive: true });
});

function serve(more: Pick<HttpOptions<Caller>, 'webRoot' | 'playersRoot' | 'extend'>): Promise<FastifyInstance> {
  return createHttpServer<Caller>({
    routes: [],
    authenticate: (token, how) => {
      asked.push([token, how]);
      if (token === PLAYER) return { id: '1', actor: { role: 'user', permissions: [] } };
      if (token === STAFF) return Promise.resolve({ id: '2', actor: { role: 'admin', permissions: PERMISSIONS } });
      throw token === AWAY ? new Error('away') : new CallError('SESSION_ENDED');
    },
    programs: { isApiKey: () => false, authenticateKey: () => Promise.reject(new Error('No program calls.')) },
    health: { started: () => true, askDatabase: async () => undefined, takesWrites: async () => true },
    undeclared() {},
    refused() {},
    version: '1',
    logger: pino({ level: 'silent' }),
    newRequestId: () => '1',
    sums: { add() {}, report() {} },
    turnedAway: { note: () => undefined },
    trustProxy: false,
    limits: httpLimits({}),
    budgets: {
      page() {},
      address() {},
      caller(_address, token) {
        if (token === 'guessed too often') throw new CallError('THROTTLED');
      },
      more() {},
      sessionFound() {},
      sessionEnded() {},
    },
    ...more,
  });
}

const ask = async (method: 'GET' | 'HEAD' | 'POST', url: string, token?: string) => {
  const headersOf = { 'accept-encoding': 'br', ...(token && { cookie: `session-token=${encodeURIComponent(token)}` }) };
  const reply = await app.inject({ method, url, headers: headersOf });
  const { date: _, ...headers } = reply.headers;
  const policy = String(headers['content-security-policy']);
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  const withoutNonce = (text: string): string => (nonce === undefined ? text : text.replaceAll(nonce, '%CSP_NONCE%'));
  return {
    status: reply.statusCode,
    headers: headers['content-security-policy']
      ? { ...headers, 'content-security-policy': withoutNonce(policy) }
      : headers,
    body: withoutNonce(reply.payload),
  };
};

it.each([
  ['/', 200],
  ['/superadmin/dashboard', 200],
  ['/admin/admin/users/details/a.name', 200],
  ['/assets/app-5a0c77.js', 200],
  ['/assets/missing.js', 404],
  ['/api/nothing', 404],
  ['/welcome', 200],
  ['/players/sw.js', 200],
  ['/players/missing.js', 404],
  ['/.env', 404],
  ['/.git/config', 404],
  ['/%2Egit/config', 404],
  ['/admin/.aws/credentials', 404],
  ['/players/.env', 404],
  ['/.well-known/security.txt', 404],
  ['/admin/admin/users/details/.name', 200],
  ['/superadmin/dashboard?back=/.env', 200],
])('HEAD %s matches GET without a body', async (url, status) => {
  const [head, get] = [await ask('HEAD', url), await ask('GET', url)];
  expect(get.status).toBe(status);
  expect(get.body).not.toBe('');
  expect(head).toEqual({ ...get, body: '' });
});

it.each([
  ['/', WEB],
  ['/welcome', PLAYERS],
])('each answer of %s has its own style nonce', async (url, page) => {
  const [one, other] = [await app.inject(url), await app.inject(url)];
  const nonceOf = ({ payload }: typeof one): string => / nonce="([^"]+)"/.exec(payload)![1]!;
  expect(nonceOf(one)).toMatch(/^[A-Za-z0-9+/]{22}==$/);
  expect(nonceOf(one)).not.toBe(nonceOf(other));
  expect(one.payload).toBe(page.replace('%CSP_NONCE%', nonceOf(one)));
  const styles = /style-src ([^;]*)/.exec(String(one.headers['content-security-policy']))![1];
  // printf 'a{}' | openssl dgst -sha256 -binary | base64
  expect(styles).toBe(`'self' 'nonce-${nonceOf(one)}' 'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk='`);
  // A cached page would reuse its nonce.
  expect(one.headers).not.toHaveProperty('etag');
  expect(String((await app.inject('/api/nothing')).headers['content-security-policy'])).not.toContain('nonce');
});

it('no page accepts POST', async () => {
  expect((await ask('POST', '/superadmin/dashboard')).status).toBe(404);
});

it.each([
  '/welcome',
  '/sign-in',
  '/sign-in?back=%2Fplay%2Fdice',
  '/play/dice',
  '/results/dice',
  '/mine/bets',
  '/mine/bets/0ABC-1DEF-2GHJ',
])("%s is a players' page for everyone", async (url) => {
  for (const token of [undefined, PLAYER, STAFF]) {
    const { status, body, headers } = await ask('GET', url, token);
    expect({ status, body, cached: headers['cache-control'] }).toEqual({
      status: 200,
      body: PLAYERS,
      cached: 'no-cache',
    });
  }
});

it.each(['/auth/login', '/user/mine', '/player', '/welcomes', '/mines/bets', '/players.txt'])(
  '%s is a back-office page',
  async (url) => {
    expect(await ask('GET', url, PLAYER)).toMatchObject({ status: 200, body: WEB });
  },
);

it("the start page is the players' for a signed-in player, otherwise the back-office's, without counting as use", async () => {
  asked = [];
  expect(await ask('GET', '/', PLAYER)).toMatchObject({
    body: PLAYERS,
    headers: { 'cache-control': 'no-cache', vary: expect.stringMatching(/cookie/i) as string },
  });
  for (const token of OTHERS) expect(await ask('GET', '/', token), `the cookie ${token}`).toMatchObject({ body: WEB });
  expect(asked).toEqual([PLAYER, ...OTHERS.slice(1)].map((token) => [token, 'aside']));
});

it('guessed sessions are no longer looked up and get the back-office start page', async () => {
  asked = [];
  expect(await ask('GET', '/', 'guessed too often')).toMatchObject({ status: 200, body: WEB });
  expect(asked).toEqual([]);
});

it("hashed players' files are immutable, and the service worker covers all pages", async () => {
  expect(await ask('GET', '/players/assets/play-77aa01.js')).toMatchObject({
    body: 'assets/play-77aa01.js',
    headers: { 'cache-control': FOR_EVER },
  });
  const worker = await ask('GET', '/players/sw.js');
  expect(worker).toMatchObject({
    body: 'sw.js.br',
    headers: { 'cache-control': 'no-cache', 'service-worker-allowed': '/', 'content-encoding': 'br' },
  });
  expect(worker.headers['content-type']).toMatch(/javascript/);
  const manifest = await ask('GET', '/players/players.webmanifest');
  expect(manifest).toMatchObject({
    headers: {
      'cache-control': 'no-cache',
      'content-type': expect.stringMatching(/^application\/manifest\+json/) as string,
    },
  });
  const others = ['/players/assets/play-77aa01.js', '/players/players.webmanifest', '/assets/app-5a0c77.js'];
  const headers = await Promise.all(others.map(async (url) => (await ask('GET', url)).headers));
  expect(headers.filter((of) => 'service-worker-allowed' in of)).toEqual([]);
});

it('each page allows its own inline script, and each answer names both builds', async () => {
  const { headers } = await ask('GET', '/api/nothing');
  expect(headers).toMatchObject({ 'web-build': '5a0c77', 'players-build': '9b1d20' });
  for (const script of ['web()', 'players()'])
    expect(headers['content-security-policy']).toContain(
      `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    );
});

it("serves the back-office when the players' pages are not built", async () => {
  const alone = await serve({ webRoot: root, playersRoot: join(root, 'nowhere') });
  for (const url of ['/', '/welcome', '/play/dice'])
    expect(await alone.inject({ url, headers: { cookie: `session-token=${PLAYER}` } })).toMatchObject({
      statusCode: 200,
      body: expect.stringContaining('web()'),
    });
  expect((await alone.inject({ url: '/players/sw.js' })).statusCode).toBe(404);
  await alone.close();
});

it('starts however slow the machine is', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const extend = async () => void vi.advanceTimersByTime(300_000);
    await (await serve({ webRoot: root, playersRoot, extend })).close();
  } finally {
    vi.useRealTimers();
  }
});
