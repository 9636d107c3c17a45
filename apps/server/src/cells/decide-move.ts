import type { Queryable } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';

export interface PlannedMove {
  readonly network: string;
  readonly moveId: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Returns false if the network is not in that cell, or another move of it is running. `generation`: the
 * network's in its old cell, because the directory does not count stays before an import.
 */
export async function planMove(
  on: Queryable,
  { network, moveId, from, to }: PlannedMove,
  generation: number,
): Promise<boolean> {
  const planned = await on.query(
    sql`update places set move_id = ${moveId}, generation = greatest(generation, ${generation})
      where network = ${network} and cell = ${from} and move_id is null
        and exists (select from cells where name = ${to}) returning network`,
  );
  return planned.length > 0;
}

/** After this, the network belongs to its new cell. Returns false if the old cell has ended the move. */
export async function decideMove(on: Queryable, { network, moveId, from, to }: PlannedMove): Promise<boolean> {
  const decided = await on.query(
    sql`update places set cell = ${to}, generation = generation + 1, move_id = null
      where network = ${network} and cell = ${from} and move_id = ${moveId} returning network`,
  );
  return decided.length > 0;
}
