import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { everUntil, nearestTickets, ticketsOfDraw } from './played-draws.sql.ts';

export interface Player {
  readonly networkId: number;
  readonly accountId: string;
}

/** Returns the last bet time per game row id, scanning a bounded number of recent tickets. */
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
