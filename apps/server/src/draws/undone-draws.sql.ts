import type { Queryable } from '../platform/db/database.ts';
import { overNetworks } from '../platform/db/over-networks.ts';
import { DRAW } from './draws.sql.ts';
import type { DrawRow } from './draws.sql.ts';

export interface UndoneDraw extends DrawRow {
  readonly undone_at: Date;
  readonly taken_at: Date;
}

/** Rows of `undone_draws` padded with columns of regular draws. */
const AS_DRAWS = `(select *, null::bytea as sealed_seed, null::json as saved_result, null::smallint as saved_booster, null::uuid as saved_by,
  null::timestamptz as saved_at, null::inet as saved_ip, null::uuid as confirmed_by, null::inet as confirmed_ip, 0 as rate_changes, 0 as commission_ceiling, null::bigint as cover, null::timestamptz as awaits_until, null::timestamptz as root_sealed_at from undone_draws)`;

/** SQL: draw `$1` belongs to a network other than `n`, so its tombstone in `n` is forged. */
export const IS_OF_ANOTHER = `exists (select from networks o
  cross join lateral (select from draws l where l.network_id = o.id and l.id = $1 offset 0) as live where o.id <> n.id)`;

export async function findUndoneDraw(on: Queryable, id: string): Promise<UndoneDraw | undefined> {
  const [draw] = await on.query<UndoneDraw>(
    `select ${DRAW}, d.undone_at, d.taken_at
     from networks n join ${AS_DRAWS} d on d.network_id = n.id and d.id = $1
     join games g on g.id = d.game_id join draw_terms terms on terms.id = d.terms_id where not ${IS_OF_ANOTHER} limit 1 ${overNetworks('named')}`,
    [id],
    'draw-undone',
  );
  return draw;
}
