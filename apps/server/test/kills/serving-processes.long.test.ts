import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { get } from 'node:http';
import { placeBet, betOfRequest } from '@drawhouse/contract/tickets/tickets';
import { listSessions } from '@drawhouse/contract/auth/auth';
import { io, type Socket } from 'socket.io-client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeDataDir, withDatabase } from '../processes/data-dir.ts';
import { freePort } from '../processes/free-port.ts';
import { ask, makeNetworkOf } from '../processes/network-by-calls.ts';
import { beginTimeline } from '../processes/standby.ts';
import { QUICK_PASSWORDS, runAudit, startServer, type ServerProcess } from '../processes/server-process.ts';
import { PASSWORD } from '../test-password.ts';

const GAME = 'funtargetbingo';
const PROCESSES = 3;
const KILLS = 8;
const ANSWER_MS = 15_000;
const TRANSPORTS = ['http', 'polling', 'websocket'] as const;

let dataDir: string;
let server: ServerProcess;
let port: number;

const start = (env: Record<string, string> = {}): Promise<ServerProcess> =>
  startServer(
    dataDir,
    { PORT: String(port), SERVERS: String(PROCESSES), SUPERADMIN_PASSWORD: PASSWORD, ...env },
    QUICK_PASSWORDS,
  );

beforeEach(async () => {
  dataDir = await makeDataDir('serving-processes');
  port = await freePort();
});
afterEach(async () => {
  await server.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

function workers(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isWorker(pid));
}

function isWorker(pid: number): boolean {
  try {
    const [, parent] = /\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!;
    return Number(parent) === server.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('workers/worker.ts');
  } catch {
    return false;
  }
}

interface Request {
  readonly requestId: string;
  readonly gameId: string;
  readonly lines: readonly { drawno: string; qty: number }[];
}
type Reply = { readonly success: boolean; readonly code?: string; readonly ticket?: { readonly _id: string } };

type Send = (body: Request) => Promise<Reply | undefined>;

function sender(token: string, by: (typeof TRANSPORTS)[number]): { readonly send: Send; readonly close: () => void } {
  if (by === 'http') {
    const send: Send = (body) =>
      ask(server.url, placeBet, { body: body as never }, { token, answerMs: ANSWER_MS }).then(
        (answer) => answer.body as Reply,
        () => undefined,
      );
    return { send, close: () => {} };
  }
  const socket = io(server.url, {
    auth: { token },
    transports: [by],
    forceNew: true,
    reconnectionDelay: 50,
    reconnectionDelayMax: 200,
  });
  // Socket.IO does not retry after a refused sign-in, such as during an outage of a process.
  socket.on('connect_error', () => socket.active || setTimeout(() => socket.connect(), 100));
  const send: Send = (body) =>
    new Promise((resolve) => {
      const lost = (): void => resolve(undefined);
      socket.once('disconnect', lost);
      socket.timeout(ANSWER_MS).emit('bet', body, (error: Error | null, reply: Reply) => {
        socket.off('disconnect', lost);
        resolve(error ? undefined : reply);
      });
    });
  return { send, close: () => socket.disconnect() };
}

it('loses no acknowledged bet and takes none twice while serving processes are killed', async () => {
  server = await start({ SESSION_CALLS_PER_SECOND: '100000' });
  // Neighboring networks have their lanes in different processes.
  const networks = [];
  for (const name of ['one', 'two', 'three'])
    networks.push(await makeNetworkOf(server.url, { name, games: [GAME], points: 1_000_000 }));

  const taken = new Map<string, { ticketId: string; token: string }>();
  let [isOver, unknown, endsMs] = [false, 0, Infinity];
  const refusals = new Set<string | undefined>();
  const bettor = async (token: string, by: (typeof TRANSPORTS)[number]): Promise<void> => {
    const { send, close } = sender(token, by);
    while (!isOver) {
      const body: Request = { requestId: randomUUID(), gameId: GAME, lines: [{ drawno: '7', qty: 1 }] };
      for (let reply: Reply | undefined; reply?.ticket === undefined;) {
        reply = await send(body);
        if (reply?.ticket) taken.set(body.requestId, { ticketId: reply.ticket._id, token });
        else unknown++;
        refusals.add(reply?.code);
        if (isOver && performance.now() > endsMs) break;
        if (!reply?.ticket) await once(AbortSignal.timeout(20), 'abort');
      }
    }
    close();
  };
  const bettors = networks.flatMap(({ token }) => TRANSPORTS.flatMap((by) => [bettor(token, by), bettor(token, by)]));
  const untilMore = async (): Promise<void> => {
    const enough = taken.size + 150;
    await expect.poll(() => taken.size, { timeout: 120_000, interval: 20 }).toBeGreaterThan(enough);
  };
  try {
    for (let nth = 0; nth < KILLS; nth++) {
      await untilMore();
      const alive = workers();
      process.kill(alive[Math.floor(Math.random() * alive.length)]!, 'SIGKILL');
      if (nth % 3 === 2) await expect.poll(() => workers().length, { timeout: 60_000 }).toBe(PROCESSES);
    }
    await untilMore();
  } finally {
    isOver = true;
    endsMs = performance.now() + 60_000;
    await Promise.all(bettors);
  }
  const known = new Set([undefined, 'OUTCOME_UNKNOWN', 'NOT_READY', 'BETTING_CLOSED']);
  expect([...refusals].filter((code) => !known.has(code))).toEqual([]);
  expect(unknown).toBeGreaterThan(0);

  for (const [requestId, { ticketId, token }] of taken) {
    const { body } = await ask(server.url, betOfRequest, { params: { requestId } }, { token });
    expect(body).toMatchObject({ ticket: { _id: ticketId } });
  }
  const ids = new Set([...taken.values()].map(({ ticketId }) => ticketId));
  expect(ids.size).toBe(taken.size);
  const stored = await withDatabase(dataDir, (client) => client.query('select count(*)::int as count from tickets'));
  expect(stored.rows).toEqual([{ count: taken.size }]);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(await runAudit(dataDir)).toMatchObject({ code: 0 });
});

/** Uses a new connection, so that any process may get it. Returns the status. */
function callAlone(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    get(`${server.url}/api/${listSessions.path}`, { agent: false, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode!));
    }).once('error', reject);
  });
}

it('limits calls and sockets of a session over all processes', async () => {
  server = await start({ SESSION_CALLS_PER_SECOND: '2' });
  const { token } = await makeNetworkOf(server.url, { name: 'one', games: [GAME], points: 100 });
  const sinceMs = performance.now();
  let answered = 0;
  while ((await callAlone(token)) === 200) answered++;
  const refilled = Math.ceil((2 * (performance.now() - sinceMs)) / 1_000);
  expect(answered).toBeGreaterThanOrEqual(2);
  expect(answered).toBeLessThanOrEqual(6 * 1.25 + refilled);

  const sockets: Socket[] = [];
  for (let nth = 0; nth < 7; nth++) {
    const socket = io(server.url, { auth: { token }, transports: ['websocket'], forceNew: true, reconnection: false });
    sockets.push(socket);
    await expect.poll(() => socket.connected).toBe(true);
  }
  await expect.poll(() => sockets.map(({ connected }) => connected)).toEqual([false, ...Array(6).fill(true)]);
  for (const socket of sockets) socket.disconnect();
});

it('says once why it cannot start, and stops if its processes cannot start again', async () => {
  server = await start();
  const other = startServer(dataDir, { PORT: String(port), SERVERS: '2' });
  await expect(other).rejects.toThrow('A server is already running');
  const taken = await makeDataDir('serving-processes-two');
  await expect(startServer(taken, { PORT: String(port), SERVERS: '2' })).rejects.toThrow(
    new RegExp(`^The server ended with 1:\nDrawhouse could not start. Port ${port} is in use[^\n]*\n$`),
  );
  await rm(taken, { recursive: true });
});

it('closes the networks of a restored cell until the other cells have listed theirs', async () => {
  const ofCell = { CELL_NAME: 'cell-1', SERVERS: '2' };
  server = await start(ofCell);
  const { token } = await makeNetworkOf(server.url, { name: 'one', games: [GAME], points: 100 });
  const inDirectory = (text: string) => withDatabase(dataDir, (client) => client.query(text), 'drawhouse_directory');
  await inDirectory(`insert into cells (name, installation, first_network, time_zone)
    select 'cell-2', gen_random_uuid(), 10000001, time_zone from cells`);
  const bet = async (): Promise<string | undefined> => {
    const body = { requestId: randomUUID(), gameId: GAME, lines: [{ drawno: '7', qty: 1 }] };
    return (await ask(server.url, placeBet, { body }, { token })).body.code;
  };
  expect(await server.end('SIGTERM')).toBe(0);
  server = await start(ofCell);
  expect(await bet()).toBeUndefined();
  expect(await server.end('SIGTERM')).toBe(0);
  await beginTimeline(dataDir);
  server = await start(ofCell);
  expect(await bet()).toBe('NETWORK_RESTORING');
  await inDirectory(`insert into answers (question, cell) select id, 'cell-2' from questions`);
  await expect.poll(bet, { timeout: 60_000 }).toBeUndefined();
});
