import { auditAccounts } from './accounts/audit-accounts.ts';
import { auditActivity } from './activity/audit-activity.ts';
import type { Check } from './activity/audit-check.ts';
import { systemClock } from './clock.ts';
import { readConfig } from './config.ts';
import type { Config } from './config.ts';
import { connect, LONG } from './db/database.ts';
import type { Queryable } from './db/database.ts';
import { startEmbedded } from './db/embedded.ts';
import { DatabaseUnavailable, isRefusal } from './db/unavailable.ts';
import { uuid7From } from './db/uuid7.ts';
import { auditLimits } from './games/audit-limits.ts';
import { auditCredit } from './credit/audit-credit.ts';
import { auditDraws } from './draws/audit-draws.ts';
import type { EmbeddedPostgres } from './db/embedded.ts';
import { schemaState, UNRELEASED } from './db/migrate.ts';
import type { SchemaState } from './db/migrate.ts';
import { auditDays } from './liability/audit-balances.ts';
import { keepVerdict } from './liability/verdicts.ts';
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
  const ended = await Promise.allSettled(Object.values(PARTS).map((part) => part(db)));
  await db.end();
  return ended.flatMap((part, place) =>
    part.status === 'fulfilled' ? part.value : [unended(Object.keys(PARTS)[place]!, part.reason)],
  );
}

/** What is audited, each part by itself. */
const PARTS: Readonly<Record<string, (db: Queryable) => Promise<Check | Check[]>>> = {
  'the ledger': auditLedger,
  'the accounts': auditAccounts,
  'the credit': auditCredit,
  'the limits': auditLimits,
  'the draws': auditDraws,
  'the tickets': auditTickets,
  'the payments': auditPayments,
  'the claims': auditClaims,
  'the settlements': auditSettlements,
  'the returns': auditReturns,
  'the days': auditDays,
  'the activity log': auditActivity,
};

/**
 * The check of a part that failed: no value that the server writes makes it do so, so this is a fault that it found. Throws where the
 * database was away.
 */
function unended(part: string, error: unknown): Check {
  if (error instanceof DatabaseUnavailable) throw error;
  const why = error instanceof Error ? error.message : String(error);
  return {
    name: `${part} can be read`,
    rows: 0,
    problems: [`${part} hold a value that the server never writes: ${why}`],
  };
}

/**
 * For the rest of the transaction: memory for a sort or a hash, of which a statement has a few, so that what is bounded does not go to the
 * disk; and no end for a connection that waits for the other one.
 */
const SETTINGS = "set local work_mem = '64MB'; set local idle_in_transaction_session_timeout = 0";

/** Several connections as one: a statement goes to one that is free, or waits for it. */
interface Shared extends Queryable {
  /** Waits for what is under way and takes no more: a part that failed may have left some of its statements behind. */
  end(): Promise<void>;
}

function shared(on: readonly Queryable[]): Shared {
  const free = [...on];
  const waiting: ((one: Queryable) => void)[] = [];
  const running = new Set<Promise<unknown>>();
  let hasEnded = false;
  const giveBack = (one: Queryable): void => {
    const next = waiting.shift();
    if (next) next(one);
    else free.push(one);
  };
  /** A statement that fails on a value would take all that follow on its connection with it: it is taken back alone. */
  async function alone<T>(one: Queryable, ask: () => Promise<T>): Promise<T> {
    await one.query('savepoint audited');
    try {
      const rows = await ask();
      await one.query('release savepoint audited');
      return rows;
    } catch (error) {
      if (isRefusal(error)) await one.query('rollback to savepoint audited; release savepoint audited');
      throw error;
    }
  }
  return {
    async query(text, values, name) {
      const one = free.pop() ?? (await new Promise<Queryable>((take) => waiting.push(take)));
      if (hasEnded) {
        giveBack(one);
        throw new Error('The audit has ended.');
      }
      const asked = alone(one, () => one.query<never>(text, values, name));
      running.add(asked);
      return asked.finally(() => {
        running.delete(asked);
        giveBack(one);
      });
    },
    async end() {
      hasEnded = true;
      await Promise.allSettled(running);
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

/** The command `npm run audit`: prints a line per check and each problem; exits 1 when there is one. It changes nothing but what it last found. */
async function main(): Promise<void> {
  const config = readConfig();
  const embedded =
    config.databaseUrl === undefined ? await startEmbedded(config.dataDir, { exclusive: false }) : undefined;
  try {
    const address = await addressToAudit(config, embedded);
    const db = connect(address, { onError: () => {}, poolSize: CONNECTIONS, patience: LONG, readOnly: true });
    try {
      const checks = await db.snapshots(CONNECTIONS, (on) => audit(...on));
      report(checks);
      await keep(address, checks);
    } finally {
      await db.close();
    }
  } finally {
    await embedded?.stop();
  }
}

/** Keeps what was found, for the liability report; a database that takes nothing is said to be one. */
async function keep(address: string, checks: readonly Check[]): Promise<void> {
  const db = connect(address, { onError: () => {}, poolSize: 1 });
  try {
    await keepVerdict(db, { clock: systemClock, newId: uuid7From(systemClock) }, 'whole', checks);
  } catch (error) {
    console.error(`What was found could not be kept for the liability report: ${(error as Error).message}`);
  } finally {
    await db.close();
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
