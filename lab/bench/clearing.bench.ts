import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLEARING_ORDER } from '@drawhouse/contract/clearing/clearing';
import type { ClearingModel } from '@drawhouse/contract/clearing/clearing';
import type { Actor } from '../../apps/server/src/accounts/authority.ts';
import { audit } from '../../apps/server/src/audit/audit.ts';
import { takeBackup } from '../../apps/server/src/backup/take-backup.ts';
import { clearHistory } from '../../apps/server/src/clearing/clear-history.ts';
import { makeRoom } from '../../apps/server/src/clearing/make-room.ts';
import type { Database } from '../../apps/server/src/db/database.ts';
import { sumNextDue } from '../../apps/server/src/liability/sum-days.ts';
import { createNetworkWork } from '../../apps/server/src/network-work/network-work.ts';
import { machine, median, withBenchDatabase } from './bench-database.ts';
import { callOf, makeNetwork } from './bench-network.ts';
import type { BenchNetwork } from './bench-network.ts';
import { judge } from './contest.ts';
import { fillNetwork } from './filled-network.ts';
import { createMemoryWatch } from './memory-watch.ts';
import { engineRate, GAME } from './tickets/ticket-field.ts';

const POOL = 8;
const PLAYERS = 10_000;
/** Tickets of a draw of each game. */
const TICKETS = 5_000;
const GAMES = [GAME, 'roulette36', 'triplefun', 'lottery3d'];
const DAY_MS = 86_400_000;
/** Seconds of bets that one rate is of. */
const RATE_SECONDS = 3;
const RATES_ALONE = 3;

/** Measures how long a million tickets take to be cleared, or as many millions as the next argument says, and then all the rest beside bets. */
export async function benchClearing(): Promise<void> {
  const rounds = Math.ceil((Number(process.argv[3] ?? 1) * 1_000_000) / (GAMES.length * TICKETS));
  console.log(machine());
  await withBenchDatabase(POOL, async (db, connectionString) => {
    const into = await mkdtemp(path.join(tmpdir(), 'drawhouse-cleared-'));
    try {
      const network = await makeNetwork(db, { games: GAMES, players: PLAYERS, credit: 1_000_000_000n });
      const plans = GAMES.map((game) => ({ game, tickets: TICKETS, lines: 1 }));
      await fillNetwork(network, plans, rounds);
      network.advance(2 * DAY_MS);
      while (await sumNextDue(network.services, async () => []));
      await network.machine.tick();
      await db.query('vacuum analyze');
      const field = { db, network, connectionString, into };
      const rates: number[] = [];
      for (let nth = 0; nth < RATES_ALONE; nth++)
        rates.push(await engineRate(network.services, network.players, RATE_SECONDS));
      const memory = createMemoryWatch(50);
      const tickets = await measure(field, ['ticket'], 'alone');
      const { grown } = memory();
      const rest = await measure(
        field,
        CLEARING_ORDER.filter((model) => model !== 'ticket'),
        'beside bets',
      );
      const problems = (await db.snapshot(audit)).flatMap((check) => check.problems);
      console.log(
        `\nthe audit after it: ${problems.length} problems${problems
          .slice(0, 3)
          .map((problem) => `\n- ${problem}`)
          .join('')}`,
      );
      judge([
        { says: 'a million tickets', value: tickets.seconds / (tickets.rows / 1e6), atMost: 60, unit: ' s' },
        { says: 'memory of the server beyond what it had', value: grown / 1e6, atMost: 150, unit: ' MB' },
        {
          says: 'bets a second beside it ÷ alone',
          value: median(rest.rates) / median(rates),
          atLeast: 0.6,
        },
        { says: 'problems that the audit finds', value: problems.length, atMost: 0 },
      ]);
    } finally {
      await rm(into, { recursive: true, force: true });
    }
  });
}

interface Field {
  readonly db: Database;
  readonly network: BenchNetwork;
  readonly connectionString: string;
  readonly into: string;
}

/** What clearing some models took, beside bets, with the room before and after it. */
async function measure(
  { db, network, connectionString, into }: Field,
  models: readonly ClearingModel[],
  how: 'alone' | 'beside bets',
): Promise<{ seconds: number; rows: number; rates: number[] }> {
  const { services, networkId, players } = network;
  const admin = await adminOf(db, networkId);
  const networkWork = createNetworkWork({ db, clock: services.clock, connectionString: () => connectionString });
  let backupSeconds = 0;
  const backUp = async ({ signal }: { readonly signal: AbortSignal }): Promise<string> => {
    const from = performance.now();
    const name = `before-${models[0]}`;
    await takeBackup({ connectionString, networkId, into, name, by: 'bench', takenAt: services.clock.now(), signal });
    backupSeconds = (performance.now() - from) / 1000;
    return name;
  };
  let roomSeconds = 0;
  const makeRoomTimed = async (cleared: readonly ClearingModel[]): Promise<void> => {
    const from = performance.now();
    await makeRoom(connectionString, cleared);
    roomSeconds = (performance.now() - from) / 1000;
  };
  const before = await roomOf(db);
  const from = performance.now();
  let seconds: number | undefined;
  const clearing = clearHistory(
    { services, networkWork, retentionDays: 0, backUp, makeRoom: makeRoomTimed },
    callOf(admin),
    {
      startDate: '2026-03-01',
      endDate: '2026-03-31',
      models: [...models],
    },
  ).finally(() => (seconds = (performance.now() - from) / 1000 - backupSeconds));
  const rates: number[] = [];
  while (how === 'beside bets' && seconds === undefined) rates.push(await engineRate(services, players, RATE_SECONDS));
  const cleared = await clearing;
  const after = await roomOf(db);
  console.log(
    `\n${cleared.models.map(({ model, rows }) => `${model} ${rows}`).join(', ')}: ${seconds!.toFixed(1)} s ${how}, ${roomSeconds.toFixed(1)} s of it to make room; its backup ${backupSeconds.toFixed(1)} s.` +
      `\nroom of tables and indexes: ${mb(before)} before, ${mb(after)} after, of which rows take ${mb(await usedOf(db))}; after a full vacuum ${mb(await fullOf(db))}.`,
  );
  return {
    seconds: seconds!,
    rows: cleared.models.reduce((sum, { rows }) => sum + rows, 0),
    rates: rates.slice(0, -1),
  };
}

async function adminOf(db: Database, networkId: number): Promise<Actor> {
  const [admin] = await db.query<Actor>(
    `select a.id, a.username, a.role, a.network_id as "networkId", a.chain from networks n join accounts a on a.id = n.admin_id where n.id = $1`,
    [networkId],
  );
  return admin!;
}

const mb = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
const TABLES = "c.relnamespace = 'public'::regnamespace and c.relkind = 'r'";

async function roomOf(db: Database): Promise<number> {
  const [row] = await db.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(c.oid))::text as bytes from pg_class c where ${TABLES}`,
  );
  return Number(row!.bytes);
}

/** What rows take, without what is free for new ones. */
async function usedOf(db: Database): Promise<number> {
  await db.query('create extension if not exists pgstattuple');
  const [row] = await db.query<{ bytes: string }>(
    `select sum((pgstattuple(c.oid)).tuple_len)::bigint::text as bytes from pg_class c where ${TABLES}`,
  );
  return Number(row!.bytes);
}

async function fullOf(db: Database): Promise<number> {
  await db.query('vacuum full');
  return roomOf(db);
}
