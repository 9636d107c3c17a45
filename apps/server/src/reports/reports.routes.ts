import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../db/services.ts';
import type { BoundRoute } from '../http/handler.ts';
import { accountOverviewRoutes } from './account-overview.ts';
import { adminCommissionRoutes } from './admin-commission.ts';
import { gameHistoryRoutes } from './game-history.ts';
import { dashboardRoutes } from './dashboard.ts';
import { onlinePlayersRoutes } from './online-players.ts';
import { pendingCommissionRoutes } from './pending-commission.ts';
import { returnsRoutes } from './returns.ts';
import { transactionRoutes } from './transactions.ts';
import { turnoverRoutes } from './turnover.ts';

/** The routes of the reports. They only read. */
export function reportsRoutes(services: Services): BoundRoute<Actor>[] {
  return [
    ...dashboardRoutes(services),
    ...turnoverRoutes(services),
    ...accountOverviewRoutes(services),
    ...pendingCommissionRoutes(services),
    ...adminCommissionRoutes(services),
    ...transactionRoutes(services),
    ...gameHistoryRoutes(services),
    ...returnsRoutes(services),
    ...onlinePlayersRoutes(services),
  ];
}
