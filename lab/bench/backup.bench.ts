import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { takeBackupApart } from '../../apps/server/src/backup/take-backup-apart.ts';
import { verifyBackup } from '../../apps/server/src/backup/verify-backup.ts';
import { machine, median, withBenchDatabase } from './bench-database.ts';
import { judge } from './contest.ts';
import { storeTickets } from './filled-network.ts';
import { createMemoryWatch } from './memory-watch.ts';
import { engineRate, GAME, makeField } from './tickets/ticket-field.ts';

const POOL = 4;
const PLAYERS = 10_000;
/** Seconds of bets that one rate is of. */
const RATE_SECONDS = 5;
const RATES_ALONE = 3;

/** Measures the backup of 10 million tickets, or as many millions as the next argument says, by itself and beside bets of its network. */
export async function benchBackup(): Promise<void> {
  const tickets = Number(process.argv[3] ?? 10) * 1_000_000;
  console.log(machine());
  await withBenchDatabase(POOL, async (db, connectionString) => {
    const into = await mkdtemp(path.join(tmpdir(), 'drawhouse-backups-'));
    try {
      const network = await makeField(db, PLAYERS);
      const { services, networkId, players } = network;
      await storeTickets(network, { game: GAME, tickets, lines: 1 });
      await db.query('vacuum analyze');
      const take = async (name: string) => {
        const from = performance.now();
        const { files } = await takeBackupApart({
          connectionString,
          networkId,
          into,
          name,
          by: 'bench',
          takenAt: new Date(),
          signal: new AbortController().signal,
        });
        return { files, seconds: (performance.now() - from) / 1000 };
      };

      const memory = createMemoryWatch(50);
      const apart = watchChildren();
      const alone = await take('alone');
      const grown = memory().grown + apart();
      const verifyFrom = performance.now();
      const { problems } = await verifyBackup(path.join(into, 'alone'));
      const verifySeconds = (performance.now() - verifyFrom) / 1000;

      const rates: number[] = [];
      for (let nth = 0; nth < RATES_ALONE; nth++) rates.push(await engineRate(services, players, RATE_SECONDS));
      const besides: number[] = [];
      let isDone = false;
      const beside = take('beside').finally(() => (isDone = true));
      while (!isDone) besides.push(await engineRate(services, players, RATE_SECONDS));
      const { seconds: besideSeconds } = await beside;

      const sumOf = (what: 'rows' | 'bytes'): number => alone.files.reduce((sum, file) => sum + file[what], 0);
      console.log(
        `\n${tickets} tickets: ${sumOf('rows')} rows in ${Math.round(sumOf('bytes') / 1e6)} MB; beside bets in ${besideSeconds.toFixed(1)} s; verified in ${verifySeconds.toFixed(1)} s, ${problems.length} problems.`,
      );
      judge([
        { says: 'the backup by itself', value: alone.seconds, atMost: 90, unit: ' s' },
        {
          says: 'memory of the server beyond what it had, with the process of the backup',
          value: grown / 1e6,
          atMost: 150,
          unit: ' MB',
        },
        // Its last rate may go beyond the end of the backup.
        { says: 'bets a second beside it ÷ alone', value: median(besides.slice(0, -1)) / median(rates), atLeast: 0.8 },
      ]);
    } finally {
      await rm(into, { recursive: true, force: true });
    }
  });
}

/**
 * Watches how much memory the processes have that this one begins, beside the program, which is in memory once for all. Gives what ends that and
 * says the most of one, in bytes; 0 but on Linux.
 */
function watchChildren(): () => number {
  let most = 0;
  const look = (): void => {
    for (const pid of read(`/proc/${process.pid}/task/${process.pid}/children`).split(' ').filter(Boolean))
      most = Math.max(most, Number(/RssAnon:\s*(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024);
  };
  const timer = setInterval(look, 50);
  return () => {
    clearInterval(timer);
    return most;
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
