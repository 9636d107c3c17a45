import type { Actor } from '../../accounts/authority.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { requirePair } from '../../games/pairs/pairs.ts';
import type { PairChoice } from '../../games/pairs/pairs.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { enterDrawGate } from './draw-gate.ts';
import { lockDraw, runningDraw } from '../draws.sql.ts';
import type { DrawRow } from '../draws.sql.ts';

/** Running draw of a game and admin. With `drawId`, only if it is still that draw. */
export interface DrawChoice extends PairChoice {
  readonly drawId?: string;
}

/**
 * Locks the running draw, which needs no result yet and a future draw time. A concurrent second ender is refused: the
 * first transaction leaves the draw settled or void.
 */
export async function lockRunning(services: Services, tx: Tx, actor: Actor, choice: DrawChoice): Promise<DrawRow> {
  const pair = await requirePair(tx, actor, choice);
  const running = await runningDraw(tx, pair, services.clock.now());
  if (!(await enterDrawGate(tx, { networkId: pair.network_id, gameKey: pair.game_key }, 'close')))
    throw new CallError('NETWORK_RESTORING');
  if (!running) throw new CallError('DRAW_STATE', { message: 'No draw of this game is running.' });
  const draw = await lockDraw(tx, running);
  if ((choice.drawId !== undefined && choice.drawId !== draw.id) || draw.draws_at <= services.clock.now())
    throw new CallError('DRAW_STATE', { message: 'That draw is over. The next one is open.' });
  if (draw.draw_status !== 'open' && draw.draw_status !== 'closed')
    throw new CallError('DRAW_STATE', { message: `Draw ${draw.number} is ${draw.draw_status}.` });
  return draw;
}
