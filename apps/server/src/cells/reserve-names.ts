import type { Queryable } from '../platform/db/database.ts';
import { sql, type Sql } from '../platform/db/sql/sql.ts';

export interface OwnCell {
  readonly name: string;
  /** Stands for the cell's superadmins in `places`. */
  readonly installation: string;
}

/** Unique ids consist of capitals and digits, so they never equal a username. */
export function directoryName(username: string): string {
  return username.toLowerCase();
}

/**
 * The network gets its place first, even if a lost directory knew it only in an earlier cell. Values of the cell's
 * other networks count as free: the cell knows its accounts, and a failed creation leaves a name behind. Returns the
 * network's values. In order, so concurrent reservations do not deadlock.
 */
export async function reserveFor(
  on: Queryable,
  cell: string,
  network: string,
  values: readonly string[],
  generation = 1,
): Promise<{ value: string }[]> {
  await on.query(
    sql`insert into places (network, cell, generation) values (${network}, ${cell}, ${generation})
      on conflict (network) do update set (cell, generation, move_id) = (excluded.cell, excluded.generation, null)
      where excluded.generation > places.generation`,
  );
  return on.query(
    sql`insert into names (value, network) select value, ${network} from unnest(${values.toSorted()}::text[]) as value
      where ${livesIn(network, cell)}
      on conflict (value) do update set network = excluded.network where ${livesIn(sql`names.network`, cell)}
      returning value`,
  );
}

const livesIn = (network: string | Sql, cell: string): Sql =>
  sql`exists (select from places p where p.network = ${network} and p.cell = ${cell})`;
