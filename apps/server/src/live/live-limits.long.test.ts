import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket as NetSocket } from 'node:net';
import { SOCKET_MESSAGE_BYTES, type LiveEvents, type Panel } from '@drawhouse/contract/live/live';
import { pino } from 'pino';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { httpLimits } from '../platform/http/limits/http-limits.ts';
import { listen, TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { statementOf } from '../../test/statements/statement-of.ts';

type LiveSocket = Socket<Pick<LiveEvents, 'responseData' | 'panelChange' | 'error'>, Pick<LiveEvents, 'gameData'>>;

const GAME = 'funtargetbingo';
const LARGE_GAME = 'lottery3d';

let t: TestApp;
let url: string;
let net: Network;
let other: Network;
const serverEnds: NetSocket[] = [];
const open: LiveSocket[] = [];
const errors: string[] = [];

beforeAll(async () => {
  t = await TestApp.start({
    logger: pino({ level: 'error' }, { write: (line: string) => void errors.push(line) }),
    limits: { session: httpLimits({}).session, handshake: { perSecond: 100, burst: 1_000 } },
  });
  url = await listen(t.app);
  t.app.http.server.on('connection', (socket) => void serverEnds.push(socket));
  net = await t.network({ credit: 1000, games: [GAME, LARGE_GAME] });
  other = await t.network({ credit: 100, games: [GAME] });
});
beforeEach(() => {
  t.clock.advance(10_000);
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
  vi.restoreAllMocks();
});
afterAll(() => t.close());

function liveSocket(account: SignedIn): LiveSocket & { frames: Panel[]; refused: string[]; closed: string[] } {
  const socket: LiveSocket = io(url, {
    auth: { token: account.token },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  });
  const seen = { frames: [] as Panel[], refused: [] as string[], closed: [] as string[] };
  socket.on('responseData', (panel) => void seen.frames.push(panel));
  socket.on('error', ({ code }) => void seen.refused.push(code));
  socket.on('disconnect', (reason) => void seen.closed.push(reason));
  open.push(socket);
  return Object.assign(socket, seen);
}

function countQueries(): (name?: string) => number {
  const query = vi.spyOn(t.served, 'query');
  return (name) => query.mock.calls.filter((call) => name === undefined || statementOf(...call).name === name).length;
}

async function change(gameKey: string): Promise<void> {
  await t.byHand(
    `update network_games ng set win_percentage = coalesce(win_percentage, 0) % 9000 + 1
     from games g where g.id = ng.game_id and ng.network_id = $1 and g.game_key = $2`,
    [net.networkId, gameKey],
  );
  t.app.services.events.emit('panelChanged', { networkId: net.networkId, gameKey }, 'any');
}

describe('a flood of join requests', () => {
  it('by an admin is answered occasionally, then disconnected, while others see their panels', async () => {
    const [flood, quiet] = [liveSocket(net.admin), liveSocket(other.admin)];
    await expect.poll(() => flood.connected && quiet.connected).toBeTruthy();
    const queries = countQueries();
    for (let n = 0; n < 5_000; n++) flood.emit('gameData', { gameId: GAME, adminId: net.admin._id });
    quiet.emit('gameData', { gameId: GAME, adminId: other.admin._id });
    await expect.poll(() => quiet.frames.length > 0).toBeTruthy();
    await expect.poll(() => flood.closed.length > 0).toBeTruthy();
    expect(flood.frames.length).toBeLessThan(5);
    expect(queries()).toBeGreaterThan(0);
    expect(queries()).toBeLessThan(60);
  });

  it('by a player causes no query', async () => {
    const flood = liveSocket(net.user);
    await expect.poll(() => flood.connected).toBeTruthy();
    const queries = countQueries();
    for (let n = 0; n < 5_000; n++) flood.emit('gameData', { gameId: GAME, adminId: net.admin._id });
    await expect.poll(() => flood.closed.length > 0).toBeTruthy();
    expect(queries()).toBe(0);
  });

  it('is refused before disconnecting, across all sockets of the session', async () => {
    const sockets = [liveSocket(net.admin), liveSocket(net.admin)];
    await expect.poll(() => sockets.every((socket) => socket.connected)).toBeTruthy();
    for (const socket of sockets)
      for (let n = 0; n < 20; n++) socket.emit('gameData', { gameId: GAME, adminId: net.admin._id });
    const refused = (): string[] => sockets.flatMap((socket) => socket.refused);
    await expect.poll(refused).toEqual(Array.from({ length: 10 }, () => 'THROTTLED'));
    expect(sockets.every((socket) => socket.connected)).toBe(true);
    t.clock.advance(1_000);
    sockets[0]!.emit('gameData', { gameId: LARGE_GAME, adminId: net.admin._id });
    await expect.poll(() => sockets[0]!.frames.at(-1)?.gameId).toBe(LARGE_GAME);
  });

  it('ends in the last requested room', async () => {
    const socket = liveSocket(net.admin);
    await expect.poll(() => socket.connected).toBeTruthy();
    for (let n = 0; n < 20; n++) socket.emit('gameData', { gameId: n % 2 ? LARGE_GAME : GAME, adminId: net.admin._id });
    await expect.poll(() => socket.frames.at(-1)?.gameId).toBe(LARGE_GAME);
    const before = socket.frames.length;
    expect(before).toBeLessThan(5);
    for (const gameKey of [GAME, LARGE_GAME]) await change(gameKey);
    await expect.poll(() => socket.frames.length > before).toBeTruthy();
    expect(new Set(socket.frames.slice(before).map((frame) => frame.gameId))).toEqual(new Set([LARGE_GAME]));
  });

  it('into one room needs few reads', async () => {
    const accounts = [net.admin, net.superadmin, await t.signIn(net.admin.username)];
    const sockets = accounts.flatMap((account) => Array.from({ length: 6 }, () => liveSocket(account)));
    await expect.poll(() => sockets.every((socket) => socket.connected)).toBeTruthy();
    const query = t.served.query.bind(t.served);
    const [allAsk, letIn] = [Promise.withResolvers<void>(), vi.spyOn(t.served, 'query')];
    let asking = 0;
    letIn.mockImplementation(async (...statement) => {
      const { name } = statementOf(...statement);
      if (name === 'pair-operated') {
        if (++asking === sockets.length) allAsk.resolve();
        await allAsk.promise;
      }
      return query<never>(...statement);
    });
    const queries = countQueries();
    for (const socket of sockets) socket.emit('gameData', { gameId: GAME, adminId: net.admin._id });
    await expect.poll(() => sockets.every((socket) => socket.frames.length > 0)).toBeTruthy();
    expect(queries('panel-today')).toBeGreaterThan(0);
    expect(queries('panel-today')).toBeLessThan(6);
  });
});

it('a room left while being read causes no error', async () => {
  const socket = liveSocket(net.admin);
  await expect.poll(() => socket.connected).toBeTruthy();
  const serverEnd = serverEnds.at(-1)!;
  socket.emit('gameData', { gameId: GAME, adminId: net.admin._id });
  await expect.poll(() => socket.frames.length > 0).toBeTruthy();
  const query = t.served.query.bind(t.served);
  let reads = 0;
  vi.spyOn(t.served, 'query').mockImplementation(async (...statement) => {
    const { name } = statementOf(...statement);
    if (name === 'panel-today') {
      socket.disconnect();
      await expect.poll(() => serverEnd.destroyed).toBeTruthy();
    }
    const rows = await query<never>(...statement);
    if (name === 'panel-today') reads++;
    return rows;
  });
  t.app.services.events.emit('panelChanged', { networkId: net.networkId, gameKey: GAME }, 'any');
  await expect.poll(() => reads > 0).toBeTruthy();
  vi.restoreAllMocks();
  const next = liveSocket(net.admin);
  await expect.poll(() => next.connected).toBeTruthy();
  next.emit('gameData', { gameId: GAME, adminId: net.admin._id });
  await expect.poll(() => next.frames.length > 0).toBeTruthy();
  expect(errors).toEqual([]);
});

describe('other floods', () => {
  it.each<[string, (socket: LiveSocket) => void]>([
    ['events that nobody knows', (socket) => (socket as Socket).emit('nonsense', ['x'])],
    ['answers to nothing', (socket) => socket.io.engine.write('439[]')],
    ['pongs', (socket) => (socket.io.engine as never as { _sendPacket(type: string): void })._sendPacket('pong')],
  ])('of %s disconnect', async (_name, send) => {
    const socket = liveSocket(net.admin);
    await expect.poll(() => socket.connected).toBeTruthy();
    for (let n = 0; n < 500; n++) send(socket);
    await expect.poll(() => socket.closed.length > 0).toBeTruthy();
  });

  it('in one message disconnect', async () => {
    const socket = liveSocket(net.admin);
    await expect.poll(() => socket.connected).toBeTruthy();
    socket.emit('gameData', { gameId: 'x'.repeat(SOCKET_MESSAGE_BYTES), adminId: net.admin._id });
    await expect.poll(() => socket.closed.length > 0).toBeTruthy();
  });

  it('with handshakes from one address are refused, other addresses served', async () => {
    const handshake = async (address: string): Promise<number> =>
      (await fetch(`${url}/socket.io/?EIO=4&transport=polling`, { headers: { 'x-forwarded-for': address } })).status;
    const statuses = await Promise.all(Array.from({ length: 1_010 }, () => handshake('203.0.113.7')));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1_000);
    expect(await handshake('203.0.113.8')).toBe(200);
    t.clock.advance(1_000);
    expect(await handshake('203.0.113.7')).toBe(200);
  });
});

describe("a session's sockets", () => {
  it('are at most six: the oldest is closed with a reason', async () => {
    const again = await t.signIn(net.admin.username);
    const sockets: ReturnType<typeof liveSocket>[] = [];
    for (let n = 0; n < 7; n++) {
      const socket = liveSocket(again);
      sockets.push(socket);
      await expect.poll(() => socket.connected).toBeTruthy();
    }
    await expect.poll(() => sockets[0]!.closed.length > 0).toBeTruthy();
    expect(sockets[0]!.refused).toEqual(['TOO_MANY_SOCKETS']);
    // Clients do not reconnect after a server-side disconnect.
    expect(sockets[0]!.closed).toEqual(['io server disconnect']);
    expect(sockets.slice(1).every((socket) => socket.connected)).toBe(true);
    const elsewhere = liveSocket(net.admin);
    await expect.poll(() => elsewhere.connected).toBeTruthy();
    expect(sockets[1]!.connected).toBe(true);
    sockets[6]!.disconnect();
    sockets[0]!.connect();
    await expect.poll(() => sockets[0]!.connected).toBeTruthy();
    expect(sockets[1]!.connected).toBe(true);
  });
});

async function deafClient(account: SignedIn, gameId: string): Promise<{ client: NetSocket; serverEnd: NetSocket }> {
  const { hostname, port } = new URL(url);
  const client = connect(Number(port), hostname);
  client.on('error', () => {});
  await once(client, 'connect');
  const { localPort } = client;
  client.write(
    [
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
      `Host: ${hostname}:${port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      '\r\n',
    ].join('\r\n'),
  );
  let received = '';
  client.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  await expect.poll(() => received.includes('pingInterval')).toBeTruthy();
  client.write(frameOf(`40${JSON.stringify({ token: account.token })}`));
  await expect.poll(() => received.includes('40{"sid"')).toBeTruthy();
  client.write(frameOf(`42${JSON.stringify(['gameData', { gameId, adminId: net.admin._id }])}`));
  await expect.poll(() => received.includes('responseData')).toBeTruthy();
  client.pause();
  return { client, serverEnd: serverEnds.find((socket) => socket.remotePort === localPort)! };
}

/** Client text frame (RFC 6455), zero mask. */
function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const length =
    payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), payload]);
}

describe('a socket that does not read', () => {
  it('has at most one frame pending and is finally closed, without affecting others', async () => {
    const again = await t.signIn(net.admin.username);
    const reader = liveSocket(net.admin);
    let changes = 0;
    reader.on('panelChange', () => void changes++);
    await expect.poll(() => reader.connected).toBeTruthy();
    reader.emit('gameData', { gameId: LARGE_GAME, adminId: net.admin._id, changes: true });
    await expect.poll(() => reader.frames.length > 0).toBeTruthy();
    const { client, serverEnd } = await deafClient(again, LARGE_GAME);
    const frameBytes = JSON.stringify(reader.frames[0]).length;
    expect(frameBytes).toBeGreaterThan(50_000);

    let mostWaiting = 0;
    const nextFrame = async (): Promise<void> => {
      const before = changes;
      client.write(frameOf('3'));
      client.write(frameOf(`42${JSON.stringify(['gameData', { gameId: LARGE_GAME, adminId: net.admin._id }])}`));
      await change(LARGE_GAME);
      await expect.poll(() => changes, { interval: 5 }).toBeGreaterThan(before);
      mostWaiting = Math.max(mostWaiting, serverEnd.writableLength);
    };
    // Kernel buffers absorb some frames first.
    while (serverEnd.writableLength === 0) {
      t.clock.advance(400);
      await nextFrame();
    }
    for (let n = 0; n < 20; n++) {
      t.clock.advance(400);
      await nextFrame();
    }
    expect(serverEnd.destroyed).toBe(false);
    expect(mostWaiting).toBeLessThan(frameBytes + 1_000);
    t.clock.advance(3_000);
    await nextFrame();
    await expect.poll(() => serverEnd.destroyed).toBeTruthy();
    expect(reader.connected).toBe(true);
    client.destroy();
  });
});
