import { withBenchDatabase } from './fixtures/bench-database.ts';
import { readOptions, runParts, type BenchPart } from './measure/bench-options.ts';
import { once, EventEmitter } from 'node:events';
import { benchDelay } from './panels/delay.ts';
import { benchFanOut } from './panels/fan-out.ts';
import { benchFps } from './panels/fps.ts';
import {
  makePanelField,
  BETS_A_SECOND,
  CHANGES_A_SECOND,
  GAMES,
  BETS_A_CHANGE,
  betsOf,
  openWatchers,
  type PanelField,
} from './panels/panel-field.ts';
import { benchPlayers } from './panels/player-room.ts';
import { benchReconnect } from './panels/reconnect.ts';
import { judge, shown } from './measure/contest.ts';
import { startServed } from './fixtures/bench-server.ts';

/** Seconds of warm-up bets: a whole panel is then as large as mid-draw. */
const BEFORE = 4;
const COUNTED = 40;

/** Compares at 2,000 bets/s, independent of machine speed. */
async function benchBytes(field: PanelField): Promise<void> {
  const { url, adminId, adminTokens } = field;
  const server = await startServed(url);
  const shares: Parameters<typeof judge>[0][number][] = [];
  console.log(
    `${BETS_A_SECOND} bets/s, ${BETS_A_CHANGE} of them between two messages; bytes per second of one socket\n`,
  );
  console.log('| panel | a whole panel | whole panels at 8/s | at 2/s | a change | changes at 8/s | share |');
  console.log('|---|--:|--:|--:|--:|--:|--:|');
  try {
    for (const [name, gameId] of Object.entries(GAMES)) {
      const lay = betsOf(field, gameId);
      for (let before = 0; before < BEFORE * CHANGES_A_SECOND; before++) await lay();
      const [one, other] = (await adminTokens(2)) as [string, string];
      const received = new EventEmitter();
      const changing = await openWatchers(server.url, [one], { gameId, adminId, changes: true }, () =>
        received.emit('change'),
      );
      changing.take();
      for (let count = 0; count < COUNTED; count++) await Promise.all([once(received, 'change'), lay()]);
      const changes = changing.take();
      const whole = await openWatchers(server.url, [other], { gameId, adminId });
      const { bytes: size } = whole.take();
      for (const watchers of [whole, changing]) watchers.close();
      const change = changes.bytes / changes.messages;
      const share = (100 * change) / size;
      const cells = [size, size * CHANGES_A_SECOND, size * 2, change, change * CHANGES_A_SECOND].map(shown);
      console.log(`| ${name} | ${cells.join(' | ')} | ${shown(share)} % |`);
      shares.push({ label: `${name}: changes ÷ whole panels`, value: share, atMost: 10, unit: ' %' });
    }
  } finally {
    await server.stop();
  }
  judge(shares);
}

const PARTS: Record<string, BenchPart<PanelField>> = {
  bytes: { label: 'bytes per second of a panel under bets', run: benchBytes },
  'fan-out': { label: 'one room of many sockets, compared with bare Socket.IO', run: benchFanOut },
  delay: { label: 'delay from the commit of a bet to the panel', run: benchDelay },
  fps: { label: 'frames per second of the largest panels, on a slow processor', run: benchFps },
  players: { label: 'one room of 10,000 players, compared with bare Socket.IO', run: benchPlayers },
  reconnect: { label: 'time until sockets are current after a lost connection', run: benchReconnect },
};

export async function benchPanels(args: readonly string[]): Promise<void> {
  const { part } = readOptions(args, {});
  await runParts(PARTS, part, (run) => withBenchDatabase(4, async (db, url) => run(await makePanelField(db, url))));
}
