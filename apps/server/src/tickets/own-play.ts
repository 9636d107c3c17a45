import type { Queryable } from '../db/database.ts';

/** A player by its network and id. */
export interface Player {
  readonly networkId: number;
  readonly accountId: string;
}

/** When a player last bet on each game, by the row id of the game, among so many of its last tickets. */
export async function lastPlayed(
  on: Queryable,
  { networkId, accountId }: Player,
  tickets: number,
): Promise<ReadonlyMap<string, Date>> {
  const rows = await on.query<{ game_id: string; at: Date }>(
    `select d.game_id, max(t.placed_at) as at
     from (select draw_id, placed_at from tickets where network_id = $1 and account_id = $2 order by id desc limit $3) t
     join draws d on d.network_id = $1 and d.id = t.draw_id group by d.game_id`,
    [networkId, accountId, tickets],
    'tickets-last-played',
  );
  return new Map(rows.map((row) => [row.game_id, row.at]));
}
