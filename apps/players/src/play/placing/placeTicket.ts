import { serverNow } from '../../lib/serverTime.ts';
import { getSession } from '../../lib/playerSession.ts';
import { stakeOf } from '../slip/slipSums.ts';
import type { LaidBet } from '@drawhouse/rules/bet-text/expand';
import type { ShortDraw } from '@drawhouse/contract/draws/draws';
import { accountPlacing } from './accountPlacing.ts';
import { sentLines } from './sentLines.ts';
import { uuidV7 } from './uuidV7.ts';

interface TicketToPlace {
  readonly gameId: string;
  readonly draw: Pick<ShortDraw, '_id' | 'closesAt'>;
  readonly lines: readonly LaidBet[];
  readonly unitPrice: number;
}

/** Stores and sends a ticket. Returns its request id, or null if storing failed, in which case no request was sent. */
export function placeTicket({ gameId, draw, lines, unitPrice }: TicketToPlace): string | null {
  const accountId = getSession()?.user?._id;
  const placing = accountPlacing();
  if (accountId === undefined || !placing) return null;
  const requestId = uuidV7(Math.floor(serverNow()), crypto.getRandomValues(new Uint8Array(10)));
  const isKept = placing.place({
    requestId,
    accountId,
    gameId,
    drawId: draw._id,
    closesAt: Date.parse(draw.closesAt),
    lines: sentLines(lines),
    stake: stakeOf(lines, unitPrice),
  });
  return isKept ? requestId : null;
}
