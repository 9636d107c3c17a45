import { withBenchDatabase } from '../fixtures/bench-database.ts';
import { byTurns, cells, judge } from '../measure/contest.ts';
import { GAME, makeField, openKey, openSessions } from './ticket-field.ts';
import { bulkRate, emptyCalls, hurried, rateOf } from './ticket-load.ts';
import type { BulkCaller } from './ticket-load.ts';
import type { Scale } from './ticket-scale.ts';
import { startServed } from '../fixtures/bench-server.ts';

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
export async function benchHttp({ seconds, rounds, players }: Scale): Promise<void> {
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
