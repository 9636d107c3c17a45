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
import { pointsOf } from '@drawhouse/contract/frame/primitives';
import { paysInUnits } from '@drawhouse/rules/pays';
import type { Actor } from '../accounts/authority.ts';
import { visiblePair } from '../games/pairs.ts';
import { CallError } from '../http/http-errors.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import type { DrawMachine } from './draw-machine.ts';
import { findDraw, lastResults } from './draws.sql.ts';
import { noDraw } from './cleared-draws.ts';
import { generateNow, voidRunning } from './operate-draw.ts';
import { saveResult } from './save-result.ts';
import { readPlayerState } from './player-state.ts';
import { readNextDraw, readTimer } from './timers.ts';

/** The routes that declare, generate, void and check draws, and those by which players and staff follow them. */
export function drawsRoutes(machine: DrawMachine): BoundRoute<Actor>[] {
  const { services } = machine;
  return [
    handle(addResult, ({ body }, call) => saveResult(machine, call, body)),
    handle(generateResult, async ({ body }, call) => ({
      message: 'Result generated successfully!',
      ...(await generateNow(machine, call, body)),
    })),
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
    handle(fairDraw, async ({ params }) => {
      const draw = await findDraw(services.db, params.drawId);
      if (!draw) throw new CallError('NOT_FOUND', { message: await noDraw(services, params.drawId) });
      const isPublic = draw.draw_status === 'settled' || draw.draw_status === 'settling';
      return {
        drawId: draw.id,
        gameId: draw.game_key,
        gameName: draw.name,
        family: draw.family,
        digits: draw.digits,
        number: Number(draw.number),
        status: draw.draw_status,
        opensAt: draw.opens_at.toISOString(),
        drawsAt: draw.draws_at.toISOString(),
        commitment: draw.commitment.toString('hex'),
        rulesVersion: draw.rules_version,
        unitPrice: pointsOf(draw.unit_price),
        pays: paysInUnits(draw.pays),
        weights: [...draw.weights],
        ticketRoot: draw.ticket_root?.toString('hex') ?? null,
        tickets: draw.ticket_count,
        ticketsCleared: draw.tickets_cleared,
        seed: draw.seed?.toString('hex') ?? null,
        voidCause: draw.void_cause,
        result: isPublic ? draw.result : null,
        resultLabel: isPublic ? draw.result_label : null,
        booster: isPublic ? draw.booster : null,
        source: isPublic ? draw.source : null,
      };
    }),
  ];
}
