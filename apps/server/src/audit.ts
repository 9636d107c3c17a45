import { auditActivity } from './activity/audit-activity.ts';
import { readConfig } from './config.ts';
import { connect } from './db/database.ts';
import type { Queryable } from './db/database.ts';
import { startEmbedded } from './db/embedded.ts';
import { auditLedger } from './ledger/audit-ledger.ts';
import type { LedgerCheck } from './ledger/audit-ledger.ts';
import { auditTickets } from './tickets/audit-tickets.ts';

/** Checks the books, the tickets and the logs. Every problem is a sentence that names the row. */
export async function audit(db: Queryable): Promise<LedgerCheck[]> {
  const log = await auditActivity(db);
  return [
    ...(await auditLedger(db)),
    ...(await auditTickets(db)),
    { name: 'the activity log is whole and unchanged', rows: log.rows, problems: log.problems },
  ];
}

/** The command `npm run audit`: prints a line per check and each problem; exits 1 when there is one. */
async function main(): Promise<void> {
  const config = readConfig();
  const embedded =
    config.databaseUrl === undefined ? await startEmbedded(config.dataDir, { exclusive: false }) : undefined;
  const db = connect(embedded?.url ?? config.databaseUrl!, { onError: () => {}, poolSize: 2 });
  try {
    const checks = await db.snapshot(audit);
    const width = Math.max(...checks.map((check) => check.name.length));
    for (const { name, rows, problems } of checks) {
      console.log(
        `${problems.length === 0 ? 'ok   ' : 'WRONG'}  ${name.padEnd(width)}  ${String(rows).padStart(10)} checked`,
      );
      for (const problem of problems) console.log(`       - ${problem}`);
    }
    if (checks.some((check) => check.problems.length > 0)) process.exitCode = 1;
  } finally {
    await db.close();
    await embedded?.stop();
  }
}

if (import.meta.main) await main();
