import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { newPrivateKey } from '@drawhouse/tlog/node/ed25519';
import { readConsistency } from '@drawhouse/tlog/tree-reader';
import type { Database } from '../../apps/server/src/platform/db/database.ts';
import { readTile } from '../../apps/server/src/transparency/seal/seal-files.ts';
import { readState } from '../../apps/server/src/transparency/seal/seal-state.ts';
import { startSealing } from '../../apps/server/src/transparency/seal/run/sealing-thread.ts';
import { machine, median, withBenchDatabase } from './fixtures/bench-database.ts';
import { readOptions } from './measure/bench-options.ts';
import { byTurns, cells, judge, ratioOf, shown } from './measure/contest.ts';
import type { BenchNetwork } from './fixtures/bench-network.ts';
import { engineRate, makeField } from './tickets/ticket-field.ts';

const SCALE = { seconds: 10, rounds: 9, players: 10_000 };
const POOL = 6;
const LEFT = 0.97;
/** Each turn starts a fresh server and sealer. */
const WARM_SECONDS = 2;
const SEALED_WITHIN_MS = 2_000;
const PROOF_WITHIN_MS = 10;
const PROBE_EVERY_MS = 50;
const PROOFS = 200;

const LABELS = {
  without: 'not sealed; rows do not name their transaction',
  written: 'not sealed; rows name their transaction',
  sealed: 'sealed',
} as const;

/**
 * `npm run lab -- bench seals [--seconds 10] [--rounds 9] [--players 10000]`: compares bets per second with and without
 * seals. Also measures sealing delay and consistency proofs.
 */
export async function benchSeals(args: readonly string[]): Promise<void> {
  const { seconds, rounds, players } = readOptions(args, SCALE).scale;
  console.log(machine());
  const dir = await mkdtemp(join(tmpdir(), 'drawhouse-seals-'));
  try {
    // Separate databases grow at the same pace.
    await withBenchDatabase(POOL, (plain) =>
      withBenchDatabase(POOL, (written) =>
        withBenchDatabase(POOL, async (db, url) => {
          const before = await makeField(plain, players);
          await forgetWriters(plain);
          const lates: number[] = [];
          const rates = await byTurns(rounds, {
            without: rateOf(before, seconds),
            written: rateOf(await makeField(written, players), seconds),
            sealed: whileSealed(db, { dir, url }, rateOf(await makeField(db, players), seconds, lates)),
          });
          console.log(`${players} players, ${rounds} alternating rounds of ${seconds} s\n`);
          console.log('| bets per second | median | least to most | × without |\n|---|--:|--:|--:|');
          for (const name of ['without', 'written', 'sealed'] as const)
            console.log(
              `| ${LABELS[name]} | ${cells(rates[name])} | ${ratioOf(rates[name], rates.without).toFixed(3)} |`,
            );
          const { size, proofMs } = await proofTimes(dir);
          console.log(`\nThe log has ${shown(size)} records; a proof takes ${shown(median(proofMs))} ms (median).`);
          judge([
            { label: 'bets with seals ÷ without', value: ratioOf(rates.sealed, rates.without), atLeast: LEFT },
            { label: 'sealed, p99', value: percentile(lates), atMost: SEALED_WITHIN_MS, unit: ' ms' },
            { label: 'a consistency proof, p99', value: percentile(proofMs), atMost: PROOF_WITHIN_MS, unit: ' ms' },
          ]);
        }),
      ),
    );
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** The delay probe runs in every turn, so its cost cancels out. */
function rateOf({ services, players }: BenchNetwork, seconds: number, lates: number[] = []): () => Promise<number> {
  return async () => {
    await engineRate(services, players, WARM_SECONDS);
    return whileProbed(services.db, lates, () => engineRate(services, players, seconds));
  };
}

async function forgetWriters(db: Database): Promise<void> {
  await db.query('drop function mark_written cascade');
  const tables = await db.query<{ table: string }>(
    'select attrelid::regclass::text as table from pg_attribute a join pg_class c on c.oid = a.attrelid ' +
      "where attname = 'written_by' and relkind = 'r' and not attisdropped and relnamespace = " +
      "'public'::regnamespace",
  );
  for (const { table } of tables) await db.query(`alter table ${table} drop column written_by cascade`);
}

function whileSealed<T>(
  db: Database,
  { dir, url }: { dir: string; url: string },
  act: () => Promise<T>,
): () => Promise<T> {
  const data = { dir, name: 'bench', privateKey, witnesses: [] };
  return async () => {
    const sealing = startSealing(data, () => url, {
      changed: (trouble) => trouble !== undefined && console.error(trouble),
      unlogged: (changes) => console.error(`${changes} changes past the log`),
      unpruned: () => {},
      witnessed: () => {},
    });
    await caughtUp(db);
    try {
      return await act();
    } finally {
      await sealing.stop();
    }
  };
}

async function whileProbed<T>(db: Database, lates: number[], act: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const probing = probe(db, lates, ended.signal);
  try {
    return await act();
  } finally {
    ended.abort();
    await probing;
  }
}

const privateKey = newPrivateKey();
let probes = 0;

/** Waits out a backlog, which would distort delays. */
async function caughtUp(db: Database): Promise<void> {
  const lates: number[] = [];
  await whileProbed(db, lates, async () => {
    while (!lates.some((late) => late < SEALED_WITHIN_MS)) await delay(PROBE_EVERY_MS);
  });
}

async function probe(db: Database, lates: number[], signal: AbortSignal): Promise<void> {
  let waiting: { xid: string; atMs: number }[] = [];
  while (!signal.aborted) {
    const [row] = await db.query<{ xid: string }>(
      "insert into pinned_settings (name, value) values ($1, '') returning pg_current_xact_id()::text as xid",
      [`probe ${++probes}`],
    );
    waiting.push({ xid: row!.xid, atMs: performance.now() });
    await delay(PROBE_EVERY_MS);
    const sealed = await db.query<{ xid: string }>(
      `select xid from unnest($1::text[]) as p (xid)
       where pg_visible_in_snapshot(xid::xid8, (select snapshot from seal_progress order by origin desc limit 1))`,
      [waiting.map(({ xid }) => xid)],
    );
    const done = new Set(sealed.map(({ xid }) => xid));
    for (const one of waiting) if (done.has(one.xid)) lates.push(performance.now() - one.atMs);
    waiting = waiting.filter(({ xid }) => !done.has(xid));
  }
}

async function proofTimes(dir: string): Promise<{ size: number; proofMs: number[] }> {
  const folder = join(dir, '1');
  const { size } = (await readState(folder))!;
  const proofMs: number[] = [];
  for (let nth = 1; nth <= PROOFS; nth++) {
    const fromMs = performance.now();
    await readConsistency(
      { size, readTile: (tile) => readTile(folder, tile) },
      Math.floor((size * nth) / (PROOFS + 1)),
      size,
    );
    proofMs.push(performance.now() - fromMs);
  }
  return { size, proofMs };
}

function percentile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? NaN;
}
