import { ownerOf } from '../../apps/server/src/accounts/authority.ts';
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { BUILT_IN_GAMES } from '@drawhouse/rules/games/catalogue';
import { createAccount, createFirstSuperadmin } from '../../apps/server/src/accounts/change/create-account.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { systemClock, type Clock } from '../../apps/server/src/platform/time/clock.ts';
import { connect, type Database, type Tx } from '../../apps/server/src/platform/db/database.ts';
import type { Services } from '../../apps/server/src/platform/services.ts';
import { createUuid7 } from '../../apps/server/src/platform/db/sql/uuids.ts';
import { createDrawMachine } from '../../apps/server/src/settlement/draw-machine.ts';
import { drawAt } from '@drawhouse/rules/time/schedule';
import { createSeedVault } from '../../apps/server/src/draws/seed/seeds.ts';
import { assignGames, ensureCatalogue } from '../../apps/server/src/games/catalogue/built-in-games.ts';
import { machine as machineName, withBenchDatabase } from './fixtures/bench-database.ts';
import { callOf } from './fixtures/bench-network.ts';
import { readOptions } from './measure/bench-options.ts';
import { cpuMeter } from './measure/process-usage.ts';

const SCALE = { networks: 100, seconds: 120, minutes: 1440 };
const GAMES = 32;
const INTERVAL_S = 60;
const NETWORKS_AHEAD = 5;
/** `lateMs`: 99th percentile. `core`: CPU share of server plus PostgreSQL. */
const LIMITS = { lateMs: 500, core: 0.3 };
/** Autovacuum's dead-row threshold for draws, from 0007-games-and-draws.sql. */
const VACUUM_AFTER = 0.02;

const STEPS = { 'draws-open': 'open', 'draws-close-empty': 'close', 'draws-settle-empty': 'draw and settle' } as const;
type Step = (typeof STEPS)[keyof typeof STEPS];

/**
 * Runs one-minute draws for all games. First in real time: delay and CPU. Then on an accelerated clock: disk bytes per
 * draw. Options: `--networks`, `--seconds`, `--minutes`.
 */
export async function benchSchedule(): Promise<void> {
  const { networks, seconds, minutes } = readOptions(process.argv.slice(3), SCALE).scale;
  const late = new Map<Step, number[]>();
  let used = { server: 0, postgres: 0 };
  await withServed(networks, async (owner, served) => {
    used = await runLive(owner, watched(served, late), seconds, () => late.clear());
  });
  await withServed(NETWORKS_AHEAD, async (owner, served) => {
    const bytes = await runAhead(owner, served, minutes);
    report({ pairs: networks * GAMES, seconds, late, used, bytes });
  });
}

async function withServed(networks: number, run: (owner: Database, served: Database) => Promise<void>): Promise<void> {
  await withBenchDatabase(2, async (owner, url) => {
    const served = connect(url, { onError: (error) => console.error(error.message) });
    try {
      await fill(owner, networks);
      await run(owner, served);
    } finally {
      await served.close();
    }
  });
}

async function fill(db: Database, networks: number): Promise<void> {
  const services = servicesOn(db, systemClock);
  await ensureCatalogue(services);
  await createFirstSuperadmin(services, 'superadmin', async () => 'none');
  const [root] = await db.query<{ id: string; username: string }>('select id, username from accounts');
  const superadmin = ownerOf({ ...root!, role: 'superadmin', networkId: ROOT_NETWORK, chain: [root!.id] });
  const call = callOf(superadmin);
  const games = BUILT_IN_GAMES.slice(0, GAMES).map((game) => game.gameId);
  const account = { role: 'admin', passwordHash: 'none', commission: 0, note: 'bench', active: true } as const;
  for (let n = 0; n < networks; n++)
    await createAccount(
      services,
      call,
      { ...account, username: `admin-${n}`, refId: superadmin.id, games },
      assignGames,
    );
  await db.query('update game_times set time_id = (select id from times where seconds = $1)', [INTERVAL_S]);
  await db.query('vacuum analyze');
}

function servicesOn(db: Database, clock: Clock): Services {
  return { db, clock, timeZone: 'Asia/Kolkata', newId: createUuid7(clock), events: new EventEmitter() };
}

function watched(db: Database, late: Map<Step, number[]>): Database {
  const noting = (tx: Tx): Tx => {
    const notice = (values?: readonly unknown[], name?: string): void => {
      const step = STEPS[name as keyof typeof STEPS];
      if (!step) return;
      const ids = values!.find((value): value is string => typeof value === 'string' && value.startsWith('{'))!;
      const draws = ids.split(',').length;
      tx.onCommit(() => note(step, draws));
    };
    return {
      ...tx,
      query(text, values, name) {
        notice(values, name);
        return tx.query(text, values, name);
      },
      send(text, values, name) {
        notice(values, name);
        return tx.send(text, values, name);
      },
    };
  };
  const note = (step: Step, draws: number): void => {
    const now = systemClock.now();
    const { opensAt, closesAt } = drawAt(now, INTERVAL_S);
    const lateMs = now.getTime() - (step === 'close' ? closesAt : opensAt).getTime();
    const all = late.get(step) ?? [];
    for (let n = 0; n < draws; n++) all.push(lateMs);
    late.set(step, all);
  };
  return { ...db, pipelined: (act) => db.pipelined((tx) => act(noting(tx))) };
}

/** Runs in real time. Returns CPU seconds per draw, counted from `onStart`. */
async function runLive(
  owner: Database,
  db: Database,
  seconds: number,
  onStart: () => void,
): Promise<{ server: number; postgres: number }> {
  const services = servicesOn(db, systemClock);
  const machine = createDrawMachine(services, createSeedVault('5a'.repeat(32)));
  // Initial draws have no due time; later ones start on a full minute.
  await machine.tick();
  const { drawsAt } = drawAt(systemClock.now(), INTERVAL_S);
  await delay(Math.max(0, drawsAt.getTime() - systemClock.now().getTime() - 6_000));
  onStart();
  const meter = await cpuMeter(owner);
  const before = await meter.read();
  const endsMs = performance.now() + seconds * 1_000;
  while (performance.now() < endsMs) {
    await machine.step();
    await delay(Math.min(await machine.untilNextMs(), Math.max(0, endsMs - performance.now())));
  }
  await machine.idle();
  const after = await meter.read();
  return {
    server: (after.self - before.self) / seconds,
    postgres: (after.postgres - before.postgres) / seconds,
  };
}

/** Keeps autovacuum's usual rhythm. Returns bytes per draw. */
async function runAhead(owner: Database, db: Database, minutes: number): Promise<Bytes> {
  let nowMs = drawAt(systemClock.now(), INTERVAL_S).drawsAt.getTime();
  const services = servicesOn(db, { now: () => new Date(nowMs) });
  const machine = createDrawMachine(services, createSeedVault('5a'.repeat(32)));
  let written = 0;
  let dead = 0;
  for (let minute = 0; minute < minutes; minute++) {
    await machine.tick();
    nowMs += (INTERVAL_S - 5) * 1_000;
    await machine.tick();
    nowMs += 5_000;
    // Closing and settling leave one dead row each. Autovacuum checks every minute.
    written += NETWORKS_AHEAD * GAMES;
    dead += 2 * NETWORKS_AHEAD * GAMES;
    if (dead < VACUUM_AFTER * written + 50) continue;
    await owner.query('vacuum draws');
    dead = 0;
  }
  const [bytes] = await owner.query<Bytes>(
    `select count(*)::int as draws, pg_table_size('draws')::float8 / count(*) as table,
      pg_indexes_size('draws')::float8 / count(*) as indexes,
            avg(pg_column_size(d.*))::float8 as row from draws d`,
  );
  return bytes!;
}

interface Bytes {
  readonly draws: number;
  readonly table: number;
  readonly indexes: number;
  readonly row: number;
}

interface Measured {
  readonly pairs: number;
  readonly seconds: number;
  readonly late: ReadonlyMap<Step, number[]>;
  readonly used: { server: number; postgres: number };
  readonly bytes: Bytes;
}

function report({ pairs, seconds, late, used, bytes }: Measured): void {
  console.log(`${pairs} pairs of a game and a network, each ${INTERVAL_S} s, for ${seconds} s; ${machineName()}\n`);
  console.log('| step | draws | p50 | p99 | latest |\n|---|--:|--:|--:|--:|');
  if (late.size === 0) throw new Error('No step was due in so few seconds: let it run for at least ten.');
  const row = (name: string, all: readonly number[]): void => {
    const sorted = all.toSorted((a, b) => a - b);
    const at = (share: number): string => sorted[Math.ceil(sorted.length * share) - 1]!.toFixed(0);
    console.log(`| ${name} | ${sorted.length} | ${at(0.5)} | ${at(0.99)} | ${at(1)} |`);
  };
  for (const [step, all] of late) row(step, all);
  const steps = [...late.values()].flat();
  row('all', steps);
  const onTime = steps.filter((ms) => ms <= LIMITS.lateMs).length / steps.length;
  const core = used.server + used.postgres;
  const total = bytes.table + bytes.indexes;
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  console.log(
    `\nDelay of each step until its commit, in milliseconds: ${percent(onTime)} within ${LIMITS.lateMs} (goal: 99 %).\n` +
      `CPU of one core: server ${percent(used.server)}, PostgreSQL ${percent(used.postgres)}: ` +
      `${percent(core)} (goal: ${percent(LIMITS.core)}).\n` +
      `${bytes.draws} draws without tickets take ${total.toFixed(0)} bytes each: ` +
      `${bytes.table.toFixed(0)} in the table, of which the row ${bytes.row.toFixed(0)}, and ${bytes.indexes.toFixed(0)} in the indexes.`,
  );
  const isMissed = onTime < 0.99 || core > LIMITS.core;
  console.log(`\n${isMissed ? 'MISSED' : 'Held'}.`);
  if (isMissed) process.exitCode = 1;
}
