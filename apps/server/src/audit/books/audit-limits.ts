import { pointsOf } from '@drawhouse/contract/core/primitives';
import { type Check, checkWith, Findings, LOGGED_AT, loggedHundredths } from '../audit-check.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/** Null: unlimited. */
interface Limits {
  readonly per_number: bigint | null;
  readonly per_ticket: bigint | null;
  readonly per_player: bigint | null;
}

interface AuditedPair extends Limits {
  readonly network_id: number;
  readonly game_id: string;
  readonly game_key: string;
  readonly assigned_at: Date;
}

function limitsOf({ per_number, per_ticket, per_player }: Limits): Record<string, number | null> {
  const points = (amount: bigint | null): number | null => (amount === null ? null : pointsOf(amount));
  return { perNumber: points(per_number), perTicket: points(per_ticket), perPlayer: points(per_player) };
}

const NONE = limitsOf({ per_number: null, per_ticket: null, per_player: null });
const SLACK_MS = 60_000;

export async function auditLimits(db: Queryable): Promise<Check> {
  const logged = await db.query<{ network_id: number; game_id: string; at: Date; limits: unknown }>(
    sql`select distinct on (n.id, g.id) n.id as network_id, g.id as game_id, at, limits
     from (select id, ${sql.raw(LOGGED_AT)} as at, detail ->> 'adminId' as admin_id, told ->> 'gameId' as game_key,
       told -> 'after' as limits
           from audited.standing_activity, jsonb_path_query(detail, '$.limits[*]') as told where detail ? 'limits') as logged
     join networks n on n.admin_id::text = logged.admin_id join games g using (game_key) order by n.id, g.id, logged.id desc`,
  );
  const last = new Map(logged.map((row) => [`${row.network_id} ${row.game_id}`, row]));
  const pairs = await db.query<AuditedPair>(
    sql`select ng.network_id, ng.game_id, g.game_key, ng.assigned_at, ng.per_number, ng.per_ticket, ng.per_player
     from network_games ng join games g on g.id = ng.game_id order by ng.network_id, g.game_key`,
  );
  const found = new Findings();
  for (const pair of pairs) {
    const actual = textOf(limitsOf(pair));
    const row = last.get(`${pair.network_id} ${pair.game_id}`);
    const right = row ? textOf(row.limits) : textOf(NONE);
    // Unassigning a game removes its limits.
    const isNew = !row || row.at.getTime() <= pair.assigned_at.getTime() + SLACK_MS;
    if (actual !== right && !(isNew && actual === textOf(NONE)))
      found.add(
        `game ${pair.game_key} of network ${pair.network_id} has the limits ${actual}, but the log says ${right}`,
      );
  }
  return { name: 'every limit is as logged', rows: pairs.length, problems: found.problems };
}

function textOf(limits: unknown): string {
  const logged = (typeof limits === 'object' ? limits : null) as Record<string, unknown> | null;
  return Object.keys(NONE)
    .map((name) => `${name} ${JSON.stringify(logged?.[name] ?? null)}`)
    .join(', ');
}

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
