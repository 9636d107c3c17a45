import { execFile } from 'node:child_process';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { betList } from '@drawhouse/contract/reports/bet-list';
import type { Database } from '../../../apps/server/src/platform/db/database.ts';
import { shown, type Promised } from '../measure/contest.ts';
import { startServed, type Served } from '../fixtures/bench-server.ts';

const run = promisify(execFile);
const CLIENT = fileURLToPath(new URL('read-file.ts', import.meta.url));
const MEBIBYTE = 1024 * 1024;
const LIMIT_MIB = 200;

const SAMPLE_MS = 20;

/** The client disconnects midway. It runs in its own process, so the bench's heap distorts nothing. */
export async function measureFile(
  { db, url, token }: { db: Database; url: string; token: string },
  period: Record<string, string>,
  rowCount: number,
): Promise<Promised[]> {
  const server = await startServed(url);
  try {
    return await readFrom(server, { db, token, period, rowCount });
  } finally {
    await server.stop();
  }
}

async function readFrom(
  server: Served,
  { db, token, period, rowCount }: { db: Database; token: string; period: Record<string, string>; rowCount: number },
): Promise<Promised[]> {
  const { now: base } = await server.memory();
  let peak = base;
  const timer = setInterval(() => void server.memory().then(({ now }) => (peak = Math.max(peak, now))), SAMPLE_MS);
  const from = performance.now();
  const address = `${server.url}/api/${betList.route.path}/csv?${new URLSearchParams(period).toString()}`;
  let read: { rows: number; bytes: number; total: number };
  try {
    const { stdout } = await run(process.execPath, [CLIENT, address, token, String(rowCount)]);
    read = JSON.parse(stdout) as typeof read;
  } finally {
    clearInterval(timer);
  }
  const { rows, bytes, total } = read;
  const seconds = (performance.now() - from) / 1000;
  console.log(
    `\nOf a file of ${shown(total)} rows ${shown(rows)} were read in ${shown(seconds)} s (${shown(bytes / MEBIBYTE)} ` +
      `MiB), then its client left. The server had ${shown(base / MEBIBYTE)} MiB before, and ` +
      `${shown(peak / MEBIBYTE)} at most.`,
  );
  return [
    {
      label: `memory beside a file of ${shown(rows)} rows`,
      value: (peak - base) / MEBIBYTE,
      atMost: LIMIT_MIB,
      unit: ' MiB',
    },
    { label: 'the file says how many rows it has', value: total, atLeast: Math.min(rows, rowCount) - 2 },
    { label: 'statements that read on without a client', value: await stillReading(db), atMost: 0 },
  ];
}

async function stillReading(db: Database): Promise<number> {
  const reading =
    "select count(*)::int as count from pg_stat_activity where state = 'active' and query like '%from " +
    "tickets%' and pid <> pg_backend_pid()";
  for (let tries = 0; ; tries++) {
    const [row] = await db.query<{ count: number }>(reading);
    if (row!.count === 0 || tries === 100) return row!.count;
    await turn();
  }
}
