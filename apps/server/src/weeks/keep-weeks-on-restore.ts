import { areStagedOrRoot } from '../accounts/move/staged-accounts.ts';
import type { Tx } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';

/** All columns but the network. */
const COLUMNS = {
  week_payments: 'at, amount, id, account_id, parent_id, actor_id, reverses, incoming, method, reference, note',
  week_terms: 'at, id, account_id, parent_id, actor_id, from_day, share, commission_with_week',
  week_closings:
    'at, carried, late, balance, id, account_id, parent_id, actor_id, from_day, to_day, share, commission_with_week, days, note',
  week_notes: 'at, id, account_id, parent_id, actor_id, from_day, kind, about, note',
} as const;

const PERSONS = [sql`l.account_id`, sql`l.parent_id`, sql`l.actor_id`];

/**
 * Copies payments, terms, closed weeks and notes made since the backup into the staged copy: money that was paid stays
 * paid. Accounts that the restore undoes take theirs along. The next sheets show what the restore changed in closed weeks.
 */
export async function keepWeeks(
  tx: Tx,
  { staged, live }: { readonly staged: number; readonly live: number },
): Promise<void> {
  for (const [table, columns] of Object.entries(COLUMNS))
    await tx.query(
      sql`insert into ${sql.ref(table)} (network_id, ${sql.raw(columns)}) select ${staged}, ${sql.raw(columns)} from ${sql.ref(table)} l
        where l.network_id = ${live} and ${areStagedOrRoot(staged, PERSONS)} on conflict do nothing`,
    );
}
