import { statement } from '@drawhouse/contract/credit/statement';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { listSessions, login, session } from '@drawhouse/contract/auth/auth';

import { afterEach, describe, expect, it, vi } from 'vitest';
import { FIRST_SUPERADMIN } from '../../../compose/first-start.ts';
import type { HttpLimits } from './http-limits.ts';
import { emptyUrlOf, nameOf, ROUTES } from '../../../../test/routes/contract-routes.ts';
import { listen, TestApp } from '../../../../test/harness.ts';
import { PASSWORD } from '../../../../test/test-password.ts';

let t: TestApp;
afterEach(async () => {
  vi.restoreAllMocks();
  await t?.close();
});

const few = (burst: number): { perSecond: number; burst: number } => ({ perSecond: 1, burst });

async function start(limits: Partial<HttpLimits> = {}): Promise<void> {
  t = await TestApp.start({ limits });
}

async function statuses(times: number, send: () => Promise<{ status: number }>): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < times; n++) found.push((await send()).status);
  return found;
}

describe("a session's budget", () => {
  it('is separate, gives a retry time, and refills', async () => {
    await start({ session: few(4) });
    const [one, other] = [await t.signIn(FIRST_SUPERADMIN), await t.signIn(FIRST_SUPERADMIN)];
    expect(await statuses(4, () => t.call(session, {}, one))).toEqual([200, 200, 200, 200]);
    expect(await t.call(session, {}, one)).toMatchObject({
      status: 429,
      body: { code: 'THROTTLED', message: 'Too many calls. Please wait a second.' },
      headers: { 'retry-after': '1' },
    });
    expect((await t.call(session, {}, other)).status).toBe(200);
    t.clock.advance(1_000);
    expect(await statuses(2, () => t.call(session, {}, one))).toEqual([200, 429]);
  });

  it('counts a file as many calls', async () => {
    await start({ session: few(45) });
    const one = await t.signIn(FIRST_SUPERADMIN);
    await t.ok(session, {}, one);
    const query = { startDate: '2026-03-01T00:00:00.000Z', endDate: '2026-03-02T00:00:00.000Z' };
    expect(await statuses(3, () => t.call(statement.files[1]!.route, { query }, one))).toEqual([200, 200, 429]);
    expect((await t.call(session, {}, one)).status).toBe(200);
  });
});

describe("an address's budget", () => {
  it('is small without a session and spares accounts known there', async () => {
    await start({ stranger: few(8) });
    const one = await t.signIn(FIRST_SUPERADMIN);
    expect(await statuses(8, () => t.call(session, {}))).toEqual([...Array(7).fill(401), 429]);
    const body = { username: FIRST_SUPERADMIN, password: PASSWORD };
    const invented = { username: 'invented', password: PASSWORD };
    expect((await t.call(login, { body: invented })).status).toBe(429);
    expect((await t.call(login, { body: invented }, { ip: '10.0.0.9' })).status).toBe(401);
    expect((await t.call(login, { body }, { ip: '10.0.0.9' })).status).toBe(200);
    expect(await statuses(20, () => t.call(session, {}, one))).toEqual(Array(20).fill(200));
  });

  it('is separate for unknown tokens, as all are after a restart', async () => {
    await start({ stranger: few(2), lookUp: few(3) });
    const one = await t.signIn(FIRST_SUPERADMIN);
    expect(await statuses(4, () => t.call(session, {}, { token: 'none' }))).toEqual([401, 401, 401, 429]);
    expect(await statuses(9, () => t.call(session, {}, one))).toEqual(Array(9).fill(200));
    expect((await t.call(login, { body: { username: FIRST_SUPERADMIN, password: PASSWORD } })).status).toBe(200);
  });

  it('exhausted by strangers still lets known accounts sign in', async () => {
    await start({ stranger: few(3) });
    const body = { username: FIRST_SUPERADMIN.toUpperCase(), password: PASSWORD };
    const at = (ip: string): Promise<{ status: number }> => t.call(login, { body }, { ip });
    const useUp = (ip: string): Promise<number[]> => statuses(3, () => t.call(session, {}, { ip }));
    expect((await at('10.0.0.1')).status).toBe(200);
    for (const ip of ['10.0.0.1', '10.0.0.2']) await useUp(ip);
    expect([(await at('10.0.0.1')).status, (await at('10.0.0.2')).status]).toEqual([200, 429]);
    const long = { ...body, padding: 'x'.repeat(2_000) };
    expect((await t.send('POST', '/api/auth/login', { ip: '10.0.0.1' }, long)).status).toBe(429);
    t.clock.advance(1_000);
    expect((await at('10.0.0.2')).status).toBe(200);
    await useUp('10.0.0.2');
    expect((await at('10.0.0.2')).status).toBe(200);
    const codes = await statuses(25, () => at('10.0.0.1'));
    expect(codes.slice(0, 19)).toEqual(Array(19).fill(200));
    expect(codes.at(-1)).toBe(429);
  });

  it('delays answers once exhausted, without delaying others', async () => {
    const refusedAfterMs = 3_456;
    await start({ stranger: few(1), refusedAfterMs });
    expect((await t.call(session, {})).status).toBe(401);
    const { setTimeout: other } = globalThis;
    const late = Promise.withResolvers<() => void>();
    vi.spyOn(globalThis, 'setTimeout').mockImplementation((run: () => void, ms?: number, ...more: []) => {
      if (ms !== refusedAfterMs) return other(run, ms, ...more);
      late.resolve(run);
      return other(() => {}, 0);
    });
    let answered = false;
    const refused = t.call(session, {}).finally(() => (answered = true));
    const answer = await late.promise;
    expect(await statuses(5, () => t.send('GET', '/healthz'))).toEqual(Array(5).fill(200));
    expect(answered).toBe(false);
    answer();
    expect((await refused).status).toBe(429);
  });

  it('excludes liveness checks', async () => {
    await start({ stranger: few(1), page: few(1), address: few(1) });
    expect(await statuses(5, () => t.send('GET', '/healthz'))).toEqual(Array(5).fill(200));
    expect(await statuses(5, () => t.send('GET', '/readyz'))).toEqual(Array(5).fill(200));
  });

  it('is separate for pages and missing paths', async () => {
    await start({ page: few(3), stranger: few(3) });
    expect(await statuses(4, () => t.send('POST', '/api/nothing', {}, '{'))).toEqual([404, 404, 404, 429]);
    for (const url of ['/', '/assets/missing.js']) expect((await t.send('GET', url)).status, `at ${url}`).toBe(429);
    expect((await t.call(session, {})).status).toBe(401);
    for (const [url, status] of [
      ['/api/openapi.json', 200],
      ['/api/docs', 200],
      ['/api/docs/json', 429],
    ] as const)
      expect((await t.send('GET', url)).status, `at ${url}`).toBe(status);
  });

  it('limits all its sessions together, with IPv6 by the /64', async () => {
    await start({ address: few(6) });
    const ip = '2001:db8:1:2::1';
    const signIn = () => t.ok(login, { body: { username: FIRST_SUPERADMIN, password: PASSWORD } }, { ip });
    const [one, other] = [await signIn(), await signIn()];
    const send = (token: string, last: number) => t.call(session, {}, { token, ip: `2001:db8:1:2::${last}` });
    expect((await send(one.token, 2)).status).toBe(200);
    expect((await send(other.token, 3)).status).toBe(200);
    expect((await send(one.token, 4)).status).toBe(200);
    expect((await send(other.token, 5)).status).toBe(200);
    expect((await send(one.token, 6)).status).toBe(429);
    expect((await t.call(session, {}, { token: one.token, ip: '2001:db8:1:3::1' })).status).toBe(200);
  });
});

describe('the logged address', () => {
  it.each([
    ['<script>alert(1)</script>', '127.0.0.1'],
    ['203.0.113.9, unknown', '127.0.0.1'],
    ['203.0.113.9:4711', '203.0.113.9'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
  ])('for X-Forwarded-For %s is %s', async (forwarded, address) => {
    await start();
    const body = { username: FIRST_SUPERADMIN, password: PASSWORD };
    const reply = await t.send('POST', '/api/auth/login', {}, body, { 'x-forwarded-for': forwarded });
    const token = (reply.body as unknown as { token: string }).token;
    const { data } = await t.ok(activityLog.route, { query: {} }, { token });
    expect(data[0]).toMatchObject({ subject: 'Signed in', ipAddress: address });
    expect((await t.ok(listSessions, {}, { token })).data[0]).toMatchObject({ ipAddress: address });
  });
});

describe('caches never store', () => {
  it("an account's answers, refusals included", async () => {
    await start();
    const one = await t.signIn(FIRST_SUPERADMIN);
    for (const route of ROUTES) {
      const reply = await t.send(route.method, emptyUrlOf(route), {}, route.body && {});
      expect(reply.headers['cache-control'], `at ${nameOf(route)}`).toBe('no-store');
    }
    const body = { username: FIRST_SUPERADMIN, password: PASSWORD };
    const query = { startDate: '2026-03-01T00:00:00.000Z', endDate: '2026-03-02T00:00:00.000Z' };
    const answers = [
      await t.call(login, { body }),
      await t.call(session, {}, one),
      await t.call(accountLists.superadmin.route, { query: {} }, one),
      await t.call(activityLog.route, { query: {} }, one),
      await t.call(statement.files[1]!.route, { query }, one),
      await t.call(statement.files[0]!.route, { query }, one),
    ];
    for (const { status, headers } of answers) expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect((await t.send('GET', '/api/nothing')).headers['cache-control']).toBe('no-store');
  });
});

const closed = (socket: Socket): Promise<unknown> => new Promise((end) => socket.once('close', end));

async function exchange(url: string, ...pieces: string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let said = '';
  socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
  socket.on('error', () => {});
  await once(socket, 'connect');
  const end = closed(socket);
  for (const piece of pieces) socket.write(piece);
  await end;
  return said;
}

const post = (path: string, ...headers: string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: here', 'Content-Type: application/json', ...headers, '', ''].join('\r\n');

describe('a request body', () => {
  it('is refused without waiting for it if it is not allowed', async () => {
    await start();
    const url = await listen(t.app);
    expect(await exchange(url, post('/api/users/create', 'Content-Length: 1000000'))).toMatch(
      /^HTTP\/1.1 401 .*NOT_SIGNED_IN/s,
    );
    expect(await exchange(url, post('/api/auth/login', 'Content-Length: 1000000'))).toMatch(
      /^HTTP\/1.1 413 .*BODY_TOO_LARGE/s,
    );
    expect(await exchange(url, post('/api/nothing', 'Transfer-Encoding: chunked'))).toMatch(
      /^HTTP\/1.1 404 .*NOT_FOUND/s,
    );
  });

  it('without a session is not read', async () => {
    await start();
    for (const text of ['{', '1e5', `[${'[1e5],'.repeat(2_000)}1]`])
      expect((await t.send('POST', '/api/users/create', {}, text)).body).toMatchObject({ code: 'NOT_SIGNED_IN' });
    const body = { 'content-type': 'text/plain' };
    expect((await t.send('POST', '/api/users/create', {}, 'x', body)).status).toBe(401);
  });

  it('arriving late is not mistaken for an ended session', async () => {
    await start();
    const url = await listen(t.app);
    const one = await t.signIn(FIRST_SUPERADMIN);
    const text = JSON.stringify({ username: 'late-comer', password: PASSWORD, note: 'x' });
    const head = post(
      '/api/admins/create',
      `Authorization: Bearer ${one.token}`,
      `Content-Length: ${text.length}`,
      'Connection: close',
    );
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let said = '';
    socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
    socket.write(head + text.slice(0, 10));
    const used = (): Promise<unknown[]> => t.db.query('select from sessions where last_used_at > created_at');
    t.clock.advance(60_000);
    await expect.poll(async () => (await used()).length).toBe(1);
    await t.db.query('delete from sessions');
    socket.write(text.slice(10));
    await once(socket, 'close');
    expect(said).toMatch(/^HTTP\/1.1 401 .*SESSION_ENDED/s);
    expect(await t.db.query("select from accounts where username = 'late-comer'")).toEqual([]);
  });
});

describe('a misbehaving connection', () => {
  it('dripping bytes is closed, in headers or body', async () => {
    await start({ headersMs: 300, requestMs: 600 });
    const url = await listen(t.app);
    const trickle = async (begin: string): Promise<string> => {
      const socket: Socket = connect(Number(new URL(url).port), '127.0.0.1');
      let said = '';
      socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
      socket.on('error', () => {});
      socket.write(begin);
      const drip = setInterval(() => socket.writable && socket.write('x'), 50);
      await closed(socket);
      clearInterval(drip);
      return said;
    };
    const dripping = await Promise.all([
      ...Array.from({ length: 40 }, () => trickle('POST /api/auth/login HTTP/1.1\r\nHost: here\r\nX-Slow: ')),
      ...Array.from({ length: 40 }, () => trickle(post('/api/auth/login', 'Content-Length: 10000'))),
    ]);
    // A byte sent during close may cost the client its answer.
    for (const answer of dripping) expect(answer).toMatch(/^(HTTP\/1.1 408 |$)/);
    const said = await Promise.all([
      exchange(url),
      exchange(url, 'GET /healthz HTTP/1.1\r\nHost: he'),
      exchange(url, `${post('/api/auth/login', 'Content-Length: 10000')}{"user`),
    ]);
    for (const answer of said) {
      expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
      expect(answer).toContain('"code":"REQUEST_TIMEOUT"');
    }
    expect((await t.send('GET', '/healthz')).status).toBe(200);
  });

  it('sending bad or excessive HTTP gets a regular error', async () => {
    await start();
    const url = await listen(t.app);
    expect(await exchange(url, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 .*"code":"INVALID_INPUT"/s);
    const long = `GET / HTTP/1.1\r\nHost: here\r\nCookie: ${'x=y; '.repeat(10_000)}\r\n\r\n`;
    expect(await exchange(url, long)).toMatch(/^HTTP\/1.1 431 .*"code":"HEADERS_TOO_LARGE"/s);
  });

  it('naming two hosts is refused for any path', async () => {
    await start();
    const url = await listen(t.app);
    const get = (path: string, ...hosts: string[]): Promise<string> =>
      exchange(
        url,
        [`GET ${path} HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`), 'Connection: close', '', ''].join('\r\n'),
      );
    for (const path of ['/healthz', '/api/auth/session', '/', '/api/nothing', '/api/openapi.json']) {
      expect(await get(path, 'here', 'here')).toMatch(/^HTTP\/1.1 400 .*"code":"INVALID_INPUT".*one Host header/s);
      expect(await get(path, 'here')).not.toMatch(/^HTTP\/1.1 400 /);
    }
    const live = '/socket.io/?EIO=4&transport=polling';
    expect(await get(live, 'here', 'there')).toMatch(/^HTTP\/1.1 400 /);
    expect(await get(live, 'here')).toMatch(/^HTTP\/1.1 200 /);
  });
});
