import type { ClearingModel } from '@drawhouse/contract/clearing/clearing';
import { LONG } from '../db/patience.ts';
import { withClient } from '../db/with-client.ts';
import { TABLE_OWNERS } from '../table-owners.ts';

/**
 * Makes the room of what was cleared free for new rows, while all goes on: PostgreSQL would do it by itself once a fifth of a table is gone. The files
 * do not get smaller. The connection is that of the owner of the tables; of any other it does nothing.
 */
export async function makeRoom(connectionString: string, models: readonly ClearingModel[]): Promise<void> {
  const tables = Object.entries(TABLE_OWNERS).flatMap(([table, { owner, clearing }]) =>
    owner === 'clearing' || (!('stays' in clearing) && models.some((model) => clearing[model] !== undefined))
      ? table
      : [],
  );
  await withClient(connectionString, LONG, (client) => client.query(`vacuum (analyze) ${tables.join(', ')}`));
}
