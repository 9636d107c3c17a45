import { rateAtOpening } from '../accounts/rate-at-opening.ts';
import { pieceOf, sql } from '../db/sql.ts';
import type { Queryable } from '../db/database.ts';
import type { DrawRow } from '../draws/draws.sql.ts';

/**
 * The most that the stakes on a draw earn its chains, in hundredths, at the rates of its opening: the share of each earning account, rounded up. So it is less than a
 * hundredth per account above what settlement pays.
 */
export async function commissionBound(
  on: Queryable,
  draw: Pick<DrawRow, 'network_id' | 'id' | 'rate_changes'>,
): Promise<bigint> {
  const [row] = await on.query<{ most: bigint }>(
    sql`select coalesce(sum(div(below.stake * ${pieceOf(rateAtOpening('earner', { network: '$1', changes: '$2' }), draw.network_id, draw.rate_changes)} + 9999, 10000)), 0)::bigint as most
     from (
       select up.id, sum(played.stake) as stake
       from (select account_id, sum(stake) as stake from tickets where network_id = ${draw.network_id} and draw_id = ${draw.id} group by account_id) as played
       join accounts player on player.id = played.account_id cross join lateral unnest(player.chain[3:6]) as up (id)
       group by up.id
     ) as below join accounts earner on earner.id = below.id`.named('commission-bound'),
  );
  return row!.most;
}
