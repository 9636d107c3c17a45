import { addResult, generateResult } from '@drawhouse/contract/draws/draws';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emptyUrlOf, ROUTES } from '../../test/routes/contract-routes.ts';
import { listen, TestApp, type Network, type SignedIn } from '../../test/harness.ts';

const GAME = 'lottery3d';
const OUTSIDERS = ['superdistributor', 'retailer', 'user', 'stranger'] as const;

let t: TestApp;
let url: string;
let net: Network;
let outsiders: Record<(typeof OUTSIDERS)[number], SignedIn>;
const open: Socket[] = [];

beforeAll(async () => {
  t = await TestApp.start();
  url = await listen(t.app);
});
beforeEach(async () => {
  net = await t.network({ credit: 1000, games: [GAME] });
  const { superdistributor, retailer, user } = net;
  outsiders = { superdistributor, retailer, user, stranger: (await t.network({ credit: 0, games: [GAME] })).admin };
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

const runningDraw = async (): Promise<string> => {
  const [draw] = await t.db.query<{ id: string }>(
    `select id from draws where network_id = $1 and status in ('open', 'closed')`,
    [net.networkId],
  );
  return draw!.id;
};

/** Without panel access. */
async function allReadings(drawId: string): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const readings = ROUTES.filter(({ method, changesState }) => method === 'GET' && !changesState);
  for (const name of OUTSIDERS) {
    const by = outsiders[name];
    const { _id } = by;
    const days = { startDate: '2026-03-01T00:00:00.000Z', endDate: '2026-03-31T23:59:59.999Z', tdate: '2026-03-10' };
    const query = new URLSearchParams({
      id: _id,
      gameId: GAME,
      admin: net.admin._id,
      adminId: net.admin._id,
      drawId,
      ...days,
    });
    for (const route of readings) {
      if (route.path.startsWith('health')) continue;
      const path = emptyUrlOf({ ...route, path: route.path.replace(':drawId', drawId).replace(':id', _id) });
      const { status, body } = await t.send('GET', `${path}?${query.toString()}`, by);
      const { requestId: _, ...answer } = body as { requestId?: string };
      answers[`${name} ${path}`] = { status, body: status === 200 ? body : answer };
    }
  }
  return answers;
}

function listeningSocket({ token }: SignedIn): Socket & { received: unknown[] } {
  const socket = io(url, { auth: { token }, transports: ['websocket'], reconnection: false, forceNew: true });
  const received: unknown[] = [];
  socket.onAny((...event) => void received.push(event));
  open.push(socket);
  return Object.assign(socket, { received });
}

const save = (result: string, boosterValue: number) =>
  t.ok(addResult, { body: { gameId: GAME, adminId: net.admin._id, result, boosterValue } }, net.admin);

describe('a viewer without access to a panel', () => {
  it('sees nothing that depends on the saved result', async () => {
    const sockets = OUTSIDERS.map((name) => listeningSocket(outsiders[name]));
    await expect.poll(() => sockets.every(({ connected }) => connected)).toBeTruthy();
    const drawId = await runningDraw();
    await save('123', 1);
    const before = await allReadings(drawId);
    await save('789', 2);
    expect(await allReadings(drawId)).toEqual(before);
    const statuses = Object.values(before).map((answer) => (answer as { status: number }).status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(40);
    for (const { received } of sockets) expect(received).toEqual([]);
  });

  it("sees nothing that depends on other players' stakes", async () => {
    const elsewhere: SignedIn[] = [net.admin];
    await t.give(net.superadmin, net.superadmin, 400);
    for (let level = 0; level < 4; level++) {
      const next = await t.create(elsewhere.at(-1)!);
      await t.give(net.superadmin, next, 100);
      elsewhere.push(next);
    }
    const sockets = OUTSIDERS.map((name) => listeningSocket(outsiders[name]));
    await expect.poll(() => sockets.every(({ connected }) => connected)).toBeTruthy();
    const drawId = await runningDraw();
    const before = await allReadings(drawId);
    const lines = [{ drawno: '789', head: 'straight', qty: 5 }];
    const body = { gameId: GAME, requestId: crypto.randomUUID(), lines };
    await t.ok(placeBet, { body }, elsewhere.at(-1));
    expect(await allReadings(drawId)).toEqual(before);
    for (const { received } of sockets) expect(received).toEqual([]);
  });

  it('can check a draw whose seed and result are hidden until settlement', async () => {
    const drawId = await runningDraw();
    await save('123', 2);
    const read = async () => (await t.send('GET', `/api/fair/draw/${drawId}`)).body;
    expect(await read()).toMatchObject({
      status: 'closed',
      seed: null,
      result: null,
      resultLabel: null,
      booster: null,
    });
    expect(await read()).toMatchObject({ source: null });
    await t.ok(generateResult, { body: { gameId: GAME, adminId: net.admin._id } }, net.admin);
    expect(await read()).toMatchObject({ status: 'settled', seed: expect.any(String), source: 'generated' });
  });
});
