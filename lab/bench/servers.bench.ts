import { parseArgs } from 'node:util';
import type { Database } from '../../apps/server/src/platform/db/database.ts';
import { createHttpWire } from '../simulate/http-wire.ts';
import { createSocketWire } from '../simulate/socket-wire.ts';
import { machine, withBenchDatabase } from './fixtures/bench-database.ts';
import { startServed } from './fixtures/bench-server.ts';
import { cells, judge, ratioOf, reached, shown, type Reached } from './measure/contest.ts';
import { cpuMeter, cpuOfTree } from './measure/process-usage.ts';
import { GAME, makeField, openSessions } from './tickets/ticket-field.ts';
import { load } from './tickets/ticket-load.ts';
import type { Entrant } from '../simulate/player.ts';

const COUNTS = [1, 2, 3] as const;
/** Enough for each process to have lanes. */
const NETWORKS = 6;
const PLAYERS_EACH = 200;
const CONNECTIONS = 256;
const WARM_SECONDS = 3;
/** More processes cost CPU for forwarding; CPU per bet shows what more cores would give. */
const LIMITS = { cpuOfTwo: 1.6, cpuOfThree: 1.7 };

interface Round {
  readonly rate: number;
  readonly refusals: number;
  /** Microseconds per bet. */
  readonly server: number;
  readonly postgres: number;
}

/** Measures each number of processes in turn on one PostgreSQL, with the generator on the same machine. */
export async function benchServers(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '8' },
      rounds: { type: 'string', default: '5' },
      sockets: { type: 'boolean', default: false },
    },
  });
  const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
  console.log(machine());
  await withBenchDatabase(
    4,
    async (db, url) => {
      const entrants = await makeEntrants(db);
      const found = new Map<number, Round[]>(COUNTS.map((count) => [count, []]));
      for (let round = 0; round < rounds; round++)
        for (const count of COUNTS)
          found.get(count)!.push(await runOnce(db, url, entrants, { count, seconds, sockets: values.sockets }));
      show(found, values.sockets ? 'sockets' : 'HTTP');
    },
    { max_connections: '160' },
  );
}

async function makeEntrants(db: Database): Promise<Entrant[]> {
  const ofNetworks: Entrant[][] = [];
  for (let nth = 0; nth < NETWORKS; nth++) {
    const { players } = await makeField(db, PLAYERS_EACH, `${nth}-`);
    ofNetworks.push(await openSessions(db, players));
  }
  return Array.from({ length: PLAYERS_EACH }, (_, nth) => ofNetworks.map((players) => players[nth]!)).flat();
}

async function runOnce(
  db: Database,
  url: string,
  entrants: readonly Entrant[],
  { count, seconds, sockets }: { readonly count: number; readonly seconds: number; readonly sockets: boolean },
): Promise<Round> {
  const served = await startServed(url, { SERVERS: String(count) });
  const run = (forSeconds: number) => {
    const wire = sockets ? createSocketWire(served.url) : createHttpWire(served.url, CONNECTIONS);
    const players = entrants.slice(0, CONNECTIONS);
    return load(served.url, wire, players, { rate: Infinity, seconds: forSeconds, games: [GAME] });
  };
  try {
    await run(WARM_SECONDS);
    const meter = await cpuMeter(db);
    const [before, beforePostgres] = [await cpuOfTree(served.pid), (await meter.read()).postgres];
    const loaded = await run(seconds);
    const [after, afterPostgres] = [await cpuOfTree(served.pid), (await meter.read()).postgres];
    const { accepted, refusals } = loaded.tally;
    console.log(
      `SERVERS=${count}: ${accepted} bets taken, ${refusals} refused ${JSON.stringify([...loaded.tally.refused])}`,
    );
    const perBet = (cpuSeconds: number): number => (cpuSeconds * 1e6) / accepted;
    const [server, postgres] = [perBet(after - before), perBet(afterPostgres - beforePostgres)];
    return { rate: accepted / loaded.seconds, refusals, server, postgres };
  } finally {
    await served.stop();
  }
}

function show(found: ReadonlyMap<number, readonly Round[]>, over: string): void {
  const of = (count: number, figure: keyof Round): Reached => reached(found.get(count)!.map((round) => round[figure]));
  console.log(
    `\n| bets over ${over} | per second | least to most | server, µs of CPU a bet | PostgreSQL | CPU of a process |\n` +
      '|---|--:|--:|--:|--:|--:|',
  );
  for (const count of COUNTS) {
    const [rate, server, postgres] = [of(count, 'rate'), of(count, 'server'), of(count, 'postgres')];
    const each = (rate.median * server.median) / 1e6 / count;
    console.log(
      `| \`SERVERS=${count}\` | ${cells(rate)} | ${shown(server.median)} | ${shown(postgres.median)} | ${shown(100 * each)} % |`,
    );
  }
  const refused = COUNTS.reduce(
    (sum, count) => sum + of(count, 'refusals').rounds.reduce((all, one) => all + one, 0),
    0,
  );
  judge([
    { label: 'bets refused or without an answer', value: refused, atMost: 0 },
    {
      label: "server's CPU a bet, 2 processes ÷ 1",
      value: ratioOf(of(2, 'server'), of(1, 'server')),
      atMost: LIMITS.cpuOfTwo,
    },
    {
      label: "server's CPU a bet, 3 processes ÷ 1",
      value: ratioOf(of(3, 'server'), of(1, 'server')),
      atMost: LIMITS.cpuOfThree,
    },
  ]);
}
