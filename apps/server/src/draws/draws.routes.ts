import { addResult, fairDraw, generateResult, voidDraw } from '@drawhouse/contract/live';
import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../db/services.ts';
import { CallError } from '../http/errors.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import type { DrawMachine, TicketHooks } from './draw-machine.ts';
import { selectDraws } from './draws.sql.ts';
import { generateNow, saveResult, voidRunning } from './operate-draw.ts';

/** The routes that declare, generate, void and check draws. */
export function drawsRoutes(services: Services, machine: DrawMachine, hooks: TicketHooks): BoundRoute<Actor>[] {
  return [
    handle(addResult, ({ body }, call) => saveResult(services, machine, hooks, call, body, body)),
    handle(generateResult, async ({ body }, call) => ({
      message: 'Result generated successfully!',
      ...(await generateNow(services, machine, call, body)),
    })),
    handle(voidDraw, async ({ body }, call) => ({
      message: 'The draw is void. Every stake has gone back.',
      ...(await voidRunning(services, machine, call, body)),
    })),
    handle(fairDraw, async ({ params }) => {
      const [draw] = await selectDraws(services.db, 'where d.id = $1', [params.drawId]);
      if (!draw) throw new CallError('NOT_FOUND');
      const finished = draw.draw_status === 'settled';
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
        weights: draw.weights,
        ticketDigest: draw.ticket_digest?.toString('hex') ?? null,
        tickets: draw.ticket_count,
        seed: draw.seed?.toString('hex') ?? null,
        result: finished ? draw.result : null,
        resultLabel: finished ? draw.result_label : null,
        booster: finished ? draw.booster : null,
        source: finished ? draw.source : null,
      };
    }),
  ];
}
