import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { login } from '@drawhouse/contract/auth/auth';
import { fairDraw, playerState } from '@drawhouse/contract/draws/draws';
import { placeBet, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { ROLES } from '@drawhouse/contract/core/primitives';
import type { RouteAnswer, RouteInput } from '@drawhouse/contract/core/route';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isAlive } from '../../src/platform/db/embedded/embedded-process.ts';
import { TRANSFER_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { makeDataDir, withDatabase } from '../processes/data-dir.ts';
import { postgresPid, runAudit, startServer, type ServerProcess } from '../processes/server-process.ts';
import { PASSWORD } from '../test-password.ts';

const GAME = { gameId: 'funtargetbingo' };
/** Betting closes 2 s before the draw, long enough to kill the server in between. */
const INTERVAL_SECONDS = 12;

let dataDir: string;
let server: ServerProcess;

beforeEach(async () => {
  dataDir = await makeDataDir('crash');
  server = await startServer(dataDir, { SUPERADMIN_PASSWORD: PASSWORD });
});
afterEach(async () => {
  await server.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

async function call<R extends { method: string; path: string }>(
  route: R,
  input: RouteInput<R>,
  token?: string,
): Promise<RouteAnswer<R>> {
  const { params, query, body } = input as {
    params?: Record<string, string>;
    query?: Record<string, string>;
    body?: unknown;
  };
  const path = route.path.replace(/:(\w+)/g, (_all, name: string) => params![name]!);
  const response = await fetch(`${server.url}/api/${path}?${new URLSearchParams(query).toString()}`, {
    method: route.method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as RouteAnswer<R>;
  expect(answer).toMatchObject({ success: true });
  return answer;
}

const signIn = async (username: string) => call(login, { body: { username, password: PASSWORD } });

async function makeNetwork(): Promise<RouteAnswer<typeof login>> {
  let parent = await signIn('superadmin');
  const issue = { toUserId: parent.user._id, adjustAmount: 100, password: PASSWORD };
  await call(accountRoutes.superadmin.creditAdjust, { body: issue }, parent.token);
  for (const role of ROLES.slice(1)) {
    const username = `the-${role}`;
    const body = {
      username,
      password: PASSWORD,
      commission: 0,
      note: 'add notes',
      ...(role === 'admin' && { games: [GAME.gameId] }),
    };
    const { data } = await call(accountRoutes[role].create, { body }, parent.token);
    await call(
      accountRoutes[role].creditTransfer,
      { body: { toUserId: data._id, transferAmount: 100, password: PASSWORD } },
      parent.token,
    );
    parent = await signIn(username);
  }
  return parent;
}

it('settles once after kill -9 between close and settlement', async () => {
  await withDatabase(dataDir, (client) =>
    client.query(
      'update times set seconds = $1 where id = (select time_id from game_times join games on games.id = ' +
        'game_times.game_id where games.game_key = $2)',
      [INTERVAL_SECONDS, GAME.gameId],
    ),
  );
  const player = await makeNetwork();
  const openDraw = async () => (await call(playerState, { query: GAME }, player.token)).draw;
  const roomMs = 3_000;
  await expect.poll(async () => Date.parse((await openDraw())?.closesAt ?? '') - Date.now()).toBeGreaterThan(roomMs);
  const draw = (await openDraw())!;
  const lines = Array.from({ length: 10 }, (_, number) => ({ drawno: number, qty: 1 }));
  await call(placeBet, { body: { ...GAME, drawId: draw._id, requestId: randomUUID(), lines } }, player.token);

  await expect
    .poll(async () => (await call(fairDraw, { params: { drawId: draw._id } })).status, { interval: 20 })
    .toBe('closed');
  await server.end('SIGKILL');
  process.kill(await postgresPid(dataDir), 'SIGKILL');
  expect(Date.now()).toBeLessThan(Date.parse(draw.drawsAt));

  await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(draw.drawsAt));
  server = await startServer(dataDir);
  await expect.poll(async () => (await call(fairDraw, { params: { drawId: draw._id } })).status).toBe('settled');
  const { data: tickets } = await call(playerTickets, { query: {} }, player.token);
  expect(tickets).toEqual([expect.objectContaining({ drawId: draw._id, playpoints: 10, winpoints: 9 })]);
  expect((await call(playerState, { query: GAME }, player.token)).walletBalance).toBe(99);
  const wins = await withDatabase(dataDir, (client) =>
    client.query(`select amount from transfers where kind = ${TRANSFER_KINDS.win}`),
  );
  expect(wins.rows).toEqual([{ amount: '900' }]);
  expect(await runAudit(dataDir)).toMatchObject({ code: 0 });
});

it('takes over PostgreSQL if only the server was killed, and stops it too', async () => {
  const postgres = await postgresPid(dataDir);
  await server.end('SIGKILL');
  expect(isAlive(postgres)).toBe(true);
  server = await startServer(dataDir);
  expect(await postgresPid(dataDir)).toBe(postgres);
  expect(await server.end('SIGINT')).toBe(0);
  expect(isAlive(postgres)).toBe(false);
});

it("starts although the serving role's password was lost", async () => {
  await server.end('SIGTERM');
  await rm(join(dataDir, 'postgres.server.password'));
  server = await startServer(dataDir);
  await signIn('superadmin');
});

it('refuses a second server on a data folder, and audits beside the first or alone', async () => {
  await expect(startServer(dataDir)).rejects.toThrow(/A server is already running on/);
  expect(await runAudit(dataDir)).toMatchObject({ code: 0, output: expect.stringContaining('activity log') });
  await signIn('superadmin');
  const postgres = await postgresPid(dataDir);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(isAlive(postgres)).toBe(false);
  expect(await runAudit(dataDir)).toMatchObject({ code: 0 });
});

it('stops despite silent connections, and answers pending requests', async () => {
  const silent = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
  await once(silent, 'connect');
  const busy = Array.from({ length: 4 }, () => signIn('superadmin'));
  const ended = Promise.allSettled(busy);
  await busy[0];
  expect(await server.end('SIGTERM')).toBe(0);
  const refusals = (await ended).flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  for (const refusal of refusals) expect(refusal).toMatch(/fetch failed/);
  expect(server.output()).not.toContain('"level":50');
  silent.destroy();
});

it("prints the superadmin's random password at the first start only, and stores its hash at full cost", async () => {
  expect(server.output()).not.toContain(PASSWORD);
  await server.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
  server = await startServer(dataDir);
  const password = /password\s+(\S+)/.exec(server.output())![1]!;
  await call(login, { body: { username: 'superadmin', password } });
  const { rows } = await withDatabase(dataDir, (client) =>
    client.query<{ hash: string }>('select password_hash as hash from accounts'),
  );
  expect(rows).toEqual([{ hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) }]);
  await server.end('SIGTERM');
  server = await startServer(dataDir);
  expect(server.output()).not.toContain('password');
});
