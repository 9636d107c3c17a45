import { pointsText, type Hundredths } from '@drawhouse/contract/core/primitives';
import type { FloorMeasure } from '@drawhouse/contract/standing-orders/standing-orders';
import { appendActivity, SYSTEM } from '../activity/append-activity.ts';
import { shareNetworkLock } from '../activity/network-work/network-work.ts';
import { balanceOf } from '../ledger/wallets.ts';
import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import type { Queryable } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { NOWHERE } from '../platform/http/handler.ts';
import type { Services } from '../platform/services.ts';
import { readWeeks, weekOf, type WeekCalendar } from '../weeks/read-week.ts';
import { lockOrder, ORDER_COLUMNS, type OrderRow } from './standing-orders.sql.ts';
import { STANDING_ORDER_SUBJECTS } from './standing-orders-texts.ts';

type Measured = Pick<OrderRow, 'accountId' | 'networkId' | 'chain' | 'role'> & { readonly measure: FloorMeasure };

/** Credit, or the account's debt to its parent this week. One measure per account. */
export async function readMeasures(
  on: Queryable,
  accounts: readonly Measured[],
  calendar: WeekCalendar,
): Promise<ReadonlyMap<string, Hundredths>> {
  const values = new Map<string, Hundredths>();
  const owed = accounts.filter(({ measure }) => measure === 'owed');
  for (const { networkId, accountId } of accounts.filter(({ measure }) => measure === 'credit'))
    values.set(accountId, await balanceOf(on, networkId, `credit:${accountId}`));
  const week = weekOf(calendar, undefined);
  for (const some of Map.groupBy(owed, ({ networkId, chain }) => `${networkId} ${chain.at(-2)}`).values()) {
    const { networkId, chain, role } = some[0]!;
    const siblings = { networkId, above: chain.slice(0, -1), ids: some.map(({ accountId }) => accountId), role };
    for (const [id, { balance }] of await readWeeks(on, siblings, week, calendar.timeZone)) values.set(id, balance);
  }
  return values;
}

export function isBeyond(
  { measure, amount }: { readonly measure: FloorMeasure; readonly amount: Hundredths },
  value: Hundredths,
) {
  return measure === 'credit' ? value < amount : value > amount;
}

/**
 * Logs each change. Bets judge credit themselves. Debts are known only from here: summing a week for each bet would cost
 * too much, so selling stops and resumes within 15 seconds.
 */
export async function watchFloors(services: Services, firstWeekday: WeekCalendar['firstWeekday']): Promise<void> {
  const { db, clock, timeZone } = services;
  const floors = await db.query<OrderRow & { measure: FloorMeasure }>(
    sql`select ${ORDER_COLUMNS} from standing_orders o join accounts a on a.id = o.account_id and a.network_id = o.network_id
      join accounts g on g.id = o.giver_id
      where o.kind = 'floor' and o.ended_at is null ${sql.raw(crossNetworkComment('standing'))} order by o.network_id, o.id`.named(
      'standing-orders-floors',
    ),
  );
  for (const some of Map.groupBy(floors, ({ measure }) => measure).values()) {
    const values = await readMeasures(db, some, { at: clock.now(), timeZone, firstWeekday });
    for (const floor of some) {
      const value = values.get(floor.accountId)!;
      if (isBeyond(floor, value) !== (floor.stoppedAt !== null)) await noteFloor(services, floor, value);
    }
  }
}

async function noteFloor(
  services: Services,
  floor: OrderRow & { measure: FloorMeasure },
  value: Hundredths,
): Promise<void> {
  const { networkId, id, username, accountId, measure } = floor;
  await services.db.transaction(async (tx) => {
    if (!(await shareNetworkLock(tx, networkId))) return;
    const order = await lockOrder(tx, floor);
    if (!order || (order.stoppedAt === null) !== (floor.stoppedAt === null)) return;
    const at = services.clock.now();
    const stopsAt = order.stoppedAt === null ? at : null;
    await tx.query(
      sql`update standing_orders set stopped_at = ${stopsAt} where network_id = ${networkId} and id = ${id}`,
    );
    const { stopped, resumed, value: words } = STANDING_ORDER_SUBJECTS;
    const subject = (stopsAt ? stopped : resumed)(username, words[measure](pointsText(value)));
    await appendActivity(tx, networkId, services, [
      { accountId: null, username: SYSTEM, subject, origin: NOWHERE, detail: { standingOrder: id, accountId } },
    ]);
  });
}
