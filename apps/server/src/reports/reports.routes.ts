import type { Weekday } from '@drawhouse/rules/records/week-balance';
import type { Actor } from '../accounts/authority.ts';
import type { Database } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import type { BoundRoute } from '../platform/http/handler.ts';
import { accountOverviewRoutes } from './account-overview/account-overview.routes.ts';
import { adminCommissionRoutes, pendingCommissionRoutes } from './commission/commission.routes.ts';
import { betListRoutes } from './bet-list/bet-list.routes.ts';
import { drawPageRoutes } from './draw-page/draw-page.routes.ts';
import { dashboardRoutes } from './dashboard/dashboard.routes.ts';
import { findRoutes } from './find/find.routes.ts';
import { onlinePlayersRoutes } from './online-players/online-players.routes.ts';
import { returnsRoutes } from './returns/returns.routes.ts';
import { transactionRoutes } from './transactions/transactions.routes.ts';
import { turnoverRoutes } from './turnover/turnover.routes.ts';

/**
 * Sums of finished draws may come from `standby`. Lists that staff act on, balances and single objects never do: their
 * readers expect what they changed a moment ago.
 */
export function reportsRoutes(services: Services, firstWeekday: Weekday, standby?: Database): BoundRoute<Actor>[] {
  const sums = { ...services, standby };
  return [
    ...findRoutes(services),
    ...dashboardRoutes(services, firstWeekday),
    ...turnoverRoutes(sums),
    ...accountOverviewRoutes(services),
    ...pendingCommissionRoutes(services),
    ...adminCommissionRoutes(sums),
    ...transactionRoutes(services),
    ...betListRoutes(services),
    ...drawPageRoutes(services),
    ...returnsRoutes(sums),
    ...onlinePlayersRoutes(services),
  ];
}
