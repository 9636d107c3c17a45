import { parseArgs } from 'node:util';
import { machine } from './fixtures/bench-database.ts';
import { benchEngine } from './tickets/engine.ts';
import { benchGrowth } from './tickets/growth.ts';
import { benchHttp } from './tickets/http.ts';
import { benchSettlement } from './tickets/settlement.ts';
import { dashed, FULL, scaleOf } from './tickets/ticket-scale.ts';
import type { Scale } from './tickets/ticket-scale.ts';
import { benchSockets } from './tickets/sockets.ts';
import { benchBetsWithUnsettledDraw } from './tickets/bets-during-settlement.ts';

const PARTS: Record<string, { readonly label: string; readonly run: (scale: Scale) => Promise<void> }> = {
  engine: {
    label: 'bets in the server, compared with one transaction per bet and TPC-B; bytes per bet',
    run: benchEngine,
  },
  http: { label: 'bets over HTTP, in batches and one by one, compared with empty calls', run: benchHttp },
  sockets: { label: '10,000 bets per second over sockets', run: benchSockets },
  settlement: {
    label: 'settlement, compared with one transaction per winner, and bets meanwhile',
    run: benchSettlement,
  },
  unsettled: {
    label: 'bets while an earlier draw of the game waits, or is half paid',
    run: benchBetsWithUnsettledDraw,
  },
  growth: { label: 'the rate with more players and more stored tickets', run: benchGrowth },
};
/**
 * `npm run lab -- bench tickets [part] -- [--seconds S] [--rounds R] …`: compares bets and settlements with rivals, in
 * turns on one PostgreSQL per part.
 */
export async function benchTickets(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: Object.fromEntries(Object.keys(FULL).map((name) => [dashed(name), { type: 'string' as const }])),
  });
  const [name] = positionals;
  const parts = name === undefined ? Object.values(PARTS) : [PARTS[name]];
  if (parts[0] === undefined) {
    const list = Object.entries(PARTS).map(([part, { label }]) => `  ${part.padEnd(12)}${label}`);
    throw new Error(`Usage: npm run lab -- bench tickets [part] -- [--seconds 5] [--rounds 5] …\n${list.join('\n')}`);
  }
  const scale = scaleOf(values);
  console.log(machine());
  for (const part of parts) {
    console.log(`\n## ${part!.label}\n`);
    await part!.run(scale);
  }
}
