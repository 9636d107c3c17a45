import { withBenchDatabase } from './fixtures/bench-database.ts';
import { readOptions, runParts, type BenchPart } from './measure/bench-options.ts';
import type { Database, Tx } from '../../apps/server/src/platform/db/database.ts';
import { createDrawMachine } from '../../apps/server/src/settlement/draw-machine.ts';
import { createSeedVault } from '../../apps/server/src/draws/seed/seeds.ts';
import { benchMonth, FULL, type ReportsScale } from './reports/month.ts';
import { makeNetwork, type BenchNetwork } from './fixtures/bench-network.ts';
import { byTurns, cells, judge, shown } from './measure/contest.ts';
import { storeTickets } from './fixtures/filled-network.ts';
import { engineRate, GAME } from './tickets/ticket-field.ts';

const CREDIT = 1_000_000_000n;
const TICKETS = 20_000;
const BET_SECONDS = 3;
const DRAW_MS = { open: 56_000, rest: 4_000 };
const LIMIT = 1.2;

/** Rollups don't slow betting, so its rate is measured once per round. */
async function benchRollupCost({ players, rounds }: ReportsScale): Promise<void> {
  await withBenchDatabase(10, async (db) => {
    const network = await makeNetwork(db, { games: [GAME], players: Math.min(players, TICKETS), credit: CREDIT });
    await db.query('vacuum analyze');
    const bare = withoutRollups(network);
    await settle(network);
    await network.machine.tick();
    const rates: number[] = [];
    const durations = await byTurns(rounds, {
      async bets() {
        await network.machine.tick();
        const rate = await engineRate(network.services, network.players, BET_SECONDS);
        rates.push(rate);
        network.advance(DRAW_MS.open + DRAW_MS.rest);
        await network.machine.tick();
        return TICKETS / rate;
      },
      with: () => settle(network),
      without: () => settle(bare),
    });
    console.log(
      `${rounds} alternating rounds, ${shown(TICKETS)} tickets of ${shown(network.players.length)} players per draw\n`,
    );
    console.log('| seconds | median | least to most |\n|---|--:|--:|');
    console.log(`| taking the bets | ${cells(durations.bets)} |`);
    console.log(`| settling them with rollups | ${cells(durations.with)} |`);
    console.log(`| settling them without | ${cells(durations.without)} |`);
    const [full, less] = [
      durations.bets.median + durations.with.median,
      durations.bets.median + durations.without.median,
    ];
    judge([{ label: 'bets and settlement: with rollups ÷ without', value: full / less, atMost: LIMIT }]);
  });
}

async function settle(network: BenchNetwork): Promise<number> {
  await network.machine.tick();
  await storeTickets(network, { game: GAME, tickets: TICKETS, lines: 1 });
  let seconds = 0;
  for (const ms of [DRAW_MS.open, DRAW_MS.rest]) {
    network.advance(ms);
    const from = performance.now();
    await network.machine.tick();
    seconds += (performance.now() - from) / 1000;
  }
  return seconds;
}

function withoutRollups(network: BenchNetwork): BenchNetwork {
  const { db } = network.services;
  const less: Database = {
    ...db,
    transaction: (act, patience) =>
      db.transaction((tx) => {
        const query: Tx['query'] = (text, values, name) =>
          /^\s*insert into rollups/.test(String(text)) ? Promise.resolve([]) : tx.query(text, values, name);
        return act({ ...tx, query });
      }, patience),
  };
  const services = { ...network.services, db: less };
  return {
    ...network,
    services,
    machine: createDrawMachine(services, createSeedVault('5a'.repeat(32))),
  };
}

const PARTS: Record<string, BenchPart<ReportsScale>> = {
  month: {
    label: 'a month of tickets: turnover compared with tickets, pages, an export',
    run: benchMonth,
  },
  cost: { label: 'cost of rollups for bets and settlement', run: benchRollupCost },
};

/**
 * `npm run lab -- bench reports [part] -- [--tickets N] [--players N] [--days N] [--rounds N] [--exported N]`: measures
 * reports on a month of tickets.
 */
export async function benchReports(args: readonly string[]): Promise<void> {
  const { scale, part } = readOptions(args, FULL);
  await runParts(PARTS, part, (run) => run(scale));
}
