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

/** The least id that a ticket of a draw can have which opened at an instant, as `leastIdAt` makes it. */
const leastId = (at: string): string =>
  `(lpad(to_hex(floor(extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`;

/**
 * What a player staked and won, in hundredths: in draws that were settled since the day of the time zone began, and what it has on draws that
 * are not settled. Its tickets since the first of these opened are looked through.
 */
export async function playToday(
  on: Queryable,
  { networkId, accountId }: Player,
  now: Date,
  timeZone: string,
): Promise<{ staked: bigint; won: bigint; open: bigint }> {
  const [row] = await on.query<{ staked: bigint; won: bigint; open: bigint }>(
    `with unfinished as materialized (
       select id, opens_at from draws where network_id = $1 and status in ('open', 'closed', 'drawn')
     )
     select coalesce(sum(stake), 0)::bigint as staked, coalesce(sum(win), 0)::bigint as won,
       (select coalesce(sum(t.stake), 0)::bigint from tickets t
        where t.network_id = $1 and t.account_id = $2 and t.id >= (select ${leastId('min(opens_at)')} from unfinished)
          and t.draw_id = any(array(select id from unfinished))) as open
     from rollups where network_id = $1 and account_id = $2 and grain = 'day' and starts_at = date_trunc('day', $3::timestamptz, $4)`,
    [networkId, accountId, now, timeZone],
    'play-today',
  );
  return row!;
}
