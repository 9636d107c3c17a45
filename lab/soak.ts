/**
 * `npm run lab -- soak --minutes 30` (lab/README.md), under the demo's load on temporary data.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { startEmbedded } from '../apps/server/src/platform/db/embedded/embedded.ts';
import { give, makeNetwork } from '../tools/demo/demo-network.ts';
import { connect, patient, pause } from '../tools/demo/client.ts';
import { DEMO_PASSWORD } from '../tools/demo/plan.ts';
import { startServer, type DemoServer } from '../tools/demo/demo-server.ts';
import { runScript } from '../tools/run.ts';
import { connect as connectDatabase } from '../apps/server/src/platform/db/database.ts';
import { simulate } from './simulate/crowd.ts';
import { createHttpWire } from './simulate/http-wire.ts';
import { Tally } from './simulate/tally.ts';
import { work } from './soak/soak-load.ts';
import { judge, judgeLoad, tableHead, tableLine, type Sample, type Verdict } from './soak/verdict.ts';
import type { Question, Reading } from './soak/probe.ts';

interface Sampler {
  sample(minute: number, question: Question): Promise<Sample>;
  close(): Promise<void>;
}

const ANSWER_MS = 30_000;

/** Counts connections itself; the probe reports the rest. */
async function startSampler(server: ChildProcess, dataDir: string): Promise<Sampler> {
  const postgres = await startEmbedded(dataDir, { exclusive: false });
  if (!postgres) throw new Error(`There is no database in ${dataDir}.`);
  const db = connectDatabase(postgres.ownerUrl, { onError: (error) => console.error(error.message), poolSize: 1 });
  return {
    async sample(minute, question) {
      const answer = once(server, 'message', { signal: AbortSignal.timeout(ANSWER_MS) });
      server.send(question);
      const [reading] = (await answer) as [Reading];
      const [row] = await db.query<{ connections: number }>(
        `select count(*)::int as connections from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      return { ...reading, minute, connections: row!.connections };
    },
    close: () => db.close(),
  };
}

const BETS_PER_SECOND = 6;
const AT_ONCE = 16;
const SAMPLE_EVERY_MS = 3_000;
const MINUTE_MS = 60_000;
const MINUTES = { least: 5, most: 24 * 60, default: 30 };
/** Minutes; else the first third. */
const WARM_UP_MOST = 10;
/** Full collections for a reliable slope. */
const COLLECTIONS = 24;
const TABLE_LINES = 24;
/** Pending requests may take 3 seconds of it. */
const END_MS = 20_000;
/** Each takes about 0.1 s. */
const SEQUENCES_PER_MINUTE = 100;
const PROBE = new URL('soak/probe.ts', import.meta.url).href;

async function soak(minutes: number, dataDir: string, signal: AbortSignal): Promise<Verdict[]> {
  const server = await startServer(signal, { env: { DATA_DIR: dataDir, PORT: '0' }, preload: PROBE });
  // Load stops before the server, even if interrupted.
  const stopping = new AbortController();
  const client = connect(server.url, AT_ONCE, stopping.signal);
  let ended = false;
  void server.ended.then(() => {
    ended = true;
    stopping.abort();
  });
  const interrupted = (): void => stopping.abort();
  signal.addEventListener('abort', interrupted);
  const verdicts: Verdict[] = [];
  try {
    console.log(`Server at ${server.url}. Making the demo network …`);
    const { players } = await makeNetwork(patient(client.call, stopping.signal));
    const bets = new Tally();
    const wire = createHttpWire(server.url, AT_ONCE);
    const betting = simulate(
      {
        wire,
        call: client.call,
        players: [...players.keys()].map((username) => ({ username, password: DEMO_PASSWORD })),
        rate: BETS_PER_SECOND,
        signal: stopping.signal,
        topUp: (username) => give(players.get(username)!),
      },
      bets,
    );
    const crew = { url: server.url, call: client.call, players: [...players.values()], signal: stopping.signal };
    const { works, ended: worked } = work(crew);
    const judged = await watch(server, dataDir, minutes, stopping.signal);
    stopping.abort();
    await Promise.all([betting, worked, client.quiet()]);
    wire.close();
    if (ended) throw new Error('The server stopped unexpectedly.');
    signal.throwIfAborted();
    verdicts.push(...judge(judged), ...judgeLoad(bets, works), await audit(dataDir));
  } finally {
    stopping.abort();
    signal.removeEventListener('abort', interrupted);
    await client.quiet();
    verdicts.push(await end(server, dataDir));
  }
  return verdicts;
}

/** Kills a hanging server. */
async function end(server: DemoServer, dataDir: string): Promise<Verdict> {
  const timeUp = setTimeout(() => server.process.kill('SIGKILL'), END_MS);
  await server.stop();
  clearTimeout(timeUp);
  const code = await server.ended;
  if (code === 0) return { ok: true, text: 'the server stops on SIGTERM' };
  const postgres = await startEmbedded(dataDir, { exclusive: false });
  await postgres?.stop();
  return { ok: false, text: `the server did not stop within ${END_MS / 1000} s: exit code ${code}` };
}

async function watch(server: DemoServer, dataDir: string, minutes: number, signal: AbortSignal): Promise<Sample[]> {
  const warmUp = Math.min(WARM_UP_MOST, minutes / 3);
  const collectAfterMs = Math.min(MINUTE_MS, ((minutes - warmUp) * MINUTE_MS) / COLLECTIONS);
  const judged: Sample[] = [];
  const sampler = await startSampler(server.process, dataDir);
  try {
    console.log(
      `${minutes} minutes of work; the first ${warmUp.toFixed(1)} warm up and are not judged.\n\n${tableHead()}`,
    );
    const startedAt = performance.now();
    let lines = 0;
    for (let minute = 0; minute < minutes && !signal.aborted;) {
      await pause(SAMPLE_EVERY_MS, signal);
      if (signal.aborted) break;
      minute = (performance.now() - startedAt) / MINUTE_MS;
      const warm = minute >= warmUp;
      const sample = await sampler.sample(minute, { collectAfterMs, forget: !warm });
      if (warm) judged.push(sample);
      if (minute < (lines * minutes) / TABLE_LINES && minute < minutes) continue;
      console.log(tableLine(sample));
      lines++;
    }
  } finally {
    await sampler.close();
  }
  return judged;
}

async function audit(dataDir: string): Promise<Verdict> {
  const env = { DATA_DIR: dataDir, DATABASE_URL: '' };
  const { code, output } = await runScript('apps/server/src/commands/run-audit.ts', [], { env });
  const text = code === 0 ? 'the audit finds no fault' : `the audit exits ${code}\n${output}`;
  return { ok: code === 0, text };
}

/** The model prints its seed. */
async function playLedger(minutes: number): Promise<Verdict> {
  const sequences = Math.round(minutes * SEQUENCES_PER_MINUTE);
  console.log(`\nThe ledger against its model: ${sequences} sequences …`);
  const env = { LEDGER_SEQUENCES: String(sequences) };
  const args = ['run', '--project', 'server', 'ledger-model'];
  const { code, output } = await runScript('node_modules/vitest/vitest.mjs', args, { env });
  const seed = /LEDGER_SEED=\d+/.exec(output)?.[0];
  const text = `the ledger agrees with its model in ${sequences} sequences, ${seed}`;
  return code === 0 ? { ok: true, text } : { ok: false, text: `failed: ${text}\n${output}` };
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: String(MINUTES.default) } } });
  const minutes = Number(values.minutes);
  if (!(minutes >= MINUTES.least && minutes <= MINUTES.most))
    throw new Error(`--minutes is a number from ${MINUTES.least} to ${MINUTES.most}.`);
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
  const dataDir = await mkdtemp(path.join(tmpdir(), 'drawhouse-soak-'));
  try {
    const verdicts = await soak(minutes, dataDir, stopping.signal);
    if (!stopping.signal.aborted) verdicts.push(await playLedger(minutes));
    console.log(`\n${verdicts.map(({ ok, text }) => `${ok ? 'PASS' : 'FAIL'}  ${text}`).join('\n')}`);
    const failures = verdicts.filter(({ ok }) => !ok).length;
    console.log(failures === 0 ? '\nThe soak passes.' : `\nThe soak fails in ${failures} of ${verdicts.length}.`);
    if (failures > 0) process.exitCode = 1;
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    process.exitCode = 130;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
