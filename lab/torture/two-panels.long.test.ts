import { randomUUID } from 'node:crypto';
import { login } from '@drawhouse/contract/auth/auth';
import { loadGame } from '@drawhouse/contract/live/live';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import { TIME_SECONDS } from '@drawhouse/contract/games/times';
import { expect, it, vi } from 'vitest';
import { LiveClient, textOf } from '../../apps/server/test/clients/live-client.ts';
import { changeAsSystem } from '../../apps/server/test/tampering/change-as-system.ts';
import { intervalStatements } from '../../tools/demo/plan.ts';
import { answered, callOn } from './load/stand-client.ts';
import { makeNetworks } from './load/torture-network.ts';
import { ServersStand } from './servers-stand.ts';
import { STAND_PASSWORD } from './stand.ts';

const GAME = 'funtargetbingo';
const PATIENCE = { timeout: 60_000, interval: 100 };
const PANELS_EACH = 6;

it('keeps panels live with all bets when their server is killed and another takes over', async () => {
  const stand = await ServersStand.start(2);
  const clients: LiveClient[] = [];
  try {
    const call = callOn(stand);
    // Keeps betting open however slow the machine.
    await changeAsSystem(await stand.ownerUrl(), intervalStatements(GAME, TIME_SECONDS.max));
    const [network] = await makeNetworks(call, 1, 2);
    const { admin, players } = network!;
    const { token } = await call(login, { body: { username: admin.username, password: STAND_PASSWORD } });
    const [killed, left] = stand.urls() as [string, string];
    const open = (url: string): LiveClient => {
      const client = new LiveClient(url, token).open(admin.id, GAME);
      clients.push(client);
      client.socket.on('disconnect', (reason) => {
        if (url === killed && reason !== 'io client disconnect') open(left);
      });
      return client;
    };
    const bet = (): Promise<unknown> => {
      const body = { gameId: GAME, requestId: randomUUID(), lines: [{ drawno: '7', qty: 1 }] };
      return answered(() => players[0]!.call(placeBet, { body }));
    };
    const panelNow = () => admin.call(loadGame, { query: { gameId: GAME, adminId: admin.id } });
    const isConverged = async (): Promise<boolean> => {
      const right = textOf(await panelNow());
      const up = clients.filter(({ socket }) => socket.connected);
      return up.length === PANELS_EACH && up.every(({ panel }) => textOf(panel) === right);
    };
    const converged = (): Promise<boolean> => vi.waitUntil(isConverged, PATIENCE);
    for (let at = 0; at < PANELS_EACH; at++) open(at % 2 === 0 ? killed : left);
    await converged();
    // The first draw opens within a second.
    await vi.waitUntil(async () => (await panelNow()).draw !== null, PATIENCE);
    for (let at = 0; at < 10; at++) await bet();
    await converged();
    const betting = Array.from({ length: 10 }, bet);
    await stand.kill([0], false);
    await Promise.all(betting);
    await converged();
    await bet();
    await converged();
    expect(clients).toHaveLength(PANELS_EACH + PANELS_EACH / 2);
  } finally {
    for (const { socket } of clients) socket.disconnect();
    await stand.stop();
  }
});
