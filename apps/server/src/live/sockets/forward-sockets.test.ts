import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { betBody, openBetSocket, sendBet, type BetSocket } from '../../../test/clients/bet-socket.ts';
import { listen, TestApp, type Network } from '../../../test/harness.ts';
import { startRoundRobin } from '../../../test/processes/round-robin.ts';
import { connectTeams } from '../../../test/processes/test-teams.ts';

let folder: string;
let t: TestApp;
let other: TestApp;
let balancer: Awaited<ReturnType<typeof startRoundRobin>>;
let net: Network;
const open: BetSocket[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sockets-'));
  const [one, two] = connectTeams(2, folder).teams;
  t = await TestApp.start({ team: one! });
  other = await t.beside({ team: two! });
  balancer = await startRoundRobin([await listen(t.app), await listen(other.app)]);
});
beforeEach(async () => {
  await t.finishDraw();
  net = await t.network({ credit: 100 });
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
});
afterAll(async () => {
  await balancer.close();
  await other.close();
  await t.expectBooksToBalance();
  await t.close();
  await rm(folder, { recursive: true });
});

async function socketOf(transports: string[]): Promise<BetSocket & { closed: string[]; refused: string[] }> {
  const socket = await openBetSocket(balancer.url, net.user, transports);
  open.push(socket);
  return socket;
}

it.each([[['polling']], [['polling', 'websocket']], [['websocket']]])(
  'bets by %s reach their connection at whichever process they arrive',
  async (transports) => {
    const sockets = [await socketOf(transports), await socketOf(transports), await socketOf(transports)];
    if (transports.includes('websocket'))
      await expect.poll(() => sockets.every(({ io }) => io.engine.transport.name === 'websocket')).toBe(true);
    for (const socket of sockets)
      for (const qty of [1, 2])
        expect(await sendBet(socket, 'bet', betBody(qty))).toMatchObject({
          success: true,
          ticket: { playpoints: qty },
        });
    expect(sockets.flatMap(({ closed }) => closed)).toEqual([]);
  },
);

it('answers requests of a connection that no process has, so that the client connects again', async () => {
  for (const slot of [0, 1, 7]) {
    const response = await fetch(`${balancer.url}/socket.io/?EIO=4&transport=polling&sid=${slot}-none`);
    expect([response.status, await response.json()]).toEqual([400, { code: 1, message: 'Session ID unknown' }]);
  }
});

it('closes the oldest of seven sockets of a session, wherever they are', async () => {
  const sockets: Awaited<ReturnType<typeof socketOf>>[] = [];
  for (let nth = 0; nth < 7; nth++) sockets.push(await socketOf(['websocket']));
  await expect.poll(() => sockets.map(({ closed }) => closed.length)).toEqual([1, 0, 0, 0, 0, 0, 0]);
  expect(sockets.map(({ refused }) => refused)).toEqual([['TOO_MANY_SOCKETS'], [], [], [], [], [], []]);
});
