import type { Queryable } from '../platform/db/database.ts';
import type { Period } from '../platform/time/period.ts';
import { sql } from '../platform/db/sql/sql.ts';

/** Inclusive; empty if `last` precedes `first`. */
export interface LogRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** Draws last up to a day and may have waited for a server, so search openings further back. */
const OPENED_BEFORE_MS = 40 * 86_400_000;

/** Relies on log times ascending with `seq`. */
export async function logRange(on: Queryable, networkId: number, { from, until }: Period): Promise<LogRange> {
  const [range] = await on.query<LogRange>(
    sql`select coalesce(min(seq), 1) as first, coalesce(max(seq), 0) as last from activity where network_id = ${networkId} and at >= ${from} and at < ${until}`,
  );
  return range!;
}

export function openingsOf(on: Queryable, networkId: number, { from, until }: Period): Promise<LogRange> {
  return logRange(on, networkId, { from: new Date(from.getTime() - OPENED_BEFORE_MS), until });
}
