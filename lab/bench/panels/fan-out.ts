import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PanelChange } from '@drawhouse/contract/live/live';
import { pause } from '../../../tools/demo/client.ts';
import { byTurns, cells, judge, shown } from '../measure/contest.ts';
import { cpuOf } from '../measure/process-usage.ts';
import { startServed } from '../fixtures/bench-server.ts';
import { CHANGES_A_SECOND, GAMES, betsOf, openWatchers, read, type PanelField } from './panel-field.ts';

const SOCKETS = 2_000;
const ROUNDS = 4;
const SECONDS = 5;
const BARE_SERVER = fileURLToPath(new URL('../../../apps/server/test/clients/bare-socket-io.ts', import.meta.url));

/**
 * Compares CPU per message with bare Socket.IO for one room of many sockets. Includes reading the panel, excludes
 * taking bets.
 */
export async function benchFanOut(field: PanelField): Promise<void> {
  const gameId = GAMES['3D'];
  const { adminId, adminTokens, url } = field;
  const server = await startServed(url);
  const bare = fork(BARE_SERVER, { stdio: 'inherit' });
  try {
    const [{ port }] = (await once(bare, 'message')) as [{ port: number }];
    const bareUrl = `http://127.0.0.1:${port}`;
    const pair = { gameId, adminId, changes: true };
    const bodies: PanelChange[] = [];
    let isStored = false;
    const tokens = await adminTokens(SOCKETS);
    const own = await openWatchers(server.url, tokens, pair, (socket, text) => {
      if (socket > 0 || !isStored) return;
      const sent = read(text);
      if (sent.event === 'panelChange') bodies.push(sent.change);
    });
    const others = await openWatchers(bareUrl, tokens, pair);
    const stakes = keepLaying(betsOf(field, gameId));

    const used = async (pid: number, watchers: typeof own): Promise<number> => {
      await pause(500);
      watchers.take();
      const from = performance.now();
      const before = await cpuOf(pid);
      await pause(SECONDS * 1000);
      const after = await cpuOf(pid);
      const seconds = (performance.now() - from) / 1000;
      const { messages, bytes } = watchers.take();
      const rate = messages / seconds / SOCKETS;
      console.log(
        `${pid === server.pid ? 'ours' : 'bare'}: ${shown(rate)} messages per second to each, ${shown(bytes / messages)} bytes each`,
      );
      // Divides by messages: a slow machine sends fewer.
      return (after - before) / (messages / SOCKETS);
    };
    // For the bare server to replay. Also warms up the code.
    stakes.start();
    isStored = true;
    await pause(3_000);
    isStored = false;
    await stakes.stop();
    const result = await byTurns(ROUNDS, {
      ours: async () => {
        stakes.start();
        const cpu = await used(server.pid, own);
        await stakes.stop();
        return cpu;
      },
      bare: async () => {
        bare.send({ bodies, aSecond: CHANGES_A_SECOND });
        const cpu = await used(bare.pid!, others);
        bare.send({ bodies: [], aSecond: CHANGES_A_SECOND });
        return cpu;
      },
    });
    console.log(
      `\n${SOCKETS} sockets in one room, ${ROUNDS} alternating rounds; ms of processor for one message to all\n`,
    );
    console.log('| server | median | rounds |\n|---|--:|--:|');
    for (const [name, { median, least, most }] of Object.entries(result))
      console.log(`| ${name} | ${cells({ median: median * 1000, least: least * 1000, most: most * 1000 })} |`);
    for (const watchers of [own, others]) watchers.close();
    judge([{ label: 'fan-out ÷ bare Socket.IO', value: result.ours.median / result.bare.median, atMost: 1.35 }]);
  } finally {
    bare.disconnect();
    await server.stop();
  }
}

function keepLaying(lay: () => Promise<void>) {
  let running = false;
  let ended: Promise<void> = Promise.resolve();
  const keepOn = async (): Promise<void> => {
    while (running) await Promise.all([lay(), pause(1000 / CHANGES_A_SECOND)]);
  };
  return {
    start() {
      running = true;
      ended = keepOn();
    },
    stop() {
      running = false;
      return ended;
    },
  };
}
