import { type Check, checkWith, LOGGED_AT, loggedHundredths } from '../audit-check.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';

const NAMES = ['perNumber', 'perTicket', 'perPlayer'];
const shownLimits = (valueOf: (name: string) => string): Sql =>
  sql.raw(NAMES.map((name) => `'${name} ' || coalesce(${valueOf(name)}, 'null')`).join(` || ', ' || `));
const columnOf = (name: string): string => name.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`);
const UNLIMITED = shownLimits(() => 'null');

/** Newly assigned games have none, since unassigning a game removes its limits. */
export function auditLimits(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'every limit is as logged',
    'network_games',
    sql`logged as (
       select distinct on (n.id, g.id) n.id as network_id, g.id as game_id, at, ${shownLimits((name) => `after ->> '${name}'`)} as limits
       from (select id, ${LOGGED_AT} as at, detail ->> 'adminId' as admin_id, change ->> 'gameId' as game_key, change -> 'after' as after
             from audited.standing_activity, jsonb_path_query(detail, '$.limits[*]') as change where detail ? 'limits') as l
       join networks n on n.admin_id::text = l.admin_id join games g using (game_key) order by n.id, g.id, l.id desc
     ), compared as (
       select ng.network_id, g.game_key, coalesce(l.limits, ${UNLIMITED}) as due,
         coalesce(l.at <= ng.assigned_at + interval '1 minute', true) as is_new,
         ${shownLimits((name) => `trim_scale(ng.${columnOf(name)} / 100.0)::text`)} as limits
       from network_games ng join games g on g.id = ng.game_id
       left join logged l on l.network_id = ng.network_id and l.game_id = ng.game_id
     ), wrong as (
       select format('game %s of network %s has the limits %s, but the log says %s', game_key, network_id, limits, due) as problem
       from compared where limits <> due and not (is_new and limits = ${UNLIMITED})
     )`,
  );
}

/** Orders that a superadmin made are logged at the root, whose log a restore does not take back: their runs are left out. */
export function auditStandingOrders(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'every standing order ran once per slot, and moved at most its amount',
    'standing_orders',
    sql`runs as (
       select o.network_id, o.id, o.amount, o.next_at, slot, moved
       from audited.standing_activity a
       cross join lateral (select a.detail ->> 'standingOrder' as order_id, (a.detail ->> 'slot')::timestamptz as slot,
         coalesce(${loggedHundredths('moved')}, 0) as moved) as run
       join standing_orders o on o.network_id = a.network_id and o.id::text = run.order_id
       where a.detail ? 'slot'
     ), wrong as (
       select format('standing order %s of network %s ran %s times for the slot %s', id, network_id, count(*), slot) as problem
       from runs group by network_id, id, slot having count(*) > 1
       union all
       select format('standing order %s of network %s is due at %s, a slot that it ran', id, network_id, next_at)
       from runs where next_at <= slot
       union all
       select format('standing order %s of network %s moved %s hundredths for the slot %s; it is for %s', id, network_id,
         moved, slot, amount)
       from runs where moved > amount
     )`,
  );
}
