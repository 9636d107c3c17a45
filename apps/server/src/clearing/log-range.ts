import type { Queryable } from '../db/database.ts';
import type { Period } from '../period.ts';
import { sql } from '../db/sql.ts';

/** The rows of a log from one to another, both with them; none where the last is before the first. */
export interface LogRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** A draw is looked for among those that opened so long before the days that are cleared: it lasts a day at most, and may have waited for a server. */
const OPENED_BEFORE_MS = 40 * 86_400_000;

/** The rows of the log of a network that were written in a period. The times of a log rise with its rows. */
export async function logRange(on: Queryable, networkId: number, { from, until }: Period): Promise<LogRange> {
  const [range] = await on.query<LogRange>(
    sql`select coalesce(min(seq), 1) as first, coalesce(max(seq), 0) as last from activity where network_id = ${networkId} and at >= ${from} and at < ${until}`,
  );
  return range!;
}

/** The rows of the log among which those are that tell of the opening of draws that ended in a period. */
export function openingsOf(on: Queryable, networkId: number, { from, until }: Period): Promise<LogRange> {
  return logRange(on, networkId, { from: new Date(from.getTime() - OPENED_BEFORE_MS), until });
}
