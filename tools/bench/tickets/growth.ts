import { connect } from '../../../apps/server/src/db/database.ts';
import { LONG } from '../../../apps/server/src/db/patience.ts';
import type { Database } from '../../../apps/server/src/db/database.ts';
import { migrate } from '../../../apps/server/src/db/migrate.ts';
import { withBenchDatabase } from '../bench-database.ts';
import type { BenchNetwork } from '../bench-network.ts';
import { byTurns, cells, judge, shown } from '../contest.ts';
import { storeTickets } from '../filled-network.ts';
import { engineRate, GAME, makeField } from './ticket-field.ts';
import type { Scale } from './ticket-scale.ts';

/** The slowest of all sizes is at least this share of the fastest. */
const LEAST_SHARE = 0.8;
const POOL = 4;
const PLAYERS = 10_000;

interface Size {
  readonly players: number;
  readonly tickets: number;
}

/** Measures the engine with more and more players and stored tickets: a database for each size, on one PostgreSQL, by turns. */
export async function benchGrowth({ seconds, rounds, crowds, stored }: Scale): Promise<void> {
  const sizes: Size[] = [
    ...crowds.map((players) => ({ players, tickets: 0 })),
    ...stored.map((tickets) => ({ players: PLAYERS, tickets })),
  ];
  await withBenchDatabase(POOL, async (cluster, url) => {
    const databases: Database[] = [];
    const contestants: Record<string, () => Promise<number>> = {};
    try {
      for (const size of sizes) {
        const name = nameOf(size);
        const { db, network } = await build(cluster, url, size);
        databases.push(db);
        contestants[name] = () => engineRate(network.services, network.players, seconds);
        console.log(`Made: ${name}.`);
      }
      const rates = await byTurns(rounds, contestants);
      console.log(
        `\n${rounds} rounds of ${seconds} s by turns\n\n| bets a second | median | least to most |\n|---|--:|--:|`,
      );
      for (const [name, reached] of Object.entries(rates)) console.log(`| ${name} | ${cells(reached)} |`);
      const medians = Object.values(rates).map(({ median }) => median);
      judge([
        {
          says: 'the slowest size ÷ the fastest',
          value: Math.min(...medians) / Math.max(...medians),
          atLeast: LEAST_SHARE,
        },
      ]);
    } finally {
      await Promise.all(databases.map((db) => db.close()));
    }
  });
}

function nameOf({ players, tickets }: Size): string {
  return `${shown(players)} players${tickets > 0 ? `, ${shown(tickets)} stored tickets` : ''}`;
}

/** A database of its own on the PostgreSQL of the bench, with so many players and tickets. */
async function build(
  cluster: Database,
  url: string,
  { players, tickets }: Size,
): Promise<{ db: Database; network: BenchNetwork }> {
  const name = `growth_${players}_${tickets}`;
  await cluster.query(`create database ${name}`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  await migrate(address.href);
  const db = connect(address.href, {
    onError: (error) => console.error(error.message),
    poolSize: POOL,
    patience: LONG,
  });
  const network = await makeField(db, players);
  if (tickets > 0) {
    await storeTickets(network, { game: GAME, tickets, lines: 1 });
    await db.query('vacuum analyze');
  }
  return { db, network };
}
