import type { GameRules } from '@drawhouse/rules/games/rules';
import { call, failureText } from '../../lib/playerApi.ts';
import { routes } from '../../lib/playerRoutes.ts';
import { lineAgain } from '../placing/sentLines.ts';
import type { SlipInHand } from '../useSlip.ts';

/** Loads the last ticket without placing it. Returns a failure message, or null. */
export async function repeatTicket(gameId: string, rules: GameRules, load: SlipInHand['load']): Promise<string | null> {
  try {
    const { data } = await call(routes.tickets, { query: { gameId, pageSize: '1' } });
    if (data.length === 0) return 'You have no bets on this game yet.';
    const lines = lineAgain(data[0]!.lines, rules);
    if (lines.length === 0) return 'The bets of your last ticket are no longer on this board.';
    await load(lines);
    return null;
  } catch (error) {
    return failureText(error);
  }
}
