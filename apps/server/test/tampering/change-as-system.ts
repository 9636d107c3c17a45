import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { appendActivity, SYSTEM } from '../../src/activity/append-activity.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { COMMAND_TIMEOUTS } from '../../src/platform/db/connection/timeouts.ts';
import { connect } from '../../src/platform/db/database.ts';
import { createUuid7 } from '../../src/platform/db/sql/uuids.ts';
import { NOWHERE } from '../../src/platform/http/handler.ts';

/**
 * Bypasses call rules as table owner. Logs the change as the audit requires, with triggers on so it is sealed. `detail`
 * adds facts triggers do not record.
 */
export async function changeAsSystem(
  ownerUrl: string,
  statements: readonly string[],
  detail?: Record<string, unknown>,
): Promise<void> {
  const db = connect(ownerUrl, { onError: () => {}, poolSize: 1, patience: COMMAND_TIMEOUTS });
  try {
    await db.transaction(async (tx) => {
      for (const statement of statements) await tx.query(statement);
      await appendActivity(tx, ROOT_NETWORK, { clock: systemClock, newId: createUuid7(systemClock) }, [
        { accountId: null, username: SYSTEM, subject: 'Changed by hand for a test', origin: NOWHERE, detail },
      ]);
    });
  } finally {
    await db.close();
  }
}
