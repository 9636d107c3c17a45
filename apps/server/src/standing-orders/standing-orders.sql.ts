import { pointsOf, type Hundredths, type Role } from '@drawhouse/contract/core/primitives';
import type {
  FloorMeasure,
  StandingOrder,
  StandingOrderKind,
} from '@drawhouse/contract/standing-orders/standing-orders';
import type { Actor } from '../accounts/authority.ts';
import { LOGIN_COLUMNS, loginOf, rightsOf, type LoginColumns } from '../auth/logins/person.ts';
import { areStagedOrRoot } from '../accounts/move/staged-accounts.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import { sql, type Sql } from '../platform/db/sql/sql.ts';
import { STANDING_ORDER_REASONS } from './standing-orders-texts.ts';

export interface OrderRow {
  readonly id: string;
  readonly networkId: number;
  readonly at: Date;
  readonly amount: Hundredths;
  readonly nextAt: Date | null;
  readonly lastAt: Date | null;
  readonly lastAmount: Hundredths | null;
  readonly stoppedAt: Date | null;
  readonly endedAt: Date | null;
  readonly endedBy: string | null;
  readonly accountId: string;
  readonly username: string;
  readonly role: Role;
  readonly chain: readonly string[];
  readonly parentId: string | null;
  readonly deletedAt: Date | null;
  readonly giverId: string;
  readonly giver: string;
  readonly giverRole: Role;
  readonly kind: StandingOrderKind;
  readonly clock: string | null;
  readonly weekdays: readonly number[] | null;
  readonly measure: FloorMeasure | null;
  readonly skipped: string | null;
  readonly ending: string | null;
}

/** Leaves out staged copies, whose accounts are elsewhere. */
export function ordersIn(network: Sql): Sql {
  return sql`accounts a join standing_orders o on o.network_id = ${network} and o.network_id = a.network_id and o.account_id = a.id
    join accounts g on g.id = o.giver_id`;
}

export const ORDER_COLUMNS: Sql = sql`o.id, o.network_id as "networkId", o.at, o.amount, o.next_at as "nextAt", o.last_at as "lastAt",
  o.last_amount as "lastAmount", o.stopped_at as "stoppedAt", o.ended_at as "endedAt",
  (select e.username from accounts e where e.id = o.ended_by) as "endedBy", o.account_id as "accountId", a.username, a.role, a.chain,
  a.parent_id as "parentId", a.deleted_at as "deletedAt", o.giver_id as "giverId", g.username as giver, g.role as "giverRole",
  o.kind, o.clock, o.weekdays, o.measure, o.skipped, o.ending`;

export function toOrder(row: OrderRow, actor: Pick<Actor, 'id' | 'permissions'>): StandingOrder {
  const { lastAt, lastAmount, endedAt } = row;
  return {
    _id: row.id,
    account: { id: row.accountId, username: row.username, role: row.role },
    giver: { id: row.giverId, username: row.giver, role: row.giverRole },
    kind: row.kind,
    amount: pointsOf(row.amount),
    clock: row.clock,
    weekdays: row.weekdays === null ? null : [...row.weekdays],
    measure: row.measure,
    madeAt: row.at.toISOString(),
    nextAt: row.nextAt?.toISOString() ?? null,
    last: lastAt && lastAmount !== null ? { at: lastAt.toISOString(), amount: pointsOf(lastAmount) } : null,
    skipped: row.skipped,
    stoppedAt: row.stoppedAt?.toISOString() ?? null,
    ended: endedAt && { at: endedAt.toISOString(), by: row.endedBy, reason: row.ending ?? '' },
    mayEnd: !endedAt && row.accountId !== actor.id && actor.permissions.includes('adjustments'),
  };
}

export type OrderKey = Pick<OrderRow, 'networkId' | 'id'>;

/** Makes a slot run once. Undefined if another server has the order, or if it has ended. */
export async function lockOrder(tx: Tx, { networkId, id }: OrderKey): Promise<OrderRow | undefined> {
  const [row] = await tx.query<OrderRow>(
    sql`select ${ORDER_COLUMNS} from ${ordersIn(sql`${networkId}::int`)} where o.id = ${id} and o.ended_at is null
      for update of o skip locked`,
  );
  return row;
}

/** Returns the current rights. Undefined if the giver was deleted or the login that made the order has ended. */
export async function readGiver(on: Queryable, { networkId, id }: OrderKey): Promise<Actor | undefined> {
  type Row = Pick<Actor, 'id' | 'networkId' | 'username' | 'role' | 'chain' | 'login'> & LoginColumns;
  const [row] = await on.query<Row>(
    sql`select a.id, a.network_id as "networkId", a.username, a.role, a.chain, o.login, ${LOGIN_COLUMNS}
      from (select giver_id as account_id, login from standing_orders where network_id = ${networkId} and id = ${id}) o
      join accounts a on a.id = o.account_id left join ${loginOf('a', 'o')}
      where a.deleted_at is null and (o.login = 0 or (l.active and l.removed_at is null))`,
  );
  if (!row) return undefined;
  const { username, role, chain, login } = row;
  return { id: row.id, networkId: row.networkId, username, role, chain, login, ...rightsOf(username, row) };
}

export async function writeEnd(
  tx: Tx,
  { networkId, id }: OrderKey,
  { at, by, ending }: { readonly at: Date; readonly by: string | null; readonly ending: string },
): Promise<void> {
  await tx.query(
    sql`update standing_orders set ended_at = ${at}, ended_by = ${by}, ending = ${ending}, next_at = null, stopped_at = null
      where network_id = ${networkId} and id = ${id}`,
  );
}

/**
 * Keeps orders ended that a person ended since the backup. Orders that the system ended resume, because the credit they
 * moved is back too. Orders made since the backup end, and their givers are notified: what they gave is undone.
 */
export async function keepEndedOrders(
  tx: Tx,
  { staged, live }: { readonly staged: number; readonly live: number },
  at: Date,
): Promise<void> {
  await tx.query(
    sql`update standing_orders s set ended_at = l.ended_at, ended_by = l.ended_by, ending = l.ending, next_at = null, stopped_at = null
      from standing_orders l where s.network_id = ${staged} and s.ended_at is null and l.network_id = ${live} and l.id = s.id
        and l.ended_by is not null`,
  );
  await tx.query(
    sql`insert into standing_orders (network_id, at, amount, ended_at, id, account_id, giver_id, login, kind, clock, weekdays, measure,
        ending)
      select ${staged}, l.at, l.amount, ${at}, l.id, l.account_id, l.giver_id, l.login, l.kind, l.clock, l.weekdays, l.measure,
        ${STANDING_ORDER_REASONS.undone}
      from standing_orders l where l.network_id = ${live} and l.ended_at is null
        and ${areStagedOrRoot(staged, [sql`l.account_id`, sql`l.giver_id`])}
      on conflict do nothing`,
  );
}
