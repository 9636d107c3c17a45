import { NO_DRAW } from '@drawhouse/contract/draws/no-draw';
import { dayWords } from '@drawhouse/rules/zone-days';
import type { Queryable } from '../../platform/db/database.ts';
import { timeOfId } from '../../platform/db/sql/uuid7.ts';
import type { Services } from '../../platform/services.ts';
import { overNetworks } from '../../platform/db/over-networks.ts';

/** Searches cleared draws of all networks and points at the surviving proof. */
export async function noDraw({ db, timeZone }: Pick<Services, 'db' | 'timeZone'>, id: string): Promise<string> {
  const cleared = await clearedWith(db, id);
  if (!cleared) return NO_DRAW;
  const [first, last, on] = [cleared.first, cleared.last, cleared.on].map((at) => dayWords(at, timeZone));
  const history = `the history from ${first} to ${last}, on ${on}`;
  return cleared.known
    ? `The proof of this draw was cleared with ${history}.`
    : `${NO_DRAW} If there was one, its proof was cleared with ${history}.`;
}

/** Includes clearings undone by a restore. */
export const EVERY_CLEARING = `(select network_id, model, removed, starts_at, ends_at, started_at from clearings
  union all select network_id, model, removed, starts_at, ends_at, started_at from undone_clearings)`;

/** Finds the clearing that covers the id's time; `known` if the draw left a trace. */
async function clearedWith(
  on: Queryable,
  id: string,
): Promise<{ first: Date; last: Date; on: Date; known: boolean } | undefined> {
  const [row] = await on.query<{ first: Date; last: Date; on: Date; known: boolean }>(
    `select c.starts_at as first, c.ends_at - interval '1 millisecond' as last, c.started_at as on,
            exists (select from cleared_draws k where k.network_id = c.network_id and k.draw_id = $1
                    union all select from undone_cleared k where k.network_id = c.network_id and k.id = $1) as known
     from ${EVERY_CLEARING} c where c.model = 'draw' and c.removed > 0 and $2 >= c.starts_at - interval '2 days' and $2 < c.ends_at
     order by known desc, c.started_at desc limit 1 ${overNetworks('named')}`,
    [id, timeOfId(id)],
  );
  return row;
}
