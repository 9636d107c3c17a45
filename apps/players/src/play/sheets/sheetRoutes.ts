import type { RouteAnswer } from '@drawhouse/contract/core/route';
import type { deleteFavorite, listFavorites, saveFavorite } from '@drawhouse/contract/players/favorites';
import type { comingDraws, placeAhead } from '@drawhouse/contract/tickets/advance-tickets';
import type { PlayerRoute } from '../../lib/server/playerApi.ts';

export const aheadRoutes = {
  coming: { method: 'GET', path: 'app/coming' } as PlayerRoute<typeof comingDraws>,
  place: { method: 'POST', path: 'app/ahead' } as PlayerRoute<typeof placeAhead>,
} as const;

export type Favorite = RouteAnswer<typeof listFavorites>['data'][number];

export const favoriteRoutes = {
  list: { method: 'GET', path: 'app/favorites' } as PlayerRoute<typeof listFavorites>,
  save: { method: 'PUT', path: 'app/favorites' } as PlayerRoute<typeof saveFavorite>,
  remove: { method: 'DELETE', path: 'app/favorites/:favoriteId' } as PlayerRoute<typeof deleteFavorite>,
} as const;
