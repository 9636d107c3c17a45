import type { Actor } from '../../accounts/authority.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Services, PanelKey } from '../../platform/services.ts';
import { requirePair } from '../../games/pairs/pairs.ts';
import type { PairChoice } from '../../games/pairs/pairs.ts';
import { CallError } from '../../platform/http/http-errors.ts';
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

const LOCKS = { bet: 'pg_advisory_xact_lock_shared', close: 'pg_advisory_xact_lock' } as const;

/**
 * Enters the draw gate of a game until the transaction ends: shared for bets, exclusive for closing, in arrival order.
 * A row lock would not do: PostgreSQL grants shared locks past a waiting closer, so steady bets could delay closing
 * forever. Returns true if the books are open; they then stay open.
 */
export async function enterDrawGate(tx: Tx, { networkId, gameKey }: PanelKey, to: 'bet' | 'close'): Promise<boolean> {
  const [gate] = await tx.query<{ open: boolean }>(
    `select ${LOCKS[to]}(hashtextextended($1, 0)), enter_books($2) as open`,
    [`draws ${networkId} ${gameKey}`, networkId],
    `draw-gate-${to}`,
  );
  return gate!.open;
}
