import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Actor } from '../../apps/server/src/accounts/authority.ts';
import { systemClock } from '../../apps/server/src/clock.ts';
import type { Database, Tx } from '../../apps/server/src/db/database.ts';
import type { Services } from '../../apps/server/src/services.ts';
import { createBetLanes } from '../../apps/server/src/tickets/bet-lanes.ts';
import { setDrawInterval } from '../draw-interval.ts';
import { machine, withBenchDatabase } from './bench-database.ts';
import { makeNetwork } from './bench-network.ts';
import type { BenchNetwork } from './bench-network.ts';
import { byTurns, cells, judge } from './contest.ts';
import { CREDIT, DAY_SECONDS, engineRate, GAME, IN_FLIGHT } from './tickets/ticket-field.ts';

const POOL = 6;
/** What a bet reads of protection, by the name of the statement: whoever does not judge by it does not ask. */
const STANDINGS = 'protection-standings';
/** A limit that no bet of the bench reaches, in hundredths: what has to be summed up is the same. */
const LIMIT = 900_000_000n;
/** The part of the bets a second that judging by protection leaves at the least. */
const LEFT = 0.95;

const SAYS = {
  without: 'nothing of protection is judged',
  none: 'nobody has a limit',
  fresh: 'all have limits by day, week, month and draw, few open tickets',
  loaded: 'the same, OPEN open tickets each at the begin',
} as const;

/**
 * `npm run bench protection -- [--seconds 5] [--rounds 5] [--players 10000] [--open 46]`: bets a second that the engine takes with and without the
 * judging of limits, breaks and exclusions, by turns on one database, each in a network of its own but for the first two.
 */
export async function benchProtection(args: readonly string[]): Promise<void> {
  const { seconds, rounds, players, open } = scaleOf(args);
  console.log(machine());
  await withBenchDatabase(POOL, async (db) => {
    const plain = await makeNetworkOf(db, players, '');
    const fresh = await makeNetworkOf(db, players, 'fresh-');
    const loaded = await makeNetworkOf(db, players, 'loaded-');
    await layEach(loaded, open);
    for (const network of [fresh, loaded]) await limitAll(db, network);
    await db.query('vacuum analyze');

    const rateIn = ({ services, players: own }: BenchNetwork) => engineRate(services, own, seconds);
    const rates = await byTurns(rounds, {
      without: () => engineRate(unprotected(plain.services), plain.players, seconds),
      none: () => rateIn(plain),
      fresh: () => rateIn(fresh),
      loaded: () => rateIn(loaded),
    });

    console.log(`${players} players in each network, ${rounds} rounds of ${seconds} s by turns\n`);
    console.log('| bets a second | median | least to most | × without |\n|---|--:|--:|--:|');
    const ratio = (name: keyof typeof SAYS) => rates[name].median / rates.without.median;
    for (const [name, says] of Object.entries(SAYS) as [keyof typeof SAYS, string][])
      console.log(`| ${says.replace('OPEN', String(open))} | ${cells(rates[name])} | ${ratio(name).toFixed(2)} |`);
    judge(
      (['none', 'fresh', 'loaded'] as const).map((name) => ({
        says: `${SAYS[name].replace('OPEN', String(open))} ÷ ${SAYS.without}`,
        value: ratio(name),
        atLeast: LEFT,
      })),
    );
  });
}

/** How long and how large it is. Throws where an option is no whole number above 0. */
function scaleOf(args: readonly string[]) {
  const usual = { seconds: 5, rounds: 5, players: 10_000, open: 46 };
  const names = Object.keys(usual) as (keyof typeof usual)[];
  const { values } = parseArgs({
    args: [...args],
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  });
  const scale = { ...usual };
  for (const name of names) {
    const said = Number(values[name] ?? usual[name]);
    if (!Number.isInteger(said) || said < 1)
      throw new Error(`--${name} is a whole number above 0; not "${String(values[name])}".`);
    scale[name] = said;
  }
  return scale;
}

/** A network of players by its prefix, whose draw lasts a day. */
async function makeNetworkOf(db: Database, players: number, prefix: string): Promise<BenchNetwork> {
  const network = await makeNetwork(db, { games: [GAME], players, credit: CREDIT, prefix, clock: systemClock });
  await setDrawInterval(db, GAME, DAY_SECONDS);
  await network.machine.tick();
  return network;
}

/** Lays so many tickets of each player. */
async function layEach({ services, players }: BenchNetwork, count: number): Promise<void> {
  const failed: unknown[] = [];
  const lanes = createBetLanes(services, (error) => failed.push(error));
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
  if (failed.length > 0) throw failed[0] as Error;
}

/** Gives all players of a network every limit that sums up stakes, as what holds for them. */
async function limitAll(db: Database, { networkId, players }: BenchNetwork): Promise<void> {
  await db.query(
    `insert into protections (network_id, account_id, changes, stake_per_draw, stake_per_day, stake_per_week, stake_per_month, loss_per_day, loss_per_week, loss_per_month)
     select $1, id, 1, $3, $3, $3, $3, $3, $3, $3 from unnest($2::uuid[]) as a (id)`,
    [networkId, players.map(({ id }) => id), LIMIT],
  );
}

/** The same server, which asks for nothing of protection: nobody is protected. */
function unprotected(services: Services): Services {
  const { db } = services;
  return {
    ...services,
    db: { ...db, pipelined: (act) => db.pipelined((tx) => act(withoutStandings(tx))) },
  };
}

function withoutStandings(tx: Tx): Tx {
  return {
    isTransaction: true,
    send: (text, values, name) => tx.send(text, values, name),
    onCommit: (effect) => tx.onCommit(effect),
    query: async <R extends object = Record<string, unknown>>(
      text: string,
      values?: readonly unknown[],
      name?: string,
    ): Promise<R[]> => (name === STANDINGS ? [] : ((await tx.query(text, values, name)) as R[])),
  };
}
