import { reopenedAt } from '../activity/network-work/closed-books.ts';
import type { Queryable } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';

/**
 * Returns the first day of the earliest open week, whose transfers are still needed. Leaves out deleted accounts and
 * former parents, whose weeks nobody closes.
 */
export async function firstOpenDay(on: Queryable, networkId: number, timeZone: string): Promise<string | undefined> {
  const [row] = await on.query<{ day: string | null }>(
    sql`with records as (
        select account_id, parent_id, from_day as first, null::date as closed, null::timestamptz as closed_at
          from week_terms where network_id = ${networkId}
        union all
        -- A week begins up to six days before its first payment.
        select account_id, parent_id, (at at time zone ${timeZone})::date - 6, null, null from week_payments where network_id = ${networkId}
        union all
        select account_id, parent_id, from_day, to_day, at from week_closings where network_id = ${networkId}
      ), pairs as (
        -- The next closing stores what a restore changed in closed weeks.
        select account_id, parent_id,
          coalesce(max(closed) filter (where closed_at > reopened.at or reopened.at is null) + 1, min(first)) as open_from
        from records cross join (select ${reopenedAt(sql`${networkId}::int`)} as at) as reopened group by 1, 2
      )
      select min(open_from)::text as day from pairs
      join accounts a on a.id = pairs.account_id and a.parent_id = pairs.parent_id and a.deleted_at is null`,
  );
  return row!.day ?? undefined;
}
