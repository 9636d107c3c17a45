import type { Queryable } from '../../platform/db/database.ts';
import { checkWith, loggedHundredths, type Check } from '../audit-check.ts';

/**
 * Compares standing orders with the logged runs of their network. Orders that a superadmin made are logged at the root,
 * whose log a restore does not take back: their runs are left out.
 */
export function auditStandingOrders(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'every standing order ran once per slot, and moved at most its amount',
    'standing_orders',
    `runs as (
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
