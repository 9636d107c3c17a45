import { withBenchDatabase } from './fixtures/bench-database.ts';
import { benchEngine } from './tickets/engine.ts';
import { benchGrowth } from './tickets/growth.ts';
import { benchSettlement } from './tickets/settlement.ts';
import { FULL, GAME, makeField, openSessions, openKey, type Scale } from './tickets/ticket-field.ts';
import { benchBetsWithUnsettledDraw } from './tickets/bets-during-settlement.ts';
import { summary } from '../simulate/simulate-report.ts';
import { createSocketWire } from '../simulate/socket-wire.ts';
import { readOptions, runParts, type BenchPart } from './measure/bench-options.ts';
import { judge, byTurns, cells } from './measure/contest.ts';
import { load, bulkRate, emptyCalls, hurried, rateOf, type BulkCaller } from './tickets/ticket-load.ts';
import { startServed } from './fixtures/bench-server.ts';

const CONNECTIONS = { crowd: 500, empty: 256, bulk: 16 };
/** Tickets per bulk call, and players per program. */
const BULK = 100;
const KEY_PLAYERS = 1_000;
/** Ratios of medians within one run. `bulk`: tickets per second. */
const LIMITS = { toUnbatched: 5, loneToUnbatched: 1.3, toEmpty: 0.33, bulk: 25_000 };

const LABELS = {
  batched: `bets per second, ${CONNECTIONS.crowd} connections`,
  unbatched: `the same, batches of one`,
  empty: `empty calls per second, ${CONNECTIONS.empty} connections`,
  beside: `bets per second, ${CONNECTIONS.empty} connections`,
  bulk: `tickets per second, ${BULK} of a player in a call, ${CONNECTIONS.bulk} connections`,
  bulkByKey: `the same by an API key, each of a player by chance`,
  lone: 'a lone bet, p50 in ms',
  loneUnbatched: 'the same, batches of one',
} as const;

/** Compares two servers on one database, with and without batching, and an empty call. */
async function benchHttp({ seconds, rounds, players }: Scale): Promise<void> {
  await withBenchDatabase(4, async (db, url) => {
    const network = await makeField(db, players);
    const entrants = await openSessions(db, network.players.slice(0, CONNECTIONS.crowd));
    const key = await openKey(db, network, network.players.slice(0, KEY_PLAYERS));
    const batched = await startServed(url);
    const unbatched = await startServed(url, { BET_BATCH_MAX: '1' });
    const bulk = (callers: readonly BulkCaller[]) => () =>
      bulkRate(batched.url, callers, { connections: CONNECTIONS.bulk, seconds, size: BULK, game: GAME });
    const rate = (at: string, connections: number) => async () =>
      rateOf(await hurried(at, entrants, connections, seconds, [GAME]));
    const lone = (at: string) => async () =>
      (await hurried(at, entrants, 1, seconds, [GAME])).tally.latencies.percentile(0.5);
    try {
      const found = await byTurns(rounds, {
        batched: rate(batched.url, CONNECTIONS.crowd),
        beside: rate(batched.url, CONNECTIONS.empty),
        bulk: bulk(entrants),
        bulkByKey: bulk([key]),
        lone: lone(batched.url),
        // Each empty call leaves a two-second timer that would burden the next contestant.
        empty: () => emptyCalls(batched.url, CONNECTIONS.empty, seconds),
        unbatched: rate(unbatched.url, CONNECTIONS.crowd),
        loneUnbatched: lone(unbatched.url),
      });
      console.log(`${rounds} alternating rounds of ${seconds} s, the generator on the same machine\n`);
      console.log('| over HTTP | median | least to most |\n|---|--:|--:|');
      for (const [name, label] of Object.entries(LABELS) as [keyof typeof LABELS, string][])
        console.log(`| ${label} | ${cells(found[name])} |`);
      const ratio = (a: keyof typeof LABELS, b: keyof typeof LABELS): number => found[a].median / found[b].median;
      judge([
        {
          label: 'bets in batches ÷ in batches of one',
          value: ratio('batched', 'unbatched'),
          atLeast: LIMITS.toUnbatched,
        },
        {
          label: 'a lone bet ÷ in batches of one, p50',
          value: ratio('lone', 'loneUnbatched'),
          atMost: LIMITS.loneToUnbatched,
        },
        { label: 'bets ÷ empty calls', value: ratio('beside', 'empty'), atLeast: LIMITS.toEmpty },
        { label: `tickets per second, ${BULK} in a call`, value: found.bulk.median, atLeast: LIMITS.bulk },
      ]);
    } finally {
      await Promise.all([batched.stop(), unbatched.stop()]);
    }
  });
}

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
