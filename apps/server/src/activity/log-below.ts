import { ROLES } from '@drawhouse/contract/primitives';
import { sql } from 'kysely';
import type { Sql } from '../db/sql.ts';
import type { Asking } from '../lists/source.ts';

/**
 * The log as an account sees it: what it and those below it did while they were below it, found by key however long the log is. Who tried
 * a name that nobody has, and what the product itself has done, is seen by the admin of the network, and that of the root by superadmins.
 */
export function logBelow(actor: Asking): Sql {
  const own = sql`select * from activity where chain[${sql.raw(String(ROLES.indexOf(actor.role) + 1))}] = ${actor.id}`;
  // Each part is in the order of its index; together they are merged, not sorted.
  return actor.role === 'superadmin'
    ? sql`(${own} union all select * from activity where chain[1] is null)`
    : sql`(${own})`;
}
