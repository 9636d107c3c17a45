import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { login } from '@drawhouse/contract/auth/auth';
import { makeApiKey } from '@drawhouse/contract/api-keys/api-keys';
import { placeBets } from '@drawhouse/contract/tickets/bulk-bets';
import type { BetReply } from '@drawhouse/contract/tickets/bulk-bets';
import { betOfRequest } from '@drawhouse/contract/tickets/tickets';
import { ROLES } from '@drawhouse/contract/core/primitives';
import type { RouteAnswer, RouteInput } from '@drawhouse/contract/core/route';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeDataDir } from '../processes/data-dir.ts';
import { postgresPid, QUICK_PASSWORDS, runAudit, startServer } from '../processes/server-process.ts';
import type { ServerProcess } from '../processes/server-process.ts';
import { PASSWORD } from '../test-password.ts';

const GAMES = ['funtargetbingo', 'fruit12'];
const POINTS = 100_000;
const CALLERS = 6;
const TICKETS = 60;

let dataDir: string;
let server: ServerProcess;

const start = (): Promise<ServerProcess> =>
  startServer(dataDir, { SUPERADMIN_PASSWORD: PASSWORD, SESSION_CALLS_PER_SECOND: '100000' }, QUICK_PASSWORDS);

beforeEach(async () => {
  dataDir = await makeDataDir('bulk-kill');
  server = await start();
}, 60_000);
afterEach(async () => {
  await server.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

async function ask<R extends { method: string; path: string }>(
  route: R,
  input: RouteInput<R>,
  token?: string,
): Promise<{ status: number; body: RouteAnswer<R> & { code?: string } }> {
  const { params, body } = input as { params?: Record<string, string>; body?: unknown };
  const path = route.path.replace(/:(\w+)/g, (_all, name: string) => params![name]!);
  const response = await fetch(`${server.url}/api/${path}`, {
    method: route.method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as never };
}
const signIn = async (username: string) => (await ask(login, { body: { username, password: PASSWORD } })).body;

async function makeNetwork(): Promise<{ username: string; uniqueId: string; key: string }> {
  let parent = await signIn('superadmin');
  let key = '';
  const issue = { toUserId: parent.user._id, adjustAmount: POINTS, password: PASSWORD };
  await ask(accountRoutes.superadmin.creditAdjust, { body: issue }, parent.token);
  for (const role of ROLES.slice(1)) {
    const games = role === 'admin' ? { games: GAMES } : {};
    const body = { username: `the-${role}`, password: PASSWORD, commission: 0, note: 'add notes', ...games };
    const { data } = (await ask(accountRoutes[role].create, { body }, parent.token)).body;
    const order = { toUserId: data._id, transferAmount: POINTS, password: PASSWORD };
    await ask(accountRoutes[role].creditTransfer, { body: order }, parent.token);
    parent = await signIn(`the-${role}`);
    if (role === 'admin') key = (await ask(makeApiKey, { body: { name: 'Front' } }, parent.token)).body.key;
  }
  return { username: parent.user.username, uniqueId: parent.user.uniqueId, key };
}

it("loses no acknowledged ticket and tells each request's outcome", { timeout: 180_000 }, async () => {
  const { username, uniqueId, key } = await makeNetwork();
  const player = await signIn(username);
  const answered = new Map<string, BetReply>();
  const unanswered: object[] = [];
  let isOver = false;
  const bets = () =>
    Array.from({ length: TICKETS }, (_, nth) => ({
      gameId: GAMES[Math.floor(nth / 20) % 2]!,
      requestId: randomUUID(),
      lines: [{ drawno: '7', qty: 1 }],
    }));
  const caller = async (nth: number) => {
    const [token, names] = nth % 2 === 0 ? [key, { player: uniqueId }] : [player.token, {}];
    while (!isOver) {
      const asked = bets().map((bet) => ({ ...bet, ...names }));
      try {
        const { status, body } = await ask(placeBets, { body: { bets: asked } }, token);
        expect(status).toBe(200);
        for (const [index, reply] of body.answers.entries()) answered.set(asked[index]!.requestId, reply);
      } catch {
        unanswered.push(...asked);
        return;
      }
    }
  };
  const callers = Array.from({ length: CALLERS }, (_, nth) => caller(nth));
  await expect.poll(() => answered.size, { timeout: 60_000, interval: 5 }).toBeGreaterThan(1_500);
  await server.end('SIGKILL');
  process.kill(await postgresPid(dataDir), 'SIGKILL');
  isOver = true;
  await Promise.all(callers);
  server = await start();

  const { token } = await signIn(username);
  const fateOf = (requestId: string) => ask(betOfRequest, { params: { requestId } }, token);
  let taken = 0;
  for (const [requestId, reply] of answered) {
    const { status, body } = await fateOf(requestId);
    if (reply.success) {
      taken++;
      expect(body).toMatchObject({ ticket: { _id: reply.ticket._id, digest: reply.ticket.digest } });
    } else if (reply.code !== 'OUTCOME_UNKNOWN') expect(status).toBe(404);
  }
  expect(taken).toBeGreaterThan(1_000);
  const left = unanswered as { requestId: string }[];
  expect(left.length).toBeGreaterThan(0);
  for (const { requestId } of left) expect([200, 404]).toContain((await fateOf(requestId)).status);
  await server.end('SIGTERM');
  const audited = await runAudit(dataDir);
  expect(audited).toMatchObject({ code: 0 });
  server = await start();
});
