import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keepWallKey } from '../../apps/server/src/players/public-wall.ts';
import type { Actor } from '../../apps/server/src/accounts/authority.ts';
import { auditStagedNetwork } from '../../apps/server/src/audit/audit.ts';
import { findBackup, type CompleteBackup } from '../../apps/server/src/backup/keep/backup-folders.ts';
import { backUpNetwork } from '../../apps/server/src/backup/take/back-up-network.ts';
import { takeBackupInChild } from '../../apps/server/src/backup/take/take-backup-in-child.ts';
import type { Database } from '../../apps/server/src/platform/db/database.ts';
import { createRestoring } from '../../apps/server/src/backup/restore/create-restoring.ts';
import { systemClock } from '../../apps/server/src/platform/time/clock.ts';
import { voidUnfinished } from '../../apps/server/src/settlement/void-unfinished.ts';
import { TEST_SEAL_KEY } from '../../apps/server/test/test-seal-key.ts';
import { setDrawInterval } from '../../tools/demo/plan.ts';
import { machine, median, withBenchDatabase } from './fixtures/bench-database.ts';
import { callOf, makeNetwork } from './fixtures/bench-network.ts';
import { judge, type Promised } from './measure/contest.ts';
import { fillNetwork } from './fixtures/filled-network.ts';
import { createMemoryWatch } from './measure/process-usage.ts';
import { engineRate, GAME } from './tickets/ticket-field.ts';

const POOL = 6;
const PLAYERS = 100_000;
const BYSTANDERS = 10_000;
/** Tickets per draw. */
const TICKETS = 500_000;
const CREDIT = 1_000_000_000n;
const DAY_SECONDS = 86_400;
const RATE_SECONDS = 5;
const RATES_ALONE = 3;
const NEVER = new AbortController().signal;
/** Nobody writes to the restored network. */
const ALONE = { signal: NEVER, requireClosed: async () => {} };

/**
 * Measures each step, for 100,000 accounts and 10 million tickets, with and without bets in another network. Arguments:
 * millions of tickets, then `alone` to skip the first part.
 */
export async function benchRestore(): Promise<void> {
  const tickets = Number(process.argv[3] ?? 10) * 1_000_000;
  const isAlone = process.argv[4] === 'alone';
  console.log(machine());
  await withBenchDatabase(POOL, async (db, connectionString) => {
    const dir = await mkdtemp(path.join(tmpdir(), 'drawhouse-backups-'));
    try {
      const field = await prepare(db, connectionString, { dir, tickets });
      const withLoad = isAlone ? [] : await measureWithLoad(db, field);
      const alone = await restore(field, await readAdmin(db, field.adminId));
      say('restore, without bets', alone);
      judge([
        ...withLoad,
        { label: 'the same restore without bets', value: afterBackup(alone), atMost: 240, unit: ' s' },
      ]);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
}

async function measureWithLoad(db: Database, field: Field): Promise<Promised[]> {
  const { other, restoring, adminId } = field;
  const alone = async (): Promise<number> => {
    const rates: number[] = [];
    for (let nth = 0; nth < RATES_ALONE; nth++)
      rates.push(await engineRate(other.services, other.players, RATE_SECONDS));
    return median(rates);
  };
  const before = await alone();
  const besides: { during: string; rate: number }[] = [];
  let step: string | undefined = FIRST;
  const memory = createMemoryWatch(50);
  const restored = restore(field, await readAdmin(db, adminId), (next) => (step = next)).finally(
    () => (step = undefined),
  );
  while (step !== undefined) {
    const during = step;
    const rate = await engineRate(other.services, other.players, RATE_SECONDS, { comeBack: true });
    besides.push({ during, rate });
  }
  const steps = await restored;
  const { grown } = memory();
  const after = await alone();
  const replaced = await readAdmin(db, adminId);
  const undone = await timed((progress) => restoring.undo(callOf(replaced), { ...ALONE, progress }));
  say('restore', steps);
  say('undo', undone);
  // Added tickets slow bets down too: see `npm run lab -- bench tickets growth`.
  const betsAlone = (before + after) / 2;
  console.log(`bets per second alone: ${Math.round(before)} before, ${Math.round(after)} after`);
  for (const [during, some] of Map.groupBy(besides, (one) => one.during))
    console.log(`bets ÷ alone, ${during}: ${some.map(({ rate }) => (rate / betsAlone).toFixed(2)).join(' ')}`);
  return [
    { label: 'the restore, without its safety backup', value: afterBackup(steps), atMost: 240, unit: ' s' },
    {
      label: 'the transaction that exchanges 100,000 accounts',
      value: steps.get('Exchanging')!,
      atMost: 5,
      unit: ' s',
    },
    { label: 'memory of the server beyond what it had', value: grown / 1e6, atMost: 150, unit: ' MB' },
    {
      label: 'bets per second of another network during it ÷ alone',
      value: median(besides.slice(0, -1).map(({ rate }) => rate)) / betsAlone,
      atLeast: 0.7,
    },
  ];
}

function restore(
  { restoring, backup }: Field,
  actor: Actor,
  changed: (step: string) => void = () => {},
): Promise<Map<string, number>> {
  return timed((begin) => {
    const progress = (step: string): void => (changed(step), begin(step));
    return restoring.restore({ call: callOf(actor), backup, renames: {} }, { ...ALONE, progress });
  });
}

function say(title: string, steps: ReadonlyMap<string, number>): void {
  console.log(`${title}: ${[...steps].map(([step, seconds]) => `${step} ${seconds.toFixed(1)} s`).join(', ')}`);
}

type Field = Awaited<ReturnType<typeof prepare>>;

async function prepare(
  db: Database,
  connectionString: string,
  { dir, tickets }: { readonly dir: string; readonly tickets: number },
) {
  const network = await makeNetwork(db, { games: [GAME], players: PLAYERS, credit: CREDIT });
  const { services, networkId } = network;
  await fillNetwork(network, [{ game: GAME, tickets: TICKETS, lines: 1 }], tickets / TICKETS);
  const other = await makeNetwork(db, {
    games: [GAME],
    players: BYSTANDERS,
    credit: CREDIT,
    clock: systemClock,
    prefix: 'other-',
  });
  await setDrawInterval(db, GAME, DAY_SECONDS);
  await other.machine.tick();
  await db.query('vacuum analyze');
  const [{ id: adminId }] = (await db.query<{ id: string }>('select admin_id as id from networks where id = $1', [
    networkId,
  ])) as [{ id: string }];
  const admin = await readAdmin(db, adminId);
  const settings = {
    connectionString: () => connectionString,
    dir,
    key: undefined,
    sealKey: TEST_SEAL_KEY,
    take: takeBackupInChild,
  };
  const restoring = createRestoring({
    services,
    settings,
    voidUnfinished: (number, signal) => voidUnfinished(network.machine, number, signal),
    keepWallKey,
    audit: auditStagedNetwork,
  });
  const { name } = await backUpNetwork(services, settings, {
    admin,
    by: 'bench',
    signal: NEVER,
  });
  const backup = (await findBackup(dir, admin.id, name)) as CompleteBackup;
  return { restoring, other, adminId, backup };
}

async function readAdmin(db: Database, id: string): Promise<Actor> {
  const [row] = await db.query<Actor & Record<string, unknown>>(
    `select id, username, role, chain, network_id as "networkId" from accounts where id = $1`,
    [id],
  );
  return row!;
}

const FIRST = 'Backing up the current state';

function afterBackup(steps: ReadonlyMap<string, number>): number {
  return [...steps].reduce((sum, [step, seconds]) => sum + (step === FIRST ? 0 : seconds), 0);
}

async function timed(act: (progress: (step: string) => void) => Promise<unknown>): Promise<Map<string, number>> {
  const steps = new Map<string, number>();
  let [current, from] = [FIRST, performance.now()];
  const end = (next: string): void => {
    if (next === current) return;
    steps.set(current, (steps.get(current) ?? 0) + (performance.now() - from) / 1000);
    [current, from] = [next, performance.now()];
  };
  await act(end);
  end('');
  return steps;
}
