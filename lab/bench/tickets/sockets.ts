import { summary } from '../../simulate/simulate-report.ts';
import { createSocketWire } from '../../simulate/socket-wire.ts';
import { withBenchDatabase } from '../fixtures/bench-database.ts';
import { judge } from '../measure/contest.ts';
import { GAME, makeField, openSessions } from './ticket-field.ts';
import { load } from './ticket-load.ts';
import type { Scale } from './ticket-scale.ts';
import { startServed } from '../fixtures/bench-server.ts';

const SOCKETS = 1_000;
/** Random arrivals per second; slightly above `TAKEN` to absorb chance. */
const DUE = 10_300;
const TAKEN = 10_000;

/** Measures open-loop bets over sockets; the generator shares the CPU. */
export async function benchSockets({ socketSeconds, players }: Scale): Promise<void> {
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
