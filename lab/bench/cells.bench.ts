import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { openDirectory, type OpenDirectory } from '../../apps/server/src/cells/directory.ts';
import type { Database } from '../../apps/server/src/platform/db/database.ts';
import { atDatabase } from '../../apps/server/src/platform/db/scratch-database.ts';
import { machine, median, withBenchDatabase } from './fixtures/bench-database.ts';
import { makeNetwork, type BenchNetwork } from './fixtures/bench-network.ts';
import type { BenchMove } from './fixtures/move-worker.ts';
import { fillNetwork } from './fixtures/filled-network.ts';
import { judge } from './measure/contest.ts';
import { cpuMeter } from './measure/process-usage.ts';
import { CREDIT, engineRate, GAME, makeField } from './tickets/ticket-field.ts';

const POOL = 6;
const PLAYERS = 2_000;
/** Per draw of the network that moves. */
const TICKETS = 100_000;
const SECONDS = 5;
const ROUNDS = 3;

interface BenchCell {
  readonly name: string;
  readonly db: Database;
  readonly url: string;
  readonly field: BenchNetwork;
}

/**
 * Measures two cells, each with its own PostgreSQL: CPU per bet side by side, and a move. Argument: thousands of
 * tickets.
 */
export async function benchCells(args: readonly string[]): Promise<void> {
  const tickets = Number(args[0] ?? 1_000) * 1_000;
  console.log(machine());
  await withBenchDatabase(POOL, (db, url) =>
    withBenchDatabase(POOL, async (otherDb, otherUrl) => {
      const first = { name: 'cell-1', db, url, field: await makeField(db, PLAYERS, 'a-') };
      const second = { name: 'cell-2', db: otherDb, url: otherUrl, field: await makeField(otherDb, PLAYERS, 'b-') };
      const cpu = await compareCpu(first, second);
      const { closedMs, bets } = await measureMove(first, second, tickets);
      judge([
        { label: '2 × alone ÷ beside, CPU per bet', value: cpu, atLeast: 1.8 },
        { label: `closed by a move of ${tickets} tickets`, value: closedMs / 1_000, atMost: 1, unit: ' s' },
        { label: 'bets per second of another network beside the move ÷ alone', value: bets, atLeast: 0.7 },
      ]);
    }),
  );
}

async function compareCpu(first: BenchCell, second: BenchCell): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = median([await cpuPerBet([first]), await cpuPerBet([second])]);
    const beside = await cpuPerBet([first, second]);
    console.log(`µs of CPU per bet: ${(alone * 1e6).toFixed(0)} alone, ${(beside * 1e6).toFixed(0)} beside`);
    ratios.push((2 * alone) / beside);
  }
  return median(ratios);
}

/** Returns seconds of this process and of each PostgreSQL. */
async function cpuPerBet(cells: readonly BenchCell[]): Promise<number> {
  const meters = await Promise.all(cells.map(({ db }) => cpuMeter(db)));
  const used = async (): Promise<number> => {
    const all = await Promise.all(meters.map((meter) => meter.read()));
    return all[0]!.self + all.reduce((sum, { postgres }) => sum + postgres, 0);
  };
  const before = await used();
  const rates = await Promise.all(
    cells.map(({ field }) => engineRate(field.services, field.players, SECONDS, { comeBack: true })),
  );
  return ((await used()) - before) / (SECONDS * rates.reduce((sum, rate) => sum + rate, 0));
}

async function measureMove(first: BenchCell, second: BenchCell, tickets: number) {
  const moving = await makeNetwork(first.db, { games: [GAME], players: PLAYERS, credit: CREDIT, prefix: 'moving-' });
  await fillNetwork(moving, [{ game: GAME, tickets: TICKETS, lines: 1 }], tickets / TICKETS);
  await first.db.query('vacuum analyze');
  const [network] = await first.db.query<{ id: number; adminId: string; username: string }>(
    `select n.id, n.admin_id as "adminId", a.username from networks n join accounts a on a.id = n.admin_id where n.id = $1`,
    [moving.networkId],
  );
  // As in a group of cells.
  await second.db.query('alter sequence networks_id_seq restart with 10000001');
  await first.db.query('create database directory');
  const directories = await Promise.all([first, second].map((cell) => openFor(cell, first.url)));
  const folder = await mkdtemp(path.join(tmpdir(), 'drawhouse-bench-move-'));
  try {
    await enter(directories, network!.adminId);
    const alone = await rateOf(first);
    let isMoving = true;
    const startedMs = performance.now();
    const moved = moveBy({
      cells: [first, second].map(({ name, url }) => ({ name, url, directoryUrl: atDatabase(first.url, 'directory') })),
      network: network!,
      folder,
    }).finally(() => (isMoving = false));
    const rates: number[] = [];
    while (isMoving) rates.push(await rateOf(first, 1));
    const closedMs = await moved;
    const seconds = (performance.now() - startedMs) / 1_000;
    console.log(`moved ${tickets} tickets in ${seconds.toFixed(1)} s, without the audits of both cells`);
    return { closedMs, bets: median(rates) / alone };
  } finally {
    await rm(folder, { recursive: true, force: true });
    for (const directory of directories) await directory.close();
  }
}

const rateOf = ({ field }: BenchCell, seconds = SECONDS): Promise<number> =>
  engineRate(field.services, field.players, seconds, { comeBack: true });

async function openFor({ name, db }: BenchCell, url: string): Promise<OpenDirectory> {
  const [row] = await db.query<{ value: string }>(`select value from pinned_settings where name = 'installation'`);
  return openDirectory(atDatabase(url, 'directory'), { name, installation: row!.value }, (error) =>
    console.error(error.message),
  );
}

async function enter(directories: readonly OpenDirectory[], adminId: string): Promise<void> {
  for (const [nth, directory] of directories.entries()) {
    const { name, installation } = directory.own;
    await directory.change((on) =>
      on.query('insert into cells (name, installation, time_zone, first_network) values ($1, $2, $3, $4)', [
        name,
        installation,
        'Asia/Kolkata',
        nth + 1,
      ]),
    );
  }
  await directories[0]!.db.query('insert into places (network, cell) values ($1, $2)', [adminId, 'cell-1']);
}

/** Returns how long the network was closed, in ms. */
function moveBy(workerData: BenchMove): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  new Worker(new URL('fixtures/move-worker.ts', import.meta.url), { workerData })
    .once('message', resolve)
    .once('error', reject);
  return promise;
}
