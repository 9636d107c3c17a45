import { ROOT_NETWORK } from '@drawhouse/rules/ledger-kinds';
import { appendActivity, SYSTEM } from '../src/activity/append-activity.ts';
import { systemClock } from '../src/clock.ts';
import { connect } from '../src/db/database.ts';
import { createUuid7 } from '../src/db/uuid7.ts';
import { NOWHERE } from '../src/http/handler.ts';

/**
 * Changes by hand, as the owner of the tables, what calls would refuse: with a row of the log in the same transaction, as the audit wants of whatever people change, and with all
 * triggers on, so that it is sealed as it then is. `detail` is for what the triggers don't note.
 */
export async function changeAsSystem(
  ownerUrl: string,
  statements: readonly string[],
  detail?: Record<string, unknown>,
): Promise<void> {
  const db = connect(ownerUrl, { onError: () => {}, poolSize: 1 });
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
