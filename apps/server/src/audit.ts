import { auditAccounts } from './accounts/audit-accounts.ts';
import { auditActivity } from './activity/audit-activity.ts';
import type { Check } from './activity/audit-check.ts';
import { readConfig } from './config.ts';
import type { Config } from './config.ts';
import { connect, LONG } from './db/database.ts';
import type { Queryable } from './db/database.ts';
import { startEmbedded } from './db/embedded.ts';
import { auditCredit } from './credit/audit-credit.ts';
import { auditDraws } from './draws/audit-draws.ts';
import type { EmbeddedPostgres } from './db/embedded.ts';
import { schemaState, UNRELEASED } from './db/migrate.ts';
import type { SchemaState } from './db/migrate.ts';
import { auditLedger } from './ledger/audit-ledger.ts';
import { auditClaims } from './tickets/audit-claims.ts';
import { auditPayments } from './tickets/audit-payments.ts';
import { auditReturns } from './tickets/audit-returns.ts';
import { auditSettlements } from './tickets/audit-settlements.ts';
import { auditTickets } from './tickets/audit-tickets.ts';

/** Checks the books, the accounts, the draws, the tickets and the logs. Every problem is a sentence that names the row. */
export async function audit(db: Queryable): Promise<Check[]> {
  return [
    ...(await auditLedger(db)),
    ...(await auditAccounts(db)),
    ...(await auditCredit(db)),
    ...(await auditDraws(db)),
    ...(await auditTickets(db)),
    ...(await auditPayments(db)),
    await auditClaims(db),
    ...(await auditSettlements(db)),
    ...(await auditReturns(db)),
    await auditActivity(db),
  ];
}

/** The address of the database to audit, as long as it has the schema of this program. Throws a sentence otherwise. */
async function addressToAudit(config: Config, embedded: EmbeddedPostgres | undefined): Promise<string> {
  if (config.databaseUrl === undefined && !embedded)
    throw new Error(
      `There is nothing to audit: ${config.dataDir} has no database. Set DATA_DIR to the folder of one, or DATABASE_URL.`,
    );
  const state = await schemaState(embedded?.ownerUrl ?? config.databaseOwnerUrl ?? config.databaseUrl!);
  if (state !== 'current') throw new Error(NOT_AUDITED[state]);
  return embedded?.serverUrl ?? config.databaseUrl!;
}

const NOT_AUDITED: Record<Exclude<SchemaState, 'current'>, string> = {
  empty: 'There is nothing to audit: the database has no tables of Drawhouse yet. Start the server first.',
  older:
    'The database belongs to an earlier version of Drawhouse. Audit it by that version, or start this one, which brings it up to date.',
  newer: 'The database belongs to a later version of Drawhouse. Audit it by that version.',
  unreleased: UNRELEASED,
};

/** The command `npm run audit`: prints a line per check and each problem; exits 1 when there is one. It changes nothing. */
async function main(): Promise<void> {
  const config = readConfig();
  const embedded =
    config.databaseUrl === undefined ? await startEmbedded(config.dataDir, { exclusive: false }) : undefined;
  try {
    const address = await addressToAudit(config, embedded);
    const db = connect(address, { onError: () => {}, poolSize: 2, patience: LONG, readOnly: true });
    try {
      report(await db.snapshot(audit));
    } finally {
      await db.close();
    }
  } finally {
    await embedded?.stop();
  }
}

function report(checks: readonly Check[]): void {
  const width = Math.max(...checks.map((check) => check.name.length));
  for (const { name, rows, problems } of checks) {
    console.log(
      `${problems.length === 0 ? 'ok   ' : 'WRONG'}  ${name.padEnd(width)}  ${String(rows).padStart(10)} checked`,
    );
    for (const problem of problems) console.log(`       - ${problem}`);
  }
  if (checks.some((check) => check.problems.length > 0)) process.exitCode = 1;
}

if (import.meta.main)
  main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
