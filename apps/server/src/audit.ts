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

/** Statements that run at once. More would not help: large ones are spread over processors by PostgreSQL itself. */
const CONNECTIONS = 2;

/**
 * Checks the books, the accounts, the draws, the tickets and the logs. Every problem is a sentence that names the row. Given several
 * connections, which must read one snapshot, statements run side by side on them.
 */
export async function audit(...on: readonly Queryable[]): Promise<Check[]> {
  for (const one of on) await one.query(SETTINGS);
  const db = shared(on);
  const parts = await Promise.allSettled([
    auditLedger(db),
    auditAccounts(db),
    auditCredit(db),
    auditDraws(db),
    auditTickets(db),
    auditPayments(db),
    auditClaims(db),
    auditSettlements(db),
    auditReturns(db),
    auditActivity(db),
  ]);
  return parts.flatMap((part) => {
    if (part.status === 'rejected') throw part.reason;
    return part.value;
  });
}

/**
 * For the rest of the transaction: memory for a sort or a hash, of which a statement has a few, so that what is bounded does not go to the
 * disk; and no end for a connection that waits for the other one.
 */
const SETTINGS = "set local work_mem = '64MB'; set local idle_in_transaction_session_timeout = 0";

/** Several connections as one: a statement goes to one that is free, or waits for it. */
function shared(on: readonly Queryable[]): Queryable {
  const free = [...on];
  const waiting: ((one: Queryable) => void)[] = [];
  const giveBack = (one: Queryable): void => {
    const next = waiting.shift();
    if (next) next(one);
    else free.push(one);
  };
  return {
    async query(text, values, name) {
      const one = free.pop() ?? (await new Promise<Queryable>((take) => waiting.push(take)));
      return one.query<never>(text, values, name).finally(() => giveBack(one));
    },
  };
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
    const db = connect(address, { onError: () => {}, poolSize: CONNECTIONS, patience: LONG, readOnly: true });
    try {
      report(await db.snapshots(CONNECTIONS, (on) => audit(...on)));
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
