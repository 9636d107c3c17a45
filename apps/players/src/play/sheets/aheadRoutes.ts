import type { comingDraws, placeAhead } from '@drawhouse/contract/tickets/advance-tickets';
import type { PlayerRoute } from '../../lib/server/playerApi.ts';

export const aheadRoutes = {
  coming: { method: 'GET', path: 'app/coming' } as PlayerRoute<typeof comingDraws>,
  place: { method: 'POST', path: 'app/ahead' } as PlayerRoute<typeof placeAhead>,
} as const;
