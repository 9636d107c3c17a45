import { randomUUID } from 'node:crypto';
import type { Actor } from '../../apps/server/src/accounts/authority.ts';
import { systemClock } from '../../apps/server/src/platform/time/clock.ts';
import type { Database, Tx } from '../../apps/server/src/platform/db/database.ts';
import type { Sql } from '../../apps/server/src/platform/db/sql/sql.ts';
import { createBetLanes, type BetLanes } from '../../apps/server/src/tickets/place/lanes/bet-lanes.ts';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { setDrawInterval } from '../../tools/demo/plan.ts';
import { machine, median, withBenchDatabase } from './fixtures/bench-database.ts';
import { makeNetwork, type BenchNetwork } from './fixtures/bench-network.ts';
import { readOptions } from './measure/bench-options.ts';
import { byTurns, cells, judge, shown } from './measure/contest.ts';
import { cpuMeter } from './measure/process-usage.ts';
import { CREDIT, DAY_SECONDS, engineRate, GAME, IN_FLIGHT } from './tickets/ticket-field.ts';

const POOL = 6;
const LOCK = 'stakes-lock-skip';
const SCALE = { seconds: 5, rounds: 5, players: 10_000, open: 46 };
/** Hundredths. Never reached, yet costs the same sums. */
const LIMIT = 900_000_000n;
const LEFT = 0.95;

const LABELS = {
  freshWithout: 'few open tickets, nothing of protection is judged',
  none: 'no player has a limit',
  fresh: 'all have limits by day, week, month and draw, few open tickets',
  loadedWithout: 'OPEN open tickets each at the begin, nothing of protection is judged',
  loaded: 'the same, all have those limits',
  started: 'the same, on a server that has just started',
} as const;
type Name = keyof typeof LABELS;
const BASELINES = {
  none: 'freshWithout',
  fresh: 'freshWithout',
  loaded: 'loadedWithout',
  started: 'loadedWithout',
} as const;

/**
 * `npm run lab -- bench protection [--seconds 5] [--rounds 5] [--players 10000] [--open 46]`: compares bets per second
 * with and without protection. Every row but the last measures a warm server.
 */
export async function benchProtection(args: readonly string[]): Promise<void> {
  const { seconds, rounds, players, open } = readOptions(args, SCALE).scale;
  console.log(machine());
  await withBenchDatabase(POOL, async (db) => {
    const plain = await makeNetworkOf(db, players, '');
    const fresh = await makeNetworkOf(db, players, 'fresh-');
    const loaded = await makeNetworkOf(db, players, 'loaded-');
    await layEach(loaded, open);
    for (const network of [fresh, loaded]) await limitAll(db, network);
    await db.query('vacuum analyze');

    const meter = await cpuMeter(db);
    const cpuUs = new Map<Name, number[]>();
    const measured = async (name: Name, rateOf: () => Promise<number>): Promise<number> => {
      const [before, from] = [await meter.read(), performance.now()];
      const rate = await rateOf();
      const [after, tookMs] = [await meter.read(), performance.now() - from];
      const busyUs = (after.self + after.postgres - before.self - before.postgres) * 1e6;
      cpuUs.set(name, [...(cpuUs.get(name) ?? []), busyUs / ((rate * tookMs) / 1000)]);
      return rate;
    };
    const running = (name: Name, network: BenchNetwork): (() => Promise<number>) => {
      const lanes = createBetLanes(network.services, (error) => console.error(error));
      return async () => {
        // Fills the server's cache of protection.
        await layEach(network, 1, lanes);
        return measured(name, () => engineRate(network.services, network.players, seconds, { lanes }));
      };
    };
    const rates = await byTurns(rounds, {
      freshWithout: running('freshWithout', unprotected(fresh)),
      none: running('none', plain),
      fresh: running('fresh', fresh),
      loadedWithout: running('loadedWithout', unprotected(loaded)),
      loaded: running('loaded', loaded),
      started: () => measured('started', () => engineRate(loaded.services, loaded.players, seconds)),
    });

    console.log(`${players} players in each network, ${rounds} alternating rounds of ${seconds} s\n`);
    console.log('| bets per second | median | least to most | × without | processor per bet |\n|---|--:|--:|--:|--:|');
    const ratio = (name: keyof typeof BASELINES) => rates[name].median / rates[BASELINES[name]].median;
    const label = (name: Name) => LABELS[name].replace('OPEN', String(open));
    for (const name of Object.keys(LABELS) as Name[]) {
      const times = name in BASELINES ? ratio(name as keyof typeof BASELINES).toFixed(2) : '';
      console.log(`| ${label(name)} | ${cells(rates[name])} | ${times} | ${shown(median(cpuUs.get(name)!))} µs |`);
    }
    judge(
      (['none', 'fresh', 'loaded'] as const).map((name) => ({
        label: `${label(name)} ÷ ${label(BASELINES[name])}`,
        value: ratio(name),
        atLeast: LEFT,
      })),
    );
  });
}

async function makeNetworkOf(db: Database, players: number, prefix: string): Promise<BenchNetwork> {
  const network = await makeNetwork(db, { games: [GAME], players, credit: CREDIT, prefix, clock: systemClock });
  await setDrawInterval(db, GAME, DAY_SECONDS);
  await network.machine.tick();
  return network;
}

async function layEach(
  { services, players }: BenchNetwork,
  count: number,
  lanes: BetLanes = createBetLanes(services, (error) => console.error(error)),
): Promise<void> {
  const lay = (actor: Actor) =>
    lanes.place({
      actor,
      sessionId: undefined,
      ip: '127.0.0.1',
      gameKey: GAME,
      drawId: undefined,
      requestId: randomUUID(),
      lines: [{ drawno: 1, qty: 1 }],
    });
  for (let nth = 0; nth < count; nth++)
    for (let from = 0; from < players.length; from += IN_FLIGHT)
      await Promise.all(players.slice(from, from + IN_FLIGHT).map(lay));
}

async function limitAll(db: Database, { networkId, players }: BenchNetwork): Promise<void> {
  await db.query(
    `insert into protections (network_id, account_id, changes, stake_per_draw, stake_per_day, stake_per_week, stake_per_month,
      loss_per_day, loss_per_week, loss_per_month)
     select $1, id, 1, $3, $3, $3, $3, $3, $3, $3 from unnest($2::uuid[]) as a (id)`,
    [networkId, players.map(({ id }) => id), LIMIT],
  );
  await db.query(
    `update wallets set protection = 1 where network_id = $1 and kind = ${WALLET_KINDS.credit} and owner_id = any($2::uuid[])`,
    [networkId, players.map(({ id }) => id)],
  );
}

function unprotected(network: BenchNetwork): BenchNetwork {
  const { services } = network;
  const { db } = services;
  const pipelined: Database['pipelined'] = (act) => db.pipelined((tx) => act(withoutProtection(tx)));
  return { ...network, services: { ...services, db: { ...db, pipelined } } };
}

function withoutProtection(tx: Tx): Tx {
  return {
    isTransaction: true,
    send: (text, values, name) => tx.send(text, values, name),
    onCommit: (effect) => tx.onCommit(effect),
    query: async <R extends object = Record<string, unknown>>(
      statement: Sql | string,
      values?: readonly unknown[],
      name?: string,
    ): Promise<R[]> => {
      const rows = await tx.query(statement, values, name);
      if ((typeof statement === 'string' ? name : statement.name) === LOCK)
        for (const row of rows) row['protection'] = 0;
      return rows as R[];
    },
  };
}
