import type { Socket as NetSocket } from 'node:net';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { listen, TestApp, type Network } from '../../../test/harness.ts';
import { statementOf } from '../../../test/statements/statement-of.ts';
import { LiveClient } from '../../../test/clients/live-client.ts';

const GAME = 'funtargetbingo';
const OTHER_GAME = 'fruit12';

let t: TestApp;
let url: string;
let net: Network;
let other: Network;
let watched: LiveClient;
const serverEnds: NetSocket[] = [];
const open: LiveClient[] = [];
const errors: string[] = [];

beforeAll(async () => {
  t = await TestApp.start({
    logger: pino({ level: 'error' }, { write: (line: string) => void errors.push(line) }),
  });
  url = await listen(t.app);
  t.app.http.server.on('connection', (socket) => void serverEnds.push(socket));
  net = await t.network({ credit: 1000, games: [GAME, OTHER_GAME] });
  other = await t.network({ credit: 1000, games: [GAME] });
});
async function untilShown(one: LiveClient): Promise<void> {
  await expect.poll(() => one.panel).toBeTruthy();
}

beforeEach(async () => {
  t.clock.advance(1_000);
  watched = client(other);
  await untilShown(watched);
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const { socket } of open.splice(0)) socket.disconnect();
});
afterAll(() => t.close());

function client({ admin }: Network, gameId: string = GAME): LiveClient {
  const made = new LiveClient(url, admin.token).open(admin._id, gameId);
  open.push(made);
  return made;
}

async function readsAfterChanges(): Promise<number> {
  const query = vi.spyOn(t.served, 'query');
  for (let round = 0; round < 8; round++) {
    const { changes } = watched.got;
    await t.bet(other.user, { 3: 1 });
    for (const { networkId } of [net, other])
      t.app.services.events.emit('panelChanged', { networkId, gameKey: GAME }, 'any');
    await expect.poll(() => watched.got.changes > changes).toBeTruthy();
  }
  return query.mock.calls.filter(
    (call) => statementOf(...call).name === 'panel-today' && statementOf(...call).values.includes(net.networkId),
  ).length;
}

it('an empty room is not read', async () => {
  const one = client(net);
  await expect.poll(() => one.panel).toBeTruthy();
  expect(await readsAfterChanges()).toBeGreaterThan(0);
  const serverEnd = serverEnds.at(-1)!;
  one.socket.disconnect();
  await expect.poll(() => serverEnd.destroyed).toBeTruthy();
  vi.restoreAllMocks();
  expect(await readsAfterChanges()).toBe(0);
});

it('leaving during the lookup enters no room', async () => {
  const query = t.served.query.bind(t.served);
  let wentAway = false;
  vi.spyOn(t.served, 'query').mockImplementation(async (...statement) => {
    const { name, values } = statementOf(...statement);
    const rows = await query<never>(...statement);
    if (name === 'pair-operated' && values.includes(net.admin._id)) {
      const serverEnd = serverEnds.at(-1)!;
      one.socket.disconnect();
      await expect.poll(() => serverEnd.destroyed).toBeTruthy();
      wentAway = true;
    }
    return rows;
  });
  const one = client(net);
  await expect.poll(() => wentAway).toBeTruthy();
  vi.restoreAllMocks();
  expect(await readsAfterChanges()).toBe(0);
});

it('switching rooms during a read yields no panel of the first', async () => {
  const query = t.served.query.bind(t.served);
  let goOn = (): void => {};
  const [game] = await t.db.query<{ id: string }>('select id from games where game_key = $1', [GAME]);
  const spy = vi.spyOn(t.served, 'query').mockImplementation(async (...statement) => {
    const { name, values } = statementOf(...statement);
    const rows = await query<never>(...statement);
    if (name === 'panel-today' && values.includes(net.networkId) && values.includes(game!.id))
      await new Promise<void>((resolve) => (goOn = resolve));
    return rows;
  });
  const one = client(net);
  const shown: string[] = [];
  one.socket.on('responseData', ({ gameId }) => void shown.push(gameId));
  one.socket.on('panelChange', ({ gameId }) => void shown.push(gameId));
  const reads = spy.mock.calls;
  await expect
    .poll(() =>
      reads.some(
        (call) => statementOf(...call).name === 'panel-today' && statementOf(...call).values.includes(game!.id),
      ),
    )
    .toBeTruthy();
  one.open(net.admin._id, OTHER_GAME);
  await expect.poll(() => shown.length > 0).toBeTruthy();
  goOn();
  vi.restoreAllMocks();
  await t.bet(net.user, { 1: 1 }, { gameId: OTHER_GAME });
  await expect.poll(() => one.panel!.totalsumdata > 0).toBeTruthy();
  expect(new Set(shown)).toEqual(new Set([OTHER_GAME]));
});

it('a changing panel sends changes eight times a second, whole panels twice', async () => {
  const one = client(net);
  const wholes = new LiveClient(url, net.admin.token, { changes: false }).open(net.admin._id, GAME);
  open.push(wholes);
  await expect.poll(() => one.panel && wholes.panel).toBeTruthy();
  const before = { changes: one.got.changes, wholes: wholes.got.wholes };
  const fromMs = performance.now();
  const received = () => ({ changes: one.got.changes - before.changes, wholes: wholes.got.wholes - before.wholes });
  while (received().changes < 16 || received().wholes < 4) await t.bet(net.user, { 5: 1 });
  // Allows one frame due at the start and one in flight. Slow machines send fewer, never more.
  const seconds = (performance.now() - fromMs) / 1000;
  expect(received().changes).toBeLessThanOrEqual(8 * seconds + 2);
  expect(received().wholes).toBeLessThanOrEqual(2 * seconds + 2);
});

/** Packets the client library never sends. */
const PACKETS = [
  '0null',
  '0[]',
  '0{"token":{"__proto__":1}}',
  '0/other,{}',
  '2',
  '2[]',
  '2{}',
  '2["gameData"',
  '2["gameData"]',
  '20["gameData",{}]',
  '2["gameData",[[[[]]]]]',
  '2["gameData",{"gameId":"__proto__","adminId":"__proto__"}]',
  '2["gameData",{"__proto__":{"gameId":"funtargetbingo"}}]',
  '2["gameData",{"gameId":{"toString":1},"adminId":{"toString":1}}]',
  '2["gameData",{"gameId":"\\ud800","adminId":"0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d","changes":1}]',
  '2["error",{"code":1}]',
  '2["disconnect"]',
  '2["disconnecting"]',
  '2["newListener","x"]',
  '2["__proto__",{}]',
  '2["constructor",{}]',
  '2["responseData",{}]',
  '2[1,2]',
  '2[{}]',
  '20["bet"]',
  '20["bet",null]',
  '20["bet",{"lines":{"length":1000000000}}]',
  '2["bet",{"__proto__":{"gameId":1}}]',
  '31[]',
  '3',
  '4{"message":"x"}',
  '51-["gameData",{"_placeholder":true,"num":0}]',
  '51-["gameData",{"_placeholder":true,"num":7}]',
  '5999999999-["gameData"]',
  '7',
  '',
  '5',
  '6',
  'x',
];

it.each(PACKETS)('a packet of %s neither crashes the server nor leaks anything', async (packet) => {
  const { _id: adminId, token } = net.admin;
  for (const by of [token, net.user.token]) {
    const one = new LiveClient(url, by);
    open.push(one);
    const serverEnd = (): NetSocket => serverEnds.at(-1)!;
    await expect.poll(() => one.socket.connected).toBeTruthy();
    const end = serverEnd();
    one.socket.io.engine.write(packet);
    one.socket.emit('gameData', { gameId: GAME, adminId: 'nobody' });
    await expect.poll(() => end.destroyed || one.refusals.length > 0).toBeTruthy();
    expect(one.got).toEqual({ wholes: 0, changes: 0, gaps: 0 });
    one.socket.disconnect();
  }
  const after = client(net);
  await expect.poll(() => after.panel?.adminId === adminId).toBeTruthy();
});

it('has caused no logged server error', () => {
  expect(errors).toEqual([]);
});
