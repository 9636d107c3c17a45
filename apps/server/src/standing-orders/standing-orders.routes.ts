import {
  endStandingOrder,
  makeStandingOrder,
  standingOrders,
} from '@drawhouse/contract/standing-orders/standing-orders';
import type { Weekday } from '@drawhouse/rules/records/week-balance';
import type { Actor } from '../accounts/authority.ts';
import { networkOrColumnSql, singleNetworkOf } from '../platform/db/cross-network-sql.ts';
import { naturalOrder, sql } from '../platform/db/sql/sql.ts';
import { inSubtreeEver } from '../platform/db/visibility-predicate.ts';
import { handle, type BoundRoute } from '../platform/http/handler.ts';
import type { ListRequest } from '../platform/lists/list-source.ts';
import { serveList } from '../platform/lists/serve-list.ts';
import type { Services } from '../platform/services.ts';
import { endStandingOrder as end, makeStandingOrder as make } from './change-standing-orders.ts';
import { ORDER_COLUMNS, ordersIn, toOrder, type OrderRow } from './standing-orders.sql.ts';
import { STANDING_ORDER_TEXTS } from './standing-orders-texts.ts';

export function standingOrdersRoutes(services: Services, firstWeekday: Weekday): BoundRoute<Actor>[] {
  return [
    ...serveList(services, standingOrders, ({ actor }: ListRequest<typeof standingOrders, Actor>) => ({
      from: ordersIn(networkOrColumnSql(singleNetworkOf(actor), 'a.network_id')),
      authority: inSubtreeEver('a', actor),
      key: sql`o.id`,
      select: ORDER_COLUMNS,
      toRow: (row: OrderRow) => toOrder(row, actor),
      reading: 'rows' as const,
      order: {
        account: naturalOrder(sql`a.username`),
        nextAt: { by: sql`o.next_at`, nullable: true as const },
        madeAt: sql`o.at`,
      },
      filters: {
        state: (value: string) => (value === 'ended' ? sql`o.ended_at is not null` : sql`o.ended_at is null`),
        kind: (value: string) => sql`o.kind = ${value}`,
        accountId: sql`a.id`,
      },
    })),
    handle(makeStandingOrder, async ({ body }, call) => ({
      message: STANDING_ORDER_TEXTS.made,
      data: await make(services, call, firstWeekday, body),
    })),
    handle(endStandingOrder, async ({ params }, call) => {
      await end(services, call, params.orderId);
      return { message: STANDING_ORDER_TEXTS.ended };
    }),
  ];
}
