import { loadGame } from '@drawhouse/contract/live';
import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../db/services.ts';
import { requirePair } from '../games/pairs.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import { readPanel } from './panel.ts';

/** The route of the live panel, for those who want it once. */
export function liveRoutes(services: Services): BoundRoute<Actor>[] {
  return [
    handle(loadGame, async ({ query }, { actor }) =>
      readPanel(services, await requirePair(services.db, actor, query), 0),
    ),
  ];
}
