import type { ClearingModel } from '@drawhouse/contract/clearing/clearing';
import { LONG } from '../platform/db/connection/patience.ts';
import { withClient } from '../platform/db/connection/with-client.ts';
import { TABLE_OWNERS } from '../config/tables/table-owners.ts';

/**
 * Vacuums cleared tables so new rows reuse the space. Autovacuum would wait for a fifth of a table. Files do not
 * shrink. Does nothing unless connected as table owner.
 */
export async function makeRoom(connectionString: string, models: readonly ClearingModel[]): Promise<void> {
  const tables = Object.entries(TABLE_OWNERS).flatMap(([table, { owner, clearing }]) =>
    owner === 'clearing' || (!('stays' in clearing) && models.some((model) => clearing[model] !== undefined))
      ? table
      : [],
  );
  await withClient(connectionString, LONG, (client) => client.query(`vacuum (analyze) ${tables.join(', ')}`));
}
