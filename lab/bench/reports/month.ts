import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { END } from '@drawhouse/contract/core/list';
import { hundredthsOf } from '@drawhouse/contract/core/primitives';
import { betList } from '@drawhouse/contract/reports/bet-list';
import { dashboard } from '@drawhouse/contract/reports/dashboard';
import { turnoverReport } from '@drawhouse/contract/reports/turnover';
import type { App } from '../../../apps/server/src/compose/app.ts';
import type { Database } from '../../../apps/server/src/platform/db/database.ts';
import { withBenchApp } from '../fixtures/bench-app.ts';
import { median, withBenchDatabase } from '../fixtures/bench-database.ts';
import { type BenchNetwork, makeNetwork } from '../fixtures/bench-network.ts';
import { judge, type Promised, shown } from '../measure/contest.ts';
import { fillNetwork } from '../fixtures/filled-network.ts';
import { type Served, startServed } from '../fixtures/bench-server.ts';

const GAMES = ['funtargetbingo', 'roulette36'];
const TICKETS = 5_000;
const DAY_MS = 86_400_000;
/** Duration of one {@link fillNetwork} round. */
const ROUND_MS = 300_000;
const CREDIT = 1_000_000_000n;
const LIMITS = { timesFaster: 200, turnoverMs: 50, growth: 2, pageMs: 50, dashboardMs: 100 };

interface Viewer {
  readonly app: App;
  readonly token: string;
}

/** Measures on a tenth of the tickets, then on all. */
export async function benchMonth(scale: ReportsScale): Promise<void> {
  await withBenchDatabase(10, async (db, url) => {
    const network = await makeNetwork(db, { games: GAMES, players: scale.players, credit: CREDIT });
    const start = network.services.clock.now();
    const { clock, timeZone } = network.services;
    await withBenchApp(
      db,
      async (app) => {
        const draws = Math.max(1, Math.round(scale.tickets / TICKETS / GAMES.length));
        const first = Math.max(1, Math.round(draws / 10));
        const stepMs = Math.max(0, (scale.days * DAY_MS) / draws - ROUND_MS);
        await fill(network, first, stepMs);
        const small = await readTurnover(db, app, start, network, scale.rounds);
        await fill(network, draws - first, stepMs);
        const large = await readTurnover(db, app, start, network, scale.rounds);
        console.log('\n| tickets | turnover at the root, ms | from the tickets, ms |\n|--:|--:|--:|');
        for (const { tickets, reportMs, rawMs } of [small, large])
          console.log(`| ${shown(tickets)} | ${shown(reportMs)} | ${shown(rawMs)} |`);
        const pages = await readPages(
          { app, token: await openSession(db, 'bench-admin', clock.now()) },
          network,
          start,
          scale.rounds,
        );
        const token = await openSession(db, 'bench-admin', new Date());
        const file = await measureFile({ db, url, token }, periodOf(start, network), scale.exported);
        judge([
          {
            label: 'turnover: times faster than from the tickets',
            value: large.rawMs / large.reportMs,
            atLeast: LIMITS.timesFaster,
          },
          { label: 'turnover at the root', value: large.reportMs, atMost: LIMITS.turnoverMs, unit: ' ms' },
          {
            label: 'turnover: growth to ten times the tickets',
            value: large.reportMs / small.reportMs,
            atMost: LIMITS.growth,
          },
          {
            label: 'turnover: hundredths that differ from the tickets',
            value: small.differs + large.differs,
            atMost: 0,
          },
          ...pages,
          ...file,
        ]);
      },
      { clock, timeZone },
    );
  });
}

async function fill(network: BenchNetwork, rounds: number, stepMs: number): Promise<void> {
  if (rounds <= 0) return;
  const from = performance.now();
  const plans = GAMES.map((game) => ({ game, tickets: TICKETS, lines: 1 }));
  await fillNetwork(network, plans, rounds, (done) => {
    network.advance(stepMs);
    if (done % 50 === 0) console.log(`${shown(done * TICKETS * GAMES.length)} tickets more are there`);
  });
  network.advance(ROUND_MS);
  await network.services.db.query('vacuum analyze');
  console.log(`Filling took ${shown((performance.now() - from) / 1000)} s.`);
}

interface Turnover {
  readonly tickets: number;
  readonly reportMs: number;
  readonly rawMs: number;
  readonly differs: number;
}

/** Ends at an odd instant, so reports combine days, quarter hours and single settlements. */
function periodOf(start: Date, { services }: BenchNetwork): { startDate: string; endDate: string } {
  return {
    startDate: new Date(start.getTime() - 1).toISOString(),
    endDate: new Date(services.clock.now().getTime() - 1).toISOString(),
  };
}

async function readTurnover(
  db: Database,
  app: App,
  start: Date,
  network: BenchNetwork,
  rounds: number,
): Promise<Turnover> {
  const token = await openSession(db, 'superadmin', app.services.clock.now());
  const period = periodOf(start, network);
  const url = `/api/${turnoverReport.route.path}?${new URLSearchParams(period).toString()}`;
  const times = { report: [] as number[], raw: [] as number[] };
  let [logged, raw] = [
    { play: 0n, win: 0n },
    { tickets: 0n, play: 0n, win: 0n },
  ];
  for (let round = 0; round <= rounds; round++) {
    const [answer, reportMs] = await timed(() => ask({ app, token }, url));
    const { totals } = answer as { totals: { playPoints: number; winPoints: number } };
    logged = { play: hundredthsOf(totals.playPoints)!, win: hundredthsOf(totals.winPoints)! };
    if (round > 0) times.report.push(reportMs);
    if (round > Math.min(rounds, 3)) continue;
    const [[row], rawMs] = await timed(() => db.query<typeof raw>(FROM_TICKETS, [period.startDate, period.endDate]));
    raw = row!;
    times.raw.push(rawMs);
  }
  const differs = Number(magnitude(logged.play - raw.play) + magnitude(logged.win - raw.win));
  return { tickets: Number(raw.tickets), reportMs: median(times.report), rawMs: median(times.raw), differs };
}

const FROM_TICKETS = `select count(*) as tickets, coalesce(sum(t.stake), 0)::bigint as play, coalesce(sum(w.win), 0)::bigint as win
  from tickets t join draw_settlements s on s.network_id = t.network_id and s.draw_id = t.draw_id
  left join ticket_wins w on w.network_id = t.network_id and w.draw_id = t.draw_id and w.ticket_id = t.id
  where s.settled_at between $1 and $2`;

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** Limits are in milliseconds. */
function callsOf(network: BenchNetwork, start: Date): [label: string, path: string, atMost: number][] {
  const [player] = network.players;
  const period = periodOf(start, network);
  const tdate = new Intl.DateTimeFormat('en-CA', { timeZone: network.services.timeZone }).format(start);
  const retailer = { userId: player!.chain.at(-2)! };
  const game = { gameId: GAMES[0]! };
  const filters: [string, Record<string, string>][] = [
    ['no filter', period],
    ['a day', { ...period, tdate }],
    ['a game', { ...period, ...game }],
    ['a player', { ...period, userId: player!.id }],
    ['a player and a game', { ...period, ...game, userId: player!.id }],
    ['a retailer’s players', { ...period, ...retailer }],
    ['a retailer’s players and a game', { ...period, ...retailer, ...game }],
  ];
  const ends: [string, Record<string, string>][] = [
    ['first page', {}],
    ['last page', { after: END }],
  ];
  return [
    ...filters.flatMap(([name, filter]) =>
      ends.map(([end, place]): [string, string, number] => {
        const query = new URLSearchParams({ ...filter, ...place, pageSize: '25' });
        return [`Bet list, ${name}: ${end}`, `${betList.route.path}?${query.toString()}`, LIMITS.pageMs];
      }),
    ),
    ['dashboard', dashboard.path, LIMITS.dashboardMs],
  ];
}

async function readPages(viewer: Viewer, network: BenchNetwork, start: Date, rounds: number): Promise<Promised[]> {
  const calls = callsOf(network, start);
  const times = calls.map((): number[] => []);
  for (let round = 0; round <= rounds; round++)
    for (const [place, [label, path]] of calls.entries()) {
      const [answer, ms] = await timed(() => ask(viewer, `/api/${path}`));
      // Empty answers would be fast but meaningless.
      if ((answer as { data?: unknown[] }).data?.length === 0) throw new Error(`${label} has no rows.`);
      if (round > 0) times[place]!.push(ms);
    }
  return calls.map(([label, , atMost], place) => ({ label, value: median(times[place]!), atMost, unit: ' ms' }));
}

async function ask({ app, token }: Viewer, url: string): Promise<unknown> {
  const reply = await app.http.inject({ url, headers: { authorization: `Bearer ${token}` } });
  if (reply.statusCode !== 200) throw new Error(`${url} answered ${reply.statusCode}: ${reply.body.slice(0, 500)}`);
  return reply.json();
}

async function timed<T>(act: () => Promise<T>): Promise<[T, number]> {
  const from = performance.now();
  const result = await act();
  return [result, performance.now() - from];
}

async function openSession(db: Database, username: string, at: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db.query(
    `insert into sessions (token_hash, account_id, created_at, last_used_at, ip, user_agent)
     select $1, id, $2, $2, '127.0.0.1', 'bench' from accounts where username = $3`,
    [createHash('sha256').update(token).digest(), at, username],
  );
  return token;
}

export interface ReportsScale {
  /** Growth is first measured at a tenth. */
  readonly tickets: number;
  readonly players: number;
  readonly days: number;
  readonly rounds: number;
  readonly exported: number;
}

/** Scale of docs/performance.md. */
export const FULL: ReportsScale = { tickets: 10_000_000, players: 100_000, days: 30, rounds: 5, exported: 1_000_000 };

const run = promisify(execFile);
const CLIENT = fileURLToPath(new URL('read-file.ts', import.meta.url));
const MEBIBYTE = 1024 * 1024;
const LIMIT_MIB = 200;

const SAMPLE_MS = 20;

/** The client disconnects midway. It runs in its own process, so the bench's heap distorts nothing. */
async function measureFile(
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
