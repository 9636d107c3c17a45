import { sql } from 'kysely';
import type { Queryable } from '../db/database.ts';
import { run } from '../db/sql.ts';

/** One day of the server's time zone. */
export interface ServerDay {
  /** As `2026-01-31`. */
  readonly day: string;
  /** Its instants from the first up to, not including, the second. */
  readonly from: Date;
  readonly until: Date;
}

/** A day by its name; of none the one at an instant. */
export async function serverDay(
  on: Queryable,
  { day, at, timeZone }: { day: string | undefined; at: Date; timeZone: string },
): Promise<ServerDay> {
  const [found] = await run<ServerDay>(
    on,
    sql`with day as (select coalesce(${day ?? null}::date, (${at}::timestamptz at time zone ${timeZone})::date) as day)
        select day::text, day::timestamp at time zone ${timeZone} as from, (day + 1)::timestamp at time zone ${timeZone} as until from day`,
  );
  return found!;
}
