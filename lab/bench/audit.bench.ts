import { randomUUID } from 'node:crypto';
import { audit } from '../../apps/server/src/audit/audit.ts';
import type { Check } from '../../apps/server/src/audit/audit-check.ts';
import type { Database, Queryable } from '../../apps/server/src/platform/db/database.ts';
import { auditLedger } from '../../apps/server/src/audit/books/audit-ledger.ts';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { openNetwork } from '../../apps/server/src/ledger/wallets.ts';
import { machine, withBenchDatabase } from './fixtures/bench-database.ts';
import { fillNetwork } from './fixtures/filled-network.ts';
import { makeNetwork } from './fixtures/bench-network.ts';
import { createMemoryWatch } from './measure/process-usage.ts';

const TRANSFERS = 10_000_000;
const WALLETS = 100_000;
const PIECE = 500_000;
const LIMIT_SECONDS = 60;

const PLANS = [
  { game: 'funtargetbingo', lines: 1 },
  { game: 'roulette36', lines: 2 },
  { game: 'triplefun', lines: 1 },
  { game: 'lottery3d', lines: 3 },
];
const PLAYERS = 10_000;
const TICKETS = 5_000;
const TICKETS_LIMIT_SECONDS = 120;

/** Audits 10 million transfers, then everything with 10 million tickets. An argument sets the millions. */
export async function benchAudit(): Promise<void> {
  console.log(machine());
  await withBenchDatabase(2, async (db) => {
    await fill(db);
    await measure(db, `the books, ${TRANSFERS} transfers`, LIMIT_SECONDS, auditLedger);
  });
  const rounds = (Number(process.argv[3] ?? 10) * 1_000_000) / (PLANS.length * TICKETS);
  await withBenchDatabase(2, async (db) => {
    const network = await makeNetwork(db, {
      games: PLANS.map(({ game }) => game),
      players: PLAYERS,
      credit: 1_000_000_000n,
    });
    const plans = PLANS.map((plan) => ({ ...plan, tickets: TICKETS }));
    await fillNetwork(network, plans, rounds, (done) => {
      if (done % 50 === 0) console.log(`${done * PLANS.length * TICKETS} tickets are there`);
    });
    await db.query('vacuum analyze');
    const label = `all of it, ${rounds * PLANS.length * TICKETS} tickets in ${rounds * PLANS.length} draws`;
    await measure(db, label, TICKETS_LIMIT_SECONDS, audit);
  });
}

async function measure(
  db: Database,
  label: string,
  limitSeconds: number,
  run: (...on: Queryable[]) => Promise<Check[]>,
): Promise<void> {
  const before = await tempBytes(db);
  const memory = createMemoryWatch(50);
  const from = performance.now();
  const checks = await db.snapshots(2, async (on) => {
    const found = await run(...on);
    for (const one of on) await one.query('select pg_stat_force_next_flush()');
    return found;
  });
  const seconds = (performance.now() - from) / 1000;
  const { peak, grown } = memory();
  console.log(`\n### ${label}\n\n| check | rows | problems |\n|---|--:|--:|`);
  for (const { name, rows, problems } of checks) console.log(`| ${name} | ${rows} | ${problems.length} |`);
  const isWrong = checks.some(({ problems }) => problems.length > 0);
  const isMissed = seconds >= limitSeconds || isWrong;
  console.log(`\n${seconds.toFixed(1)} s (to hold: ${limitSeconds} s): ${isMissed ? 'MISSED' : 'held'}.`);
  const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  console.log(
    `Memory of this process: ${mebibytes(peak)}, ${mebibytes(grown)} more than before; temporary files ` +
      `of PostgreSQL: ${mebibytes((await tempBytes(db)) - before)}.`,
  );
  for (const problem of checks.flatMap(({ problems }) => problems).slice(0, 10)) console.log(`- ${problem}`);
  if (isMissed) process.exitCode = 1;
}

/** Bytes written to temporary files so far. */
async function tempBytes(db: Queryable): Promise<number> {
  const [row] = await db.query<{ temp_bytes: bigint }>(
    'select temp_bytes from pg_stat_database where datname = current_database()',
  );
  return Number(row!.temp_bytes);
}

/** Each round passes 1 to 97 hundredths from wallet to wallet in a ring. */
async function fill(db: Database): Promise<void> {
  const network = await db.transaction(async (tx) => {
    const id = await openNetwork(tx, randomUUID());
    await tx.query('update networks set wallets = $2 where id = $1', [id, WALLETS]);
    return id;
  });
  await db.query(
    `insert into wallets (network_id, id, owner_id, kind, version)
     select $1, n, gen_random_uuid(), ${WALLET_KINDS.credit}, 2 * $3::bigint / $2::bigint from generate_series(1, $2::bigint) as n`,
    [network, WALLETS, TRANSFERS],
  );
  await db.query('analyze wallets');
  for (let start = 0; start < TRANSFERS; start += PIECE)
    await db.query(
      // The first wallet sends before it receives.
      `insert into transfers (network_id, id, from_wallet, to_wallet, amount, from_balance, to_balance, from_version, to_version, kind,
                              actor_id, reference, note, at)
       select $1, gen_random_uuid(), 1 + sender, 1 + receiver, amount,
              case sender when 0 then -amount else 0 end, case receiver when 0 then 0 else amount end,
              2 * round + case sender when 0 then 1 else 2 end, 2 * round + case receiver when 0 then 2 else 1 end,
              ${TRANSFER_KINDS.give}, null, null, '', now()
       from generate_series($3::bigint, $4::bigint - 1) as t (n)
       cross join lateral (
         select t.n / $2::bigint as round, 1 + t.n / $2::bigint % 97 as amount, t.n % $2::bigint as sender,
           (t.n + 1) % $2::bigint as receiver
       ) as place`,
      [network, WALLETS, start, start + PIECE],
    );
  await db.query('vacuum analyze');
}
