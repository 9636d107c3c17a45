import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../platform/services.ts';
import type { Tx } from '../platform/db/database.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { findDraw, lockDraw, type DrawRow } from '../draws/draws.sql.ts';
import { enterDrawGate, type DrawChoice } from '../draws/states/update-draw.ts';
import { requirePair } from '../games/pairs/pairs.ts';
import { SETTLEMENT_TEXTS } from './settlement-texts.ts';

/**
 * Requires a draw past its draw time that a public lottery decides; otherwise undefined. Throws DRAW_STATE if its
 * result was entered or its deadline has passed.
 */
export async function lockAwaited(
  services: Services,
  tx: Tx,
  actor: Actor,
  choice: DrawChoice,
): Promise<DrawRow | undefined> {
  if (choice.drawId === undefined) return undefined;
  const pair = await requirePair(tx, actor, choice);
  const found = await findDraw(tx, choice.drawId);
  const now = services.clock.now();
  const isOfPair = found?.network_id === pair.network_id && found.game_id === pair.game_id;
  if (!found || !isOfPair || found.outside === null || found.draws_at > now) return undefined;
  if (!(await enterDrawGate(tx, { networkId: pair.network_id, gameKey: pair.game_key }, 'close')))
    throw new CallError('NETWORK_RESTORING');
  const draw = await lockDraw(tx, found);
  if (draw.draw_status === 'open') throw new CallError('DRAW_STATE', { message: SETTLEMENT_TEXTS.stillClosing });
  if (draw.draw_status !== 'closed' || draw.awaits_until! <= now)
    throw new CallError('DRAW_STATE', { message: SETTLEMENT_TEXTS.notAwaited(draw.outside!, draw.draw_status) });
  return draw;
}

/** Throws RULE_REFUSED if a public lottery decides the draw. */
export function requireOwnDraw({ outside }: Pick<DrawRow, 'outside'>): void {
  if (outside !== null) throw new CallError('RULE_REFUSED', { message: SETTLEMENT_TEXTS.decidedOutside(outside) });
}
