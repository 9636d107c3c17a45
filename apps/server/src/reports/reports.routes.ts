import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../platform/services.ts';
import type { BoundRoute } from '../platform/http/handler.ts';
import { accountOverviewRoutes } from './account-overview/account-overview.routes.ts';
import { adminCommissionRoutes } from './commission/admin-commission.routes.ts';
import { betListRoutes } from './bet-list/bet-list.routes.ts';
import { drawPageRoutes } from './draw-page/draw-page.routes.ts';
import { dashboardRoutes } from './dashboard/dashboard.routes.ts';
import { findRoutes } from './find/find.routes.ts';
import { onlinePlayersRoutes } from './online-players/online-players.routes.ts';
import { pendingCommissionRoutes } from './commission/pending-commission.routes.ts';
import { returnsRoutes } from './returns/returns.routes.ts';
import { transactionRoutes } from './transactions/transactions.routes.ts';
import { turnoverRoutes } from './turnover/turnover.routes.ts';

export function reportsRoutes(services: Services): BoundRoute<Actor>[] {
  return [
    ...findRoutes(services),
    ...dashboardRoutes(services),
    ...turnoverRoutes(services),
    ...accountOverviewRoutes(services),
    ...pendingCommissionRoutes(services),
    ...adminCommissionRoutes(services),
    ...transactionRoutes(services),
    ...betListRoutes(services),
    ...drawPageRoutes(services),
    ...returnsRoutes(services),
    ...onlinePlayersRoutes(services),
  ];
}
