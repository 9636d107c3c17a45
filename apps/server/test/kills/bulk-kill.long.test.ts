import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { placeBets, type BetReply } from '@drawhouse/contract/tickets/bulk-bets';
import { betOfRequest } from '@drawhouse/contract/tickets/tickets';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeDataDir } from '../processes/data-dir.ts';
import { ask, makeNetworkOf, signInTo } from '../processes/network-by-calls.ts';
import {
  postgresPid,
  QUICK_PASSWORDS,
  runAudit,
  startServer,
  type ServerProcess,
} from '../processes/server-process.ts';
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
});
afterEach(async () => {
  await server.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

it("loses no acknowledged ticket and tells each request's outcome", async () => {
  const { username, uniqueId, key } = await makeNetworkOf(server.url, { name: 'the', games: GAMES, points: POINTS });
  const player = await signInTo(server.url, username);
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
        const { status, body } = await ask(server.url, placeBets, { body: { bets: asked } }, { token });
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

  const { token } = await signInTo(server.url, username);
  const fateOf = (requestId: string) => ask(server.url, betOfRequest, { params: { requestId } }, { token });
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
