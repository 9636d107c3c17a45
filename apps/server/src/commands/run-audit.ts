import { audit } from '../audit/audit.ts';
import type { Check } from '../audit/audit-check.ts';
import { systemClock } from '../platform/time/clock.ts';
import { readConfig } from '../config/config.ts';
import { connect } from '../platform/db/database.ts';
import { DatabaseUnavailable } from '../platform/db/connection/unavailable.ts';
import { COMMAND_TIMEOUTS } from '../platform/db/connection/timeouts.ts';
import { withExistingDatabase } from './command-line.ts';
import { createUuid7 } from '../platform/db/sql/uuids.ts';
import { keepVerdict } from '../liability/verdicts.ts';
import { verify } from '../transparency/transparency.ts';
import { COMMAND_TEXTS } from './commands-texts.ts';

const AUDIT = { verb: 'audit', noun: 'Audit' };

/** More would not help: PostgreSQL parallelizes large statements. */
const CONNECTIONS = 2;

async function main(): Promise<void> {
  const config = readConfig();
  await withExistingDatabase(config, AUDIT, async (address) => {
    const db = connect(address, {
      onError: () => {},
      poolSize: CONNECTIONS,
      patience: COMMAND_TIMEOUTS,
      readOnly: true,
    });
    try {
      const books = await db.snapshots(CONNECTIONS, (on) => audit(...on));
      const seals = await verify(config, address).catch((error: Error) => error);
      const checks = [...books, ...(seals instanceof Error ? unaudited(seals) : seals)];
      report(checks);
      // An outage is no finding.
      if (!(seals instanceof DatabaseUnavailable)) await keep(address, checks);
    } finally {
      await db.close();
    }
  });
}

/** The books are reported all the same. */
function unaudited({ message }: Error): Check[] {
  return [{ name: 'the seals can be audited', rows: 0, problems: [message] }];
}

/** Stores the verdict for the liability report. Read-only databases get a message. */
async function keep(address: string, checks: readonly Check[]): Promise<void> {
  const db = connect(address, { onError: () => {}, poolSize: 1 });
  try {
    await keepVerdict(db, { clock: systemClock, newId: createUuid7(systemClock) }, 'whole', checks);
  } catch (error) {
    console.error(COMMAND_TEXTS.findingsNotSaved((error as Error).message));
  } finally {
    await db.close();
  }
}

function report(checks: readonly Check[]): void {
  const width = Math.max(...checks.map((check) => check.name.length));
  for (const { name, rows, problems, unproven = [] } of checks) {
    console.log(
      `${problems.length === 0 ? 'ok   ' : 'WRONG'}  ${name.padEnd(width)}  ${String(rows).padStart(10)} checked`,
    );
    for (const problem of problems) console.log(`       - ${problem}`);
    for (const sentence of unproven) console.log(COMMAND_TEXTS.notProven(sentence));
  }
  if (checks.some((check) => check.problems.length > 0)) process.exitCode = 1;
}

if (import.meta.main)
  main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
