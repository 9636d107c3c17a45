import { fairDraw, getTimer, nextDraw, playerResults, playerState } from '@drawhouse/contract/draws/draws';
import type { Actor } from '../accounts/authority.ts';
import { visiblePair } from '../games/pairs.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import { lastResults } from './draws.sql.ts';
import type { Services } from '../services.ts';
import { readFairDraw } from './read-fair.ts';
import { readPlayerState } from './player-state.ts';
import { readNextDraw, readTimer } from './timers.ts';

/** The routes by which players and staff follow draws, and anyone checks them. */
export function drawsRoutes(services: Services): BoundRoute<Actor>[] {
  return [
    handle(playerState, ({ query }, { actor }) => readPlayerState(services, actor, query.gameId)),
    handle(playerResults, async ({ query }, { actor }: { actor: Actor }) => ({
      data: await lastResults(services.db, await visiblePair(services.db, actor, query)),
    })),
    handle(getTimer, ({ query }, { actor }: { actor: Actor }) => readTimer(services, actor, query)),
    handle(nextDraw, ({ query }, { actor }: { actor: Actor }) => readNextDraw(services, actor, query)),
    handle(fairDraw, ({ params }) => readFairDraw(services, params.drawId)),
  ];
}
