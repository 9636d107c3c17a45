import { serverNow } from '../../lib/serverTime.ts';
import { getSession } from '../../lib/playerSession.ts';
import { stakeOf } from '../slip/slipSums.ts';
import type { LaidBet } from '@drawhouse/rules/bet-text/expand';
import type { ShortDraw } from '@drawhouse/contract/draws/draws';
import { accountPlacing } from './accountPlacing.ts';
import { sentLines } from './sentLines.ts';

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

/** UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, 74 random bits. `random`: 10 bytes. */
export function uuidV7(now: number, random: Uint8Array): string {
  const bytes = new Uint8Array(16);
  for (let index = 0; index < 6; index++) bytes[index] = Math.floor(now / 2 ** (8 * (5 - index))) % 256;
  bytes.set(random.subarray(0, 10), 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
