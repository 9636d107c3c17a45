import { connect, type Database } from '../../../apps/server/src/platform/db/database.ts';
import { COMMAND_TIMEOUTS } from '../../../apps/server/src/platform/db/connection/timeouts.ts';
import { migrate } from '../../../apps/server/src/platform/db/migrate.ts';
import { median, withBenchDatabase } from '../fixtures/bench-database.ts';
import type { BenchNetwork } from '../fixtures/bench-network.ts';
import { byTurns, cells, judge, shown } from '../measure/contest.ts';
import { storeEnded } from '../fixtures/filled-network.ts';
import { GAME, makeField, engineRate, type Scale } from './ticket-field.ts';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';

/** Minimum: most tickets ÷ none, most players ÷ fewest. */
const LIMITS = { stored: 0.85, crowds: 0.8 };
const PLAYERS = 10_000;

interface Size {
  readonly players: number;
  readonly tickets: number;
}

/** Measures as players and tickets grow, one database per size. */
export async function benchGrowth({ seconds, rounds, crowds, stored }: Scale): Promise<void> {
  const none = { players: PLAYERS, tickets: 0 };
  const sizes: Size[] = [...new Set([...crowds, PLAYERS].toSorted((a, b) => a - b))].map((players) => ({
    players,
    tickets: 0,
  }));
  sizes.push(...stored.map((tickets) => ({ players: PLAYERS, tickets })));
  await withBenchDatabase(BENCH_POOL, async (cluster, url) => {
    const databases: Database[] = [];
    const contestants: Record<string, () => Promise<number>> = {};
    const logs = new Map<string, Logged[]>();
    try {
      for (const size of sizes) {
        const name = nameOf(size);
        const { db, network } = await build(cluster, url, size);
        databases.push(db);
        logs.set(name, []);
        contestants[name] = async () => {
          const logged = await loggedRate(db, network, seconds);
          logs.get(name)!.push(logged);
          return logged.rate;
        };
        console.log(`Made: ${name}.`);
      }
      const rates = await byTurns(rounds, contestants);
      console.log(
        `\n${rounds} alternating rounds of ${seconds} s\n\n| bets per second | median | least to most | ` +
          `bytes of log per bet, median | pages in it |\n|---|--:|--:|--:|--:|`,
      );
      for (const [name, rate] of Object.entries(rates)) {
        const of = (figure: 'bytes' | 'pages'): string =>
          shown(median(logs.get(name)!.map((logged) => logged[figure])));
        console.log(`| ${name} | ${cells(rate)} | ${of('bytes')} | ${of('pages')} |`);
      }
      const share = (size: Size, of: Size): number => rates[nameOf(size)]!.median / rates[nameOf(of)]!.median;
      const fewest = { players: Math.min(...crowds), tickets: 0 };
      const most = { players: PLAYERS, tickets: Math.max(...stored) };
      judge([
        { label: `${nameOf(most)} ÷ none`, value: share(most, none), atLeast: LIMITS.stored },
        {
          label: `${shown(Math.max(...crowds))} players ÷ ${shown(fewest.players)}`,
          value: share({ players: Math.max(...crowds), tickets: 0 }, fewest),
          atLeast: LIMITS.crowds,
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
    poolSize: BENCH_POOL,
    patience: COMMAND_TIMEOUTS,
  });
  const network = await makeField(db, players);
  if (tickets > 0) {
    await storeEnded(network, { game: GAME, tickets, lines: 1 });
    await db.query('vacuum analyze');
  }
  return { db, network };
}

/** Per bet: total bytes, and full-page images. */
interface Logged {
  readonly rate: number;
  readonly bytes: number;
  readonly pages: number;
}

const BENCH_POOL = 4;

/** WAL is cluster-wide; nothing else may write meanwhile. */
async function loggedRate(db: Database, network: BenchNetwork, seconds: number): Promise<Logged> {
  const before = await readLog(db);
  const rate = await engineRate(network.services, network.players, seconds);
  const after = await readLog(db);
  const per = (name: keyof Log): number => (after[name] - before[name]) / (after.bets - before.bets);
  return { rate, bytes: per('bytes'), pages: per('pages') };
}

interface Log {
  readonly bytes: number;
  readonly pages: number;
  /** Counted by escrow movements: counting millions of tickets is slow. */
  readonly bets: number;
}

async function readLog(db: Database): Promise<Log> {
  // Each backend flushes its own statistics; concurrent queries reach them all.
  await Promise.all(Array.from({ length: BENCH_POOL }, () => db.query('select pg_stat_force_next_flush()')));
  const [row] = await db.query<{ bytes: bigint; pages: bigint; bets: bigint }>(
    `select (pg_current_wal_insert_lsn() - '0/0')::bigint as bytes, (select wal_fpi from pg_stat_wal) as pages,
            (select sum(version)::bigint from wallets where kind = ${WALLET_KINDS.escrow}) as bets`,
  );
  return { bytes: Number(row!.bytes), pages: Number(row!.pages), bets: Number(row!.bets) };
}
