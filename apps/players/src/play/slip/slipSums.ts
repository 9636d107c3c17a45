import { hundredthsOf, pointsOf } from '@drawhouse/contract/frame/hundredths';
import type { Limits } from '@drawhouse/contract/games/game-pair';
import type { LaidBet } from '@drawhouse/rules/expand';
import { pointsText } from '../../lib/amounts.ts';
import type { TicketRoom } from './ticketRoom.ts';

/** The chips that there are, in units. */
export const CHIPS: readonly number[] = [1, 5, 10, 50, 100, 500];

/** What a ticket is held against, in points. */
interface SlipBounds {
  readonly unitPrice: number;
  /** Null before it is known. */
  readonly walletBalance: number | null;
  /** The most on one bet; null where there is no limit. */
  readonly perNumber: Limits['perNumber'];
  /** What is left for a ticket by its other limits, the least first. */
  readonly rooms: readonly TicketRoom[];
}

/** What some units cost, in points, exactly. */
export function costOf(units: number, unitPrice: number): number {
  return pointsOf(BigInt(units) * (hundredthsOf(unitPrice) ?? 0n));
}

/** What a ticket costs, in points. */
export function stakeOf(lines: readonly Pick<LaidBet, 'qty'>[], unitPrice: number): number {
  return costOf(
    lines.reduce((sum, { qty }) => sum + qty, 0),
    unitPrice,
  );
}

/**
 * Why a ticket can't be placed as it is, in a sentence, as far as it can be told here: what has been laid before counts too, and the server alone
 * knows that. Null where nothing is known to be in the way.
 */
export function obstacleOf(
  lines: readonly LaidBet[],
  { unitPrice, walletBalance, perNumber: most, rooms }: SlipBounds,
): string | null {
  const stake = stakeOf(lines, unitPrice);
  if (walletBalance !== null && stake > walletBalance)
    return `This is ${pointsText(difference(stake, walletBalance))} points more than your wallet has.`;
  const [least] = rooms;
  if (least && stake > least.left) return least.words;
  const over = most !== null && lines.find(({ qty }) => costOf(qty, unitPrice) > most);
  if (over) return `One bet takes ${pointsText(most)} points at most; on ${over.drawno} there are more.`;
  return null;
}

/** a − b in points, exactly; a is at least b. */
function difference(a: number, b: number): number {
  return pointsOf((hundredthsOf(a) ?? 0n) - (hundredthsOf(b) ?? 0n));
}
