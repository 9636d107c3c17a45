import type { Database } from '../../../apps/server/src/platform/db/database.ts';
import { withBenchDatabase } from '../fixtures/bench-database.ts';
import { byTurns, cells, judge } from '../measure/contest.ts';
import { engineRate, makeField, type Scale } from './ticket-field.ts';
import { bestConnections, makeRivals, oneBet, oneStatementBet, RIVAL_POOL, rivalRate, type Rival } from './rivals.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

type Pgbench = (args: readonly string[]) => Promise<string>;

function pgbenchOn(url: string): Pgbench {
  const { hostname, port, username, password, pathname } = new URL(url);
  const env = { ...process.env, PGPASSWORD: password };
  const target = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)];
  return async (args) => {
    try {
      return (await run('pgbench', [...args, ...target], { env })).stdout;
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT')
        throw new Error('pgbench is not installed; it comes with the packages of PostgreSQL (postgresql-contrib).', {
          cause: error,
        });
      throw error;
    }
  };
}

/** Prepared TPC-B-like transactions per second. */
async function tpcb(pgbench: Pgbench, connections: number, seconds: number): Promise<number> {
  const args = ['-n', '-M', 'prepared', '-c', String(connections), '-j', '2', '-T', String(Math.ceil(seconds))];
  return Number(/tps = ([\d.]+)/.exec(await pgbench(args))![1]);
}

/** In units of 100,000 accounts. */
const PGBENCH_SCALE = 10;
const PGBENCH_CONNECTIONS = [4, 8, 16, 32];
/** Ratios of medians within one run. `bytes`: one-line bet with all rows and indexes. */
const LIMITS = { toHouse: 10, toSpread: 2.5, toTpcb: 4, bytes: 800 };

const LABELS = {
  engine: 'the engine: batches of a lane, ten sums and the escrow in each',
  house: 'one transaction per bet, with a house row',
  spread: 'one transaction per bet, without a house row',
  houseAtOnce: 'one statement per bet, with a house row',
  spreadAtOnce: 'one statement per bet, without a house row',
  tpcb: 'pgbench, TPC-B-like',
} as const;

/** Compares the in-process engine, hand-written transactions and pgbench. */
export async function benchEngine({ seconds, rounds, players }: Scale): Promise<void> {
  await withBenchDatabase(RIVAL_POOL, async (db, url) => {
    const network = await makeField(db, players);
    await makeRivals(db, players);
    const pgbench = pgbenchOn(url);
    await pgbench(['-i', '-q', '-s', String(PGBENCH_SCALE)]);
    const rivals = {
      house: oneBet(players, true),
      spread: oneBet(players, false),
      houseAtOnce: oneStatementBet(players, true),
      spreadAtOnce: oneStatementBet(players, false),
    };
    const connections = new Map<string, number>();
    for (const [name, rival] of Object.entries(rivals)) connections.set(name, await bestConnections(db, rival));
    const tpcbRates = new Map<number, number>();
    for (const count of PGBENCH_CONNECTIONS) tpcbRates.set(count, await tpcb(pgbench, count, 1));
    const [[tpcbConnections]] = [...tpcbRates].toSorted(([, a], [, b]) => b - a) as [[number, number]];
    connections.set('tpcb', tpcbConnections);

    const before = await sizeOf(db);
    const of = (name: keyof typeof rivals, rival: Rival) => () => rivalRate(db, rival, connections.get(name)!, seconds);
    const rates = await byTurns(rounds, {
      engine: () => engineRate(network.services, network.players, seconds),
      house: of('house', rivals.house),
      spread: of('spread', rivals.spread),
      houseAtOnce: of('houseAtOnce', rivals.houseAtOnce),
      spreadAtOnce: of('spreadAtOnce', rivals.spreadAtOnce),
      tpcb: () => tpcb(pgbench, tpcbConnections, seconds),
    });
    const after = await sizeOf(db);

    console.log(
      `${players} players, ${rounds} rounds of ${seconds} s, alternating, each with its fastest number of connections\n`,
    );
    console.log('| bets per second | connections | median | least to most | engine × |\n|---|--:|--:|--:|--:|');
    for (const [name, label] of Object.entries(LABELS) as [keyof typeof LABELS, string][]) {
      const times = (rates.engine.median / rates[name].median).toFixed(2);
      console.log(`| ${label} | ${connections.get(name) ?? 2} | ${cells(rates[name])} | ${times} |`);
    }
    const bets = after.tickets - before.tickets;
    const bytes = (after.bytes - before.bytes) / bets;
    console.log(`\n${bets.toLocaleString('en')} bets of one line were stored.`);
    judge([
      {
        label: 'engine ÷ one transaction per bet, house row',
        value: rates.engine.median / rates.house.median,
        atLeast: LIMITS.toHouse,
      },
      {
        label: 'engine ÷ one transaction per bet, no house row',
        value: rates.engine.median / rates.spread.median,
        atLeast: LIMITS.toSpread,
      },
      { label: 'engine ÷ TPC-B', value: rates.engine.median / rates.tpcb.median, atLeast: LIMITS.toTpcb },
      { label: 'a bet of one line, all rows and indexes', value: bytes, atMost: LIMITS.bytes, unit: ' bytes' },
    ]);
  });
}

async function sizeOf(db: Database): Promise<{ tickets: number; bytes: number }> {
  const [row] = await db.query<{ tickets: bigint; bytes: bigint }>(
    `select (select count(*) from tickets) as tickets,
            (select sum(pg_total_relation_size(name::regclass))
              from unnest('{tickets,transfers,exposures}'::text[]) as t (name))::bigint as bytes`,
  );
  return { tickets: Number(row!.tickets), bytes: Number(row!.bytes) };
}
