import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../db/services.ts';
import type { BoundRoute } from '../http/handler.ts';
<<<<<<< HEAD
import { returnsRoutes } from './returns.ts';
=======
import { onlinePlayersRoutes } from './online-players.ts';
>>>>>>> main
import { turnoverRoutes } from './turnover.ts';

/** The routes of the reports. They only read. */
export function reportsRoutes(services: Services): BoundRoute<Actor>[] {
<<<<<<< HEAD
  return [...turnoverRoutes(services), ...returnsRoutes(services)];
=======
  return [...turnoverRoutes(services), ...onlinePlayersRoutes(services)];
>>>>>>> main
}
