import { serverNow } from '../../lib/serverTime.ts';
import { getSession } from '../../lib/playerSession.ts';
import { stakeOf } from '../slip/slipSums.ts';
import type { LaidBet } from '@drawhouse/rules/expand';
import type { ShortDraw } from '@drawhouse/contract/draws/draws';
import { accountPlacing, useKeptBets } from './accountPlacing.ts';
import type { KeptBet } from './keptBet.ts';
import { sentLines } from './sentLines.ts';
import { uuidV7 } from './uuidV7.ts';

/** What is to be placed: a ticket for one draw. */
interface TicketToPlace {
  readonly gameId: string;
  readonly draw: Pick<ShortDraw, '_id' | 'closesAt'>;
  readonly lines: readonly LaidBet[];
  readonly unitPrice: number;
}

/** Keeps a ticket on the device and sends it; answers its request, or null where the device keeps nothing, and nothing was sent. */
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

/** Lets go of a ticket whose fate its player has seen. */
export function forgetBet(requestId: string): void {
  accountPlacing()?.forget(requestId);
}

/** The tickets of a game that are kept on this device, the newest last. */
export function useBetsOf(gameId: string): readonly KeptBet[] {
  return useKeptBets().filter((bet) => bet.gameId === gameId);
}

/** Takes note that betting on a draw has closed before its time. */
export function noteClosed(drawId: string): void {
  accountPlacing()?.closed(drawId);
}
