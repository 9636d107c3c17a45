import {
  addResult,
  fairDraw,
  generateResult,
  voidDraw,
  getTimer,
  nextDraw,
  playerResults,
  playerState,
} from '@drawhouse/contract/draws/draws';
import type { Actor } from '../accounts/authority.ts';
import { visiblePair } from '../games/pairs.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import type { DrawMachine } from './draw-machine.ts';
import { lastResults } from './draws.sql.ts';
import { readFairDraw } from './read-fair.ts';
import { generateNow, voidRunning } from './operate-draw.ts';
import { saveResult } from './save-result.ts';
import { readPlayerState } from './player-state.ts';
import { readNextDraw, readTimer } from './timers.ts';

/** The routes that declare, generate, void and check draws, and those by which players and staff follow them. */
export function drawsRoutes(machine: DrawMachine): BoundRoute<Actor>[] {
  const { services } = machine;
  return [
    handle(addResult, ({ body }, call) => saveResult(machine, call, body)),
    handle(generateResult, ({ body }, call) => generateNow(machine, call, body)),
    handle(voidDraw, async ({ body }, call) => ({
      message: 'The draw is void. Every stake has gone back.',
      ...(await voidRunning(machine, call, body)),
    })),
    handle(playerState, ({ query }, { actor }) => readPlayerState(services, actor, query.gameId)),
    handle(playerResults, async ({ query }, { actor }: { actor: Actor }) => ({
      data: await lastResults(services.db, await visiblePair(services.db, actor, query)),
    })),
    handle(getTimer, ({ query }, { actor }: { actor: Actor }) => readTimer(services, actor, query)),
    handle(nextDraw, ({ query }, { actor }: { actor: Actor }) => readNextDraw(services, actor, query)),
    handle(fairDraw, ({ params }) => readFairDraw(services, params.drawId)),
  ];
}
