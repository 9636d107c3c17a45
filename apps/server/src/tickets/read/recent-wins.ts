import { UNFINISHED } from '../../config/draw-states.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { paidWins } from '../tickets.sql.ts';
import { everUntil, nearestTickets, ticketsOfDraw } from './played-draws.sql.ts';

export interface RecentWin {
  readonly username: string;
  readonly game_name: string;
  readonly win: bigint;
  readonly at: Date;
}

const DRAWS_MAX = 2_000;

export async function recentWins(
  on: Queryable,
  networkIds: readonly number[],
  since: Date,
  most: number,
): Promise<RecentWin[]> {
  return on.query<RecentWin>(
    sql`select a.username, g.name as game_name, won.win, won.at
     from unnest(${networkIds}::int[]) as n (id) cross join lateral (
       select s.draw_id, w.ticket_id, w.win, w.at from (
         select draw_id, settled_at, manual_claims from draw_settlements
         where network_id = n.id and settled_at > ${since} order by settled_at desc limit ${sql.lit(DRAWS_MAX)}
       ) s cross join lateral (
         select w.ticket_id, w.win, coalesce(c.claimed_at, s.settled_at) as at
         from ${paidWins(sql`n.id`)} w left join ticket_claims c on c.network_id = n.id and c.ticket_id = w.ticket_id
         where w.network_id = n.id and w.draw_id = s.draw_id
           and (not s.manual_claims or c.claimed_at is not null or w.corrected_at is not null)
         order by w.ticket_id desc limit ${most}
       ) w order by s.settled_at desc limit ${most}
     ) won
     join tickets t on t.network_id = n.id and t.id = won.ticket_id
     join accounts a on a.id = t.account_id and a.network_id = n.id and a.deleted_at is null
     join draws d on d.network_id = n.id and d.id = won.draw_id join games g on g.id = d.game_id
     order by won.at desc, won.ticket_id desc limit ${most} ${sql.raw(crossNetworkComment('landing'))}`.named(
      'wins-recent',
    ),
  );
}

interface Player {
  readonly networkId: number;
  readonly accountId: string;
}

/** Last bet time per game row id, from a bounded number of recent tickets. */
export async function lastPlayed(
  on: Queryable,
  { networkId, accountId }: Player,
  { tickets, now, timeZone }: { readonly tickets: number; readonly now: Date; readonly timeZone: string },
): Promise<ReadonlyMap<string, Date>> {
  const keys = await nearestTickets(
    on,
    { networkId, accountId, gameId: undefined, timeZone, ...everUntil(now) },
    { join: ticketsOfDraw(sql`${networkId}::int`, [accountId]), where: sql`true`, limit: tickets },
  );
  const rows = await on.query<{
    game_id: string;
    at: Date;
  }>(sql`select d.game_id, max(t.placed_at) as at from (${keys}) k
        join tickets t on t.network_id = ${networkId} and t.id = k.id
        join draws d on d.network_id = t.network_id and d.id = t.draw_id group by d.game_id`);
  return new Map(rows.map((row) => [row.game_id, row.at]));
}

/** One row per unsettled draw with own tickets. */
export async function openStakes(
  on: Queryable,
  { networkId, accountId }: Player,
): Promise<{ draw_id: string; game_id: string; stake: bigint }[]> {
  return on.query(
    sql`with unsettled as materialized (
       select id, game_id from draws where network_id = ${networkId} and status in ${sql.raw(UNFINISHED)}
     )
     select u.id as draw_id, u.game_id, sum(t.stake)::bigint as stake from unsettled u cross join lateral (
       select stake from tickets where network_id = ${networkId} and draw_id = u.id and account_id = ${accountId} offset 0
     ) as t group by u.id, u.game_id`.named('tickets-open'),
  );
}
