import { NO_DRAW } from '@drawhouse/contract/core/errors';
import { dayWords } from '@drawhouse/rules/time/zone-days';
import type { Queryable } from '../../platform/db/database.ts';
import { timeOfId, uuidsIn } from '../../platform/db/sql/uuids.ts';
import type { Services } from '../../platform/services.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import type { Actor } from '../../accounts/authority.ts';
import { DRAW, type DrawRow } from '../draws.sql.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import { DRAW_TEXTS } from '../draws-texts.ts';

/** Searches cleared draws of all networks and points at the surviving proof. */
export async function drawNotFoundMessage(
  { db, timeZone }: Pick<Services, 'db' | 'timeZone'>,
  id: string,
): Promise<string> {
  const cleared = await findClearing(db, id);
  if (!cleared) return NO_DRAW;
  const dayText = (at: Date): string => dayWords(at, timeZone);
  const history = DRAW_TEXTS.history(dayText(cleared.first), dayText(cleared.last), dayText(cleared.on));
  return cleared.known ? DRAW_TEXTS.proofCleared(history) : DRAW_TEXTS.proofMayBeCleared(NO_DRAW, history);
}

/** Includes clearings undone by a restore. */
export function everyClearing(networkId?: number): Sql {
  const where = networkId === undefined ? sql`` : sql`where network_id = ${networkId}::int`;
  return sql`(select network_id, model, removed, starts_at, ends_at, started_at from clearings ${where}
    union all select network_id, model, removed, starts_at, ends_at, started_at from undone_clearings ${where})`;
}

/** The clearing covers the id's time. `known`: the draw left a trace. */
async function findClearing(
  on: Queryable,
  id: string,
): Promise<{ first: Date; last: Date; on: Date; known: boolean } | undefined> {
  const at = timeOfId(id);
  const [row] = await on.query<{ first: Date; last: Date; on: Date; known: boolean }>(
    sql`select c.starts_at as first, c.ends_at - interval '1 millisecond' as last, c.started_at as on,
            exists (select from cleared_draws k where k.network_id = c.network_id and k.draw_id = ${id}
                    union all select from undone_cleared k where k.network_id = c.network_id and k.id = ${id}) as known
     from ${everyClearing()} c where c.model = 'draw' and c.removed > 0
       and ${at} >= c.starts_at - interval '62 days' and ${at} < c.ends_at
     order by known desc, c.started_at desc limit 1 ${sql.raw(crossNetworkComment('named'))}`,
  );
  return row;
}

export async function hasDraws(on: Queryable, gameId: string): Promise<boolean> {
  const found = await on.query(
    sql`select from networks n where exists (select from draws d where d.network_id = n.id and d.game_id = ${gameId})
      limit 1 ${sql.raw(crossNetworkComment('catalogue'))}`,
  );
  return found.length > 0;
}

export async function foreignDraws(
  on: Queryable,
  actor: Pick<Actor, 'id' | 'networkId'>,
  names: readonly string[],
): Promise<string[]> {
  const rows = await on.query<{ id: string }>(
    sql`select d.id from networks n join accounts a on a.id = n.admin_id
     join draws d on d.network_id = n.id and d.id = any(${uuidsIn(names)}::uuid[])
     where n.id <> ${actor.networkId} and not a.chain @> array[${actor.id}::uuid] ${sql.raw(crossNetworkComment('named'))}`.named(
      'draws-foreign',
    ),
  );
  return rows.map((row) => row.id);
}

interface UndoneDraw extends DrawRow {
  readonly undone_at: Date;
  readonly taken_at: Date;
}

const AS_DRAWS = sql`(select *, null::bytea as sealed_seed, null::json as saved_result, null::smallint as saved_booster,
  null::uuid as saved_by,
  null::timestamptz as saved_at, null::inet as saved_ip, null::uuid as confirmed_by, null::inet as confirmed_ip,
    0 as rate_changes, 0 as commission_ceiling, null::bigint as cover, null::timestamptz as awaits_until,
    null::timestamptz as root_sealed_at from undone_draws)`;

/** The draw belongs to another network, so its tombstone in `n` is forged. */
export const isOfAnother = (id: string): Sql => sql`exists (select from networks o
  cross join lateral (select from draws l where l.network_id = o.id and l.id = ${id} offset 0) as live where o.id <> n.id)`;

export async function findUndoneDraw(on: Queryable, id: string): Promise<UndoneDraw | undefined> {
  const [draw] = await on.query<UndoneDraw>(
    sql`select ${DRAW}, d.undone_at, d.taken_at
     from networks n join ${AS_DRAWS} d on d.network_id = n.id and d.id = ${id}
     join games g on g.id = d.game_id join draw_terms terms on terms.id = d.terms_id where not ${isOfAnother(id)}
       limit 1 ${sql.raw(crossNetworkComment('named'))}`.named('draw-undone'),
  );
  return draw;
}
