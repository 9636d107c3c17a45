import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import { STANDING_ORDER_KINDS, standingOrderTerms } from '@drawhouse/contract/standing-orders/standing-orders';
import type { Actor } from '../accounts/authority.ts';
import { networkOrColumnSql, singleNetworkOf } from '../platform/db/cross-network-sql.ts';
import type { Queryable } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { ORDER_COLUMNS, ordersIn, toOrder, type OrderRow } from './standing-orders.sql.ts';

const ENDED_SHOWN_MS = 7 * 86_400_000;

/** Both sides see skipped runs, orders that the system ended in the last week, and floors that stop bets. */
export async function orderNotices(on: Queryable, actor: Actor, now: Date): Promise<FoundNotice[]> {
  const orders = await on.query<OrderRow>(
    sql`select ${ORDER_COLUMNS} from ${ordersIn(networkOrColumnSql(singleNetworkOf(actor), 'a.network_id'))}
      where (o.giver_id = ${actor.id} and o.ended_at is null and o.skipped is not null)
        or (o.giver_id = ${actor.id} and o.ended_at > ${new Date(now.getTime() - ENDED_SHOWN_MS)} and o.ended_by is null
          and not (o.kind = 'temporary' and o.last_amount is not null and o.last_amount = o.amount))
        or ((o.giver_id = ${actor.id} or o.account_id = ${actor.id}) and o.stopped_at is not null)
      order by o.id`,
  );
  const isStopped = ({ endedAt, stoppedAt }: OrderRow): boolean => endedAt === null && stoppedAt !== null;
  const stopped = Map.groupBy(orders.filter(isStopped), ({ accountId }) => accountId);
  return [
    ...orders.filter((order) => !isStopped(order)).map(noticeOf),
    ...[...stopped.values()].map((floors) => stoppedNotice(floors as [OrderRow, ...OrderRow[]], actor)),
  ];
}

const accountOf = ({ accountId, role }: OrderRow) => ({ id: accountId, role });

function noticeOf(order: OrderRow): FoundNotice {
  const { kind, username, endedAt, ending, skipped, lastAt } = order;
  const object = {
    about: `${username}: ${STANDING_ORDER_KINDS[kind].toLowerCase()}`,
    account: accountOf(order),
  };
  if (endedAt) return { code: 'ORDER_ENDED', since: endedAt.toISOString(), ...object, detail: ending ?? '' };
  return { code: 'ORDER_SKIPPED', ...object, detail: skipped!, ...(lastAt && { since: lastAt.toISOString() }) };
}

function stoppedNotice(floors: readonly [OrderRow, ...OrderRow[]], actor: Actor): FoundNotice {
  const [first] = floors;
  const since = Math.min(...floors.map(({ stoppedAt }) => stoppedAt!.getTime()));
  return {
    code: 'SELLING_STOPPED',
    since: new Date(since).toISOString(),
    about: first.username,
    account: accountOf(first),
    detail: floors.map((floor) => standingOrderTerms(toOrder(floor, actor))).join('; '),
  };
}
