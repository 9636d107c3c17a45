import { parseArgs } from 'node:util';
import { machine, withBenchDatabase } from './fixtures/bench-database.ts';
import { benchBytes } from './panels/bytes.ts';
import { benchDelay } from './panels/delay.ts';
import { benchFanOut } from './panels/fan-out.ts';
import { benchFps } from './panels/fps.ts';
import { makePanelField } from './panels/panel-field.ts';
import type { PanelField } from './panels/panel-field.ts';
import { benchPlayers } from './panels/player-room.ts';
import { benchReconnect } from './panels/reconnect.ts';

const PARTS: Record<string, { readonly label: string; readonly run: (field: PanelField) => Promise<void> }> = {
  bytes: { label: 'bytes per second of a panel under bets', run: benchBytes },
  'fan-out': { label: 'one room of many sockets, compared with bare Socket.IO', run: benchFanOut },
  delay: { label: 'delay from the commit of a bet to the panel', run: benchDelay },
  fps: { label: 'frames per second of the largest panels, on a slow processor', run: benchFps },
  players: { label: 'one room of 10,000 players, compared with bare Socket.IO', run: benchPlayers },
  reconnect: { label: 'time until sockets are current after a lost connection', run: benchReconnect },
};

export async function benchPanels(args: readonly string[]): Promise<void> {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true });
  const [name] = positionals;
  const parts = name === undefined ? Object.values(PARTS) : [PARTS[name]];
  if (parts[0] === undefined) {
    const list = Object.entries(PARTS).map(([part, { label }]) => `  ${part.padEnd(12)}${label}`);
    throw new Error(`Usage: npm run lab -- bench panels [part]\n${list.join('\n')}`);
  }
  console.log(machine());
  await withBenchDatabase(4, async (db, url) => {
    const field = await makePanelField(db, url);
    for (const part of parts) {
      console.log(`\n## ${part!.label}\n`);
      await part!.run(field);
    }
  });
}
