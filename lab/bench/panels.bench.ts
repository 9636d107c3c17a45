import { withBenchDatabase } from './fixtures/bench-database.ts';
import { readOptions, runParts } from './measure/bench-options.ts';
import type { BenchPart } from './measure/bench-options.ts';
import { benchBytes } from './panels/bytes.ts';
import { benchDelay } from './panels/delay.ts';
import { benchFanOut } from './panels/fan-out.ts';
import { benchFps } from './panels/fps.ts';
import { makePanelField } from './panels/panel-field.ts';
import type { PanelField } from './panels/panel-field.ts';
import { benchPlayers } from './panels/player-room.ts';
import { benchReconnect } from './panels/reconnect.ts';

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
