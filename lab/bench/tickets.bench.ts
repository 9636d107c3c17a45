import { withBenchDatabase } from './fixtures/bench-database.ts';
import { benchEngine } from './tickets/engine.ts';
import { benchGrowth } from './tickets/growth.ts';
import { benchHttp } from './tickets/http.ts';
import { benchSettlement } from './tickets/settlement.ts';
import { FULL } from './tickets/ticket-scale.ts';
import type { Scale } from './tickets/ticket-scale.ts';
import { benchBetsWithUnsettledDraw } from './tickets/bets-during-settlement.ts';
import { summary } from '../simulate/simulate-report.ts';
import { createSocketWire } from '../simulate/socket-wire.ts';
import { readOptions, runParts } from './measure/bench-options.ts';
import type { BenchPart } from './measure/bench-options.ts';
import { judge } from './measure/contest.ts';
import { GAME, makeField, openSessions } from './tickets/ticket-field.ts';
import { load } from './tickets/ticket-load.ts';
import { startServed } from './fixtures/bench-server.ts';

const SOCKETS = 1_000;
/** Per second, random; slightly above `TAKEN` to absorb chance. */
const DUE = 10_300;
const TAKEN = 10_000;

/** Measures in an open loop over sockets; the generator shares the CPU. */
async function benchSockets({ socketSeconds, players }: Scale): Promise<void> {
  await withBenchDatabase(4, async (db, url) => {
    const network = await makeField(db, players);
    const entrants = await openSessions(db, network.players.slice(0, SOCKETS));
    const server = await startServed(url);
    try {
      await load(server.url, createSocketWire(server.url), entrants, { rate: DUE / 2, seconds: 5, games: [GAME] });
      const run = { rate: DUE, seconds: socketSeconds, games: [GAME] };
      const { tally, processor } = await load(server.url, createSocketWire(server.url), entrants, run);
      console.log(`${entrants.length} players with a socket each, ${DUE} bets due per second for ${socketSeconds} s\n`);
      console.log(`\`\`\`text\n${summary(tally, socketSeconds)}\n\`\`\``);
      console.log(`\nThe generator took ${processor.toFixed(2)} of a processor.`);
      judge([
        { label: 'bets taken per second over sockets', value: tally.accepted / socketSeconds, atLeast: TAKEN },
        { label: 'bets refused', value: tally.refusals, atMost: 0 },
      ]);
    } finally {
      await server.stop();
    }
  });
}

const PARTS: Record<string, BenchPart<Scale>> = {
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
  const { scale, part } = readOptions(args, FULL);
  await runParts(PARTS, part, (run) => run(scale));
}
