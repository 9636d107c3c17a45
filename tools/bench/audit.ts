import { randomUUID } from 'node:crypto';
import { audit } from '../../apps/server/src/audit.ts';
import type { Check } from '../../apps/server/src/activity/audit-check.ts';
import type { Database, Queryable } from '../../apps/server/src/db/database.ts';
import { auditLedger } from '../../apps/server/src/ledger/audit-ledger.ts';
import { walletId } from '../../apps/server/src/ledger/wallets.ts';
import { machine, withBenchDatabase } from './bench-database.ts';
import { playNetwork } from './played-network.ts';

const TRANSFERS = 10_000_000;
const WALLETS = 100_000;
/** Transfers made by one statement. */
const PIECE = 500_000;
const LIMIT_SECONDS = 60;
const DRAWS = 50;
const TICKETS_A_DRAW = 4000;

/**
 * Measures the audit of the books on 10 million transfers between 100,000 wallets of one network, and the whole audit on a network
 * that was played by the product's own commands.
 */
export async function benchAudit(): Promise<void> {
  console.log(machine());
  await withBenchDatabase(2, async (db) => {
    await fill(db);
    await measure(db, `the books, ${TRANSFERS} transfers`, auditLedger);
  });
  await withBenchDatabase(2, async (db) => {
    await playNetwork(db, DRAWS, TICKETS_A_DRAW);
    await db.query('vacuum analyze');
    await measure(db, `all of it, ${DRAWS * TICKETS_A_DRAW} tickets in ${DRAWS} draws`, audit);
  });
}

async function measure(db: Database, what: string, run: (on: Queryable) => Promise<Check[]>): Promise<void> {
  const from = performance.now();
  const checks = await db.snapshot(run);
  const seconds = (performance.now() - from) / 1000;
  console.log(`\n### ${what}\n\n| check | rows | problems |\n|---|--:|--:|`);
  for (const { name, rows, problems } of checks) console.log(`| ${name} | ${rows} | ${problems.length} |`);
  const isWrong = checks.some(({ problems }) => problems.length > 0);
  const isMissed = seconds >= LIMIT_SECONDS || isWrong;
  console.log(`\n${seconds.toFixed(1)} s (to hold: ${LIMIT_SECONDS} s): ${isMissed ? 'MISSED' : 'held'}.`);
  for (const problem of checks.flatMap(({ problems }) => problems).slice(0, 10)) console.log(`- ${problem}`);
  if (isMissed) process.exitCode = 1;
}

/** SQL for the id of the transfer of a number; they rise with it. */
function transferId(number: string): string {
  return `('0190b5a2-8f4c-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
}

/**
 * Transfers by set-based SQL, in rounds: in each, every wallet in turn passes the round's amount (1 to 97 hundredths) on to the
 * next one, the last to the first. So each but the first has just received what it sends, and the first is repaid at the end.
 */
async function fill(db: Database): Promise<void> {
  const network = randomUUID();
  const owners = Array.from({ length: WALLETS }, () => randomUUID());
  const ids = owners.map((ownerId) => walletId({ ownerId, kind: 'credit' }));
  await db.query('create unlogged table numbered (n integer, id uuid, owner_id uuid)');
  await db.query(
    `insert into numbered (id, owner_id, n) select id, owner_id, number - 1
     from unnest($1::uuid[], $2::uuid[]) with ordinality as wallet (id, owner_id, number)`,
    [ids, owners],
  );
  await db.query('create unique index on numbered (n)');
  await db.query(
    // Each has sent last, but for the first, which has received last.
    `insert into wallets (network_id, id, owner_id, kind, last_transfer)
     select $1, id, owner_id, 'credit', ${transferId('case when n = 0 then $2::bigint - 1 else $2::bigint - $3::bigint + n end')}
     from numbered`,
    [network, TRANSFERS, WALLETS],
  );
  await db.query('analyze numbered, wallets');
  // Indexes are made faster at the end than row by row.
  const indexes = await db.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where tablename = 'transfers' and indexdef not like '%UNIQUE%'`,
  );
  for (const { name } of indexes) await db.query(`drop index ${name}`);
  for (let start = 0; start < TRANSFERS; start += PIECE)
    await db.query(
      `insert into transfers (network_id, id, debit_wallet, credit_wallet, amount, debit_balance, credit_balance, kind, at)
       select $1, ${transferId('t.n')}, d.id, c.id, amount,
              case when d.n = 0 then -amount else 0 end, case when c.n = 0 then 0 else amount end, 'credit', now()
       from generate_series($3::bigint, $4::bigint - 1) as t (n)
       cross join lateral (select 1 + t.n / $2::bigint % 97 as amount) as round
       join numbered d on d.n = t.n % $2::bigint
       join numbered c on c.n = (t.n + 1) % $2::bigint`,
      [network, WALLETS, start, start + PIECE],
    );
  for (const { definition } of indexes) await db.query(definition);
  await db.query('drop table numbered');
  await db.query('vacuum analyze');
}
