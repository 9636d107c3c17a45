import type { GameRules } from '@drawhouse/rules/games/rules';
import { call, failureText } from '../../lib/server/playerApi.ts';
import { routes } from '../../lib/server/playerRoutes.ts';
import { getSession } from '../../lib/session/playerSession.ts';
import { stakeOf } from '../slip/slipSums.ts';
import type { SlipLine } from '@drawhouse/rules/bet-text/expand';
import type { ShortDraw } from '@drawhouse/contract/draws/draws';
import { accountPlacing } from './accountPlacing.ts';
import type { SlipEditor } from '../useSlip.ts';
import { parseSentLines, sentLines } from './betRequest.ts';
import { lazyTexts } from '../lazyTexts.ts';

interface TicketToPlace {
  readonly requestId: string;
  readonly gameId: string;
  readonly draw: Pick<ShortDraw, '_id' | 'closesAt'>;
  readonly lines: readonly SlipLine[];
  readonly unitPrice: number;
}

export function placeTicket({ requestId, gameId, draw, lines, unitPrice }: TicketToPlace): boolean {
  const accountId = getSession()?.user?._id;
  const placing = accountPlacing();
  if (accountId === undefined || !placing) return false;
  return placing.place({
    requestId,
    accountId,
    gameId,
    drawId: draw._id,
    closesAt: Date.parse(draw.closesAt),
    lines: sentLines(lines),
    stake: stakeOf(lines, unitPrice),
  });
}

/** Does not place it. Returns a failure message, or null. */
export async function repeatTicket(gameId: string, rules: GameRules, load: SlipEditor['load']): Promise<string | null> {
  try {
    const { data } = await call(routes.tickets, { query: { gameId, pageSize: '1' } });
    if (data.length === 0) return lazyTexts.repeat.none;
    const lines = parseSentLines(data[0]!.lines, rules);
    if (lines.length === 0) return lazyTexts.repeat.gone;
    await load(lines);
    return null;
  } catch (error) {
    return failureText(error);
  }
}
