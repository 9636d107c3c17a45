import { tablesAreBelow } from '../../accounts/table-line.ts';
import { arrayOf } from '../../platform/db/sql/sql.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { ADMIN_RUNS, INTERVAL } from '../../games/games.sql.ts';
import type { PairRow } from '../../games/games.sql.ts';
import { hasOpenBooks } from '../../activity/network-work/closed-books.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { isOfWrongClock } from '../../platform/settings/clock-correction.ts';
import type { Neighbours } from '@drawhouse/rules/time/schedule';

export interface IdlePair
  extends Pick<PairRow, 'network_id' | 'game_id' | 'game_key' | 'admin_username' | 'interval_seconds'>, Neighbours {}

/** SQL for the first draw of `pair` opening after an instant. */
const nextStart = (network: string, now: string): string =>
  `(select min(next.opens_at) from draws next
    where next.network_id = ${network} and next.game_id = pair.game_id and next.opens_at > ${now})`;

/** SQL for the draw of `pair` most recently opened by an instant, and its opening time if a replacement is due. */
const last = (network: string, now: string): string =>
  `(select d.draws_at, case when ${isOfWrongClock(now)} then d.opens_at end as replaced from draws d
    where d.network_id = ${network} and d.game_id = pair.game_id and d.opens_at <= ${now} order by d.opens_at desc limit 1)`;

/** Opening data itself is read later, under the pair lock. */
export async function pairsWithoutDraw(on: Queryable, now: Date): Promise<IdlePair[]> {
  return on.query<IdlePair>(
    `${crossNetworkComment('schedule')} with admin as materialized (
       select n.id as network_id, a.username as admin_username from networks n join accounts a on a.id = n.admin_id where ${ADMIN_RUNS}
     ), game as materialized (
       select g.id as game_id, g.game_key, ${INTERVAL} as interval_seconds from games g where g.status = 'active'
     )
     select pair.network_id, pair.game_id, game.game_key, admin.admin_username, game.interval_seconds,
            last.draws_at as "lastEnd", last.replaced, ${nextStart('pair.network_id', '$1')} as "nextStart"
     from network_games pair join game on game.game_id = pair.game_id join admin on admin.network_id = pair.network_id
     left join lateral ${last('pair.network_id', '$1')} as last on true
     where (last.draws_at is null or last.draws_at <= $1 or last.replaced is not null) and ${hasOpenBooks('pair.network_id')} order by pair.network_id, pair.game_id`,
    [now],
    'draws-missing',
  );
}

export interface IdleGame extends Pick<PairRow, 'game_id' | 'win_percentage' | 'beacons'>, Neighbours {}

/** Filters games without a running draw. Requires an active admin and tables above the line; ignores game status. */
export async function gamesWithoutDraw(
  tx: Tx,
  networkId: number,
  pairs: readonly Pick<PairRow, 'game_id'>[],
  now: Date,
): Promise<IdleGame[]> {
  return tx.query<IdleGame>(
    `select pair.game_id, pair.win_percentage, pair.beacons, last.draws_at as "lastEnd", last.replaced, ${nextStart('$1', '$3')} as "nextStart"
     from network_games pair left join lateral ${last('$1', '$3')} as last on true
     where pair.network_id = $1 and pair.game_id = any($2::uuid[])
       and (last.draws_at is null or last.draws_at <= $3 or last.replaced is not null)
       and exists (select from networks n join accounts a on a.id = n.admin_id where n.id = $1 and ${ADMIN_RUNS})
       and not ${tablesAreBelow('$1')}`,
    [networkId, arrayOf(pairs.map((pair) => pair.game_id)), now],
    'draws-missing-among',
  );
}
