import type { Queryable } from '../../platform/db/database.ts';
import { singleNetwork, crossNetworkComment } from '../../platform/db/cross-network-sql.ts';

export interface DrawToConfirm {
  readonly game_key: string;
  readonly game_name: string;
  readonly admin_id: string;
  readonly admin_username: string;
  readonly saved_by: string;
  readonly draws_at: Date;
}

/**
 * Draws whose saved result awaits a second person, earliest draw time first. Uses the index of due draws, so history
 * costs nothing. Same condition as `awaitsSecond`.
 */
export async function drawsToConfirm(
  on: Queryable,
  networkIds: readonly number[],
  now: Date,
): Promise<DrawToConfirm[]> {
  const one = singleNetwork(networkIds);
  return on.query<DrawToConfirm>(
    `select g.game_key, g.name as game_name, a.id as admin_id, a.username as admin_username, saver.username as saved_by, d.draws_at
     from draws d join games g on g.id = d.game_id join networks n on n.id = d.network_id join accounts a on a.id = n.admin_id
     join accounts saver on saver.id = d.saved_by join draw_terms terms on terms.id = d.terms_id
     where d.status in ('open', 'closed', 'drawn') and (case d.status when 'open' then d.closes_at else d.draws_at end) > $2
       and d.status = 'closed'
         and d.network_id = ${one === undefined ? `any($1::int[]) ${crossNetworkComment('superadmin')}` : '$1'}
           and d.saved_result is not null and d.confirmed_by is null
       and terms.result_mode = 'two-person'
     order by d.draws_at, d.id`,
    [one ?? networkIds, now],
    one === undefined ? 'draws-to-confirm' : 'draws-to-confirm-in-one',
  );
}
