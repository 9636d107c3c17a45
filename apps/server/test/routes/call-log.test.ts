import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { changePassword } from '@drawhouse/contract/auth/auth';
import type { BetAnswer } from '@drawhouse/contract/live/live';
import { placeBets } from '@drawhouse/contract/tickets/bulk-bets';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/platform/log/create-logger.ts';
import { listen, TestApp, type Network } from '../harness.ts';
import { PASSWORD } from '../test-password.ts';
import { makeKey, uniqueIdOf } from '../clients/program-keys.ts';

type Line = Record<string, unknown> & { readonly msg: string };

const ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

let t: TestApp;
let net: Network;
let url: string;
let log = '';
let from = 0;
const sockets: Socket[] = [];

beforeAll(async () => {
  const { logger } = createLogger({ logLevel: 'trace' }, { write: (text: string) => void (log += text) });
  t = await TestApp.start({ logger });
  url = await listen(t.app);
  net = await t.network({ credit: 500 });
});
beforeEach(() => void (from = log.length));
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await t.close();
});

const lines = (wanted = 'call'): Line[] =>
  log
    .slice(from)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => msg === wanted);

function socketOf(token: string): Socket {
  const socket = io(url, { auth: { token }, transports: ['websocket'], reconnection: false, forceNew: true });
  sockets.push(socket);
  return socket;
}

const heardBy = (socket: Socket, event: string): Promise<unknown> =>
  new Promise((resolve) => socket.once(event, resolve));

describe('a logged call', () => {
  it('is one line: route, caller, outcome and duration', async () => {
    await t.ok(accountRoutes.user.get, { params: { id: net.user._id } }, net.retailer);
    expect(lines()).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        pid: process.pid,
        hostname: expect.any(String),
        requestId: expect.stringMatching(ID),
        method: 'GET',
        route: `/api/${accountRoutes.user.get.path}`,
        status: 200,
        ms: expect.any(Number),
        account: net.retailer._id,
        msg: 'call',
      },
    ]);
  });

  it("returns its line's id in body and header when it fails", async () => {
    const { status, body, headers } = await t.call(
      accountRoutes.user.get,
      { params: { id: net.admin._id } },
      net.retailer,
    );
    expect(status).toBe(404);
    const { requestId } = body as unknown as { requestId: string };
    expect(headers['x-request-id']).toBe(requestId);
    expect(lines()).toEqual([expect.objectContaining({ requestId, status: 404, code: 'NOT_FOUND' })]);
  });

  it.each(['/nowhere', '/api/nothing', '/api/app/%ZZ', '/readyz'])(
    'fails with an id everywhere: POST %s',
    async (path) => {
      const { body, headers } = await t.send('POST', path);
      const { requestId } = body as unknown as { requestId: string };
      expect(requestId).toMatch(ID);
      expect(headers['x-request-id']).toBe(requestId);
      expect(log.slice(from)).toContain(requestId);
    },
  );

  it("has its own id beside the caller's, which is logged if plain", async () => {
    const named = await t.send('GET', '/api/auth/session', {}, undefined, { 'x-request-id': 'order-4711' });
    await t.send('GET', '/api/auth/session', {}, undefined, { 'x-request-id': 'x"}\n{"level":60' });
    expect(named.headers['x-request-id']).toMatch(ID);
    expect(lines().map(({ callerRequestId }) => callerRequestId)).toEqual(['order-4711', undefined]);
    expect(lines()[0]!['requestId']).toBe(named.headers['x-request-id']);
  });

  it('logs the cause of a crash and the id its caller can report', async () => {
    vi.spyOn(t.served, 'query').mockRejectedValueOnce(new Error('a fault of ours'));
    const { status, body } = await t.call(accountRoutes.user.get, { params: { id: net.user._id } }, net.retailer);
    vi.restoreAllMocks();
    expect([status, body.code]).toEqual([500, 'INTERNAL']);
    const { requestId } = body as unknown as { requestId: string };
    const logged = log
      .slice(from)
      .split('\n')
      .filter((line) => line.includes(requestId));
    expect(logged.map((line) => (JSON.parse(line) as Line).msg)).toEqual(['call failed', 'call']);
    expect(logged[0]).toContain('a fault of ours');
  });
});

it('accepted bets share one line per second; refused ones have their own', async () => {
  for (let nth = 0; nth < 3; nth++) expect((await t.bet(net.user, { '7': 1 })).status).toBe(201);
  const refused = await t.bet(net.user, { '7': 9_999 });
  expect(lines()).toEqual([expect.objectContaining({ code: 'INSUFFICIENT_CREDIT', account: net.user._id })]);
  expect(lines()[0]!['requestId']).toBe(refused.headers['x-request-id']);
  await expect.poll(() => lines('calls').reduce((sum, { calls }) => sum + Number(calls), 0)).toBe(3);
  expect(lines('calls')).toContainEqual(expect.objectContaining({ status: 201, route: '/api/app/bet' }));
});

describe('a logged socket message', () => {
  it('has a line and id like a call when it fails', async () => {
    const socket = socketOf(net.user.token);
    await heardBy(socket, 'connect');
    const bet = (body: object): Promise<BetAnswer> => socket.emitWithAck('bet', body) as Promise<BetAnswer>;
    const lines7 = [{ drawno: '7', qty: 1 }];
    await bet({ gameId: 'funtargetbingo', requestId: 'a', lines: lines7 });
    const refused = await bet({ gameId: 'nothing', requestId: 'b', lines: lines7 });
    expect(refused).toMatchObject({ success: false, requestId: expect.stringMatching(ID) });
    const mine = lines().filter(({ route }) => route === 'bet');
    expect(mine).toEqual([expect.objectContaining({ method: 'SOCKET', status: 422, account: net.user._id })]);
    expect(mine[0]).toMatchObject({ requestId: (refused as { requestId: string }).requestId });
    const join = heardBy(socket, 'error');
    socket.emit('gameData', { gameId: 'funtargetbingo', adminId: net.admin._id });
    expect(await join).toMatchObject({ code: 'NOT_ALLOWED', requestId: expect.stringMatching(ID) });
  });

  it('returns its id and reason when it cannot authenticate', async () => {
    const socket = socketOf('nonsense');
    const error = (await heardBy(socket, 'connect_error')) as Error & { data: { requestId: string } };
    expect(error.data.requestId).toMatch(ID);
    expect(lines()).toEqual([
      expect.objectContaining({ route: 'sign in', requestId: error.data.requestId, status: 401 }),
    ]);
  });
});

it('non-calls are logged too, up to a rate, the rest combined', async () => {
  const ask = async (query: string, origin?: string): Promise<string | null> => {
    const answer = await fetch(`${url}/socket.io/?${query}`, { headers: origin === undefined ? {} : { origin } });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    return answer.headers.get('x-request-id');
  };
  const ids = [
    await ask('EIO=4&transport=polling', 'http://elsewhere'),
    await ask('EIO=4&transport=pigeon'),
    await ask('EIO=4&transport=polling&sid=gone'),
  ];
  const logged = (): Record<string, unknown>[] =>
    log
      .slice(from)
      .split('\n')
      .filter((line) => line.includes('refused or cut'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(logged().map(({ requestId, reason }) => [requestId, reason])).toEqual([
    [ids[0], 'foreign_origin'],
    [ids[1], 'malformed'],
    [ids[2], 'unknown'],
  ]);
  await Promise.all(Array.from({ length: 20 }, () => ask('EIO=4&transport=pigeon')));
  await expect.poll(() => logged().reduce((sum, { calls = 1 }) => sum + Number(calls), 0)).toBe(23);
  expect(logged().length).toBeLessThan(23);
});

it('no secret appears in the log, for any call and failure', async () => {
  const player = await t.create(net.retailer);
  const { key } = await makeKey(t, net.admin);
  const uniqueId = await uniqueIdOf(t, net.user);
  const bets = [{ player: uniqueId, gameId: 'funtargetbingo', requestId: 'c', lines: [{ drawno: '3', qty: 1 }] }];
  await t.ok(placeBets, { body: { bets } }, { token: key });
  await t.send('GET', '/api/app/bets?password=in-the-query', { token: player.token });
  await t.send('POST', '/api/auth/login', {}, { username: net.user.username, password: 'a wrong password' });
  await t.send('POST', '/api/auth/login', {}, '{"username": "x", "password": "half a bo');
  await t.send('POST', '/api/auth/login', {}, { username: { password: 'a nested one' } });
  await t.ok(
    changePassword,
    { body: { userId: player._id, opass: PASSWORD, npass: 'quite another horse', cpass: 'quite another horse' } },
    player,
  );
  await t.send('GET', '/api/auth/session', { token: net.user.token, cookie: true });
  await t.finishDraw();
  vi.spyOn(t.served, 'query').mockRejectedValueOnce(
    Object.assign(new Error('no such host'), { client: { password: 'secret of the database' } }),
  );
  await t.call(accountRoutes.user.get, { params: { id: net.user._id } }, net.retailer);
  vi.restoreAllMocks();
  const seeds = await t.db.query<{ seed: string }>(
    "select encode(seed, 'hex') as seed from draws where seed is not null",
  );
  const sessions = await t.db.query<{ token: string }>("select encode(token_hash, 'hex') as token from sessions");
  const secrets = [
    PASSWORD,
    'a wrong password',
    'half a bo',
    'a nested one',
    'quite another horse',
    'in-the-query',
    'secret of the database',
    'session-token',
    'Bearer',
    key,
    '5a'.repeat(32),
    new URL(t.database.serverUrl).password,
    t.database.serverUrl,
    ...[net.superadmin, net.admin, net.retailer, net.user, player].map(({ token }) => token),
    ...seeds.map(({ seed }) => seed),
    ...sessions.map(({ token }) => token),
  ].filter((secret) => secret !== '');
  expect(seeds.length).toBeGreaterThan(0);
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
  expect(log.split('\n').length).toBeGreaterThan(30);
});
