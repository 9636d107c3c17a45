import { hundredthsOf, pointsOf } from '@drawhouse/contract/core/hundredths';
import type { Limits } from '@drawhouse/contract/games/game-pair';
import type { ShownLimit } from '@drawhouse/contract/players/protection';
import { PROTECTION_LIMITS } from '@drawhouse/contract/players/protection-names';
import { pointsText } from '../../lib/amounts.ts';

export interface RemainingLimit {
  readonly left: number;
  readonly words: string;
  readonly short?: string;
}

/** As far as known, in points. */
export interface TicketLimits {
  readonly limits: Limits;
  readonly own: readonly Pick<ShownLimit, 'limit' | 'value' | 'setBy' | 'left'>[];
  /** Earlier stakes on the draw. Null: unknown. */
  readonly staked: number | null;
}

/** Smallest first. Advisory: only the server knows all earlier bets. */
export function remainingLimits({ limits: { perTicket, perPlayer }, own, staked }: TicketLimits): RemainingLimit[] {
  const remaining: RemainingLimit[] = [];
  if (perTicket !== null)
    remaining.push({
      left: perTicket,
      words: `At most ${pointsText(perTicket)} points per ticket.`,
    });
  if (perPlayer !== null) {
    const left = leftOf(perPlayer, staked);
    const most = `At most ${pointsText(perPlayer)} points per player and draw`;
    remaining.push({
      left,
      words: staked ? `${most}: ${leftText(left)} on this one.` : `${most}.`,
    });
  }
  for (const { limit, value, setBy, left: reported } of own) {
    if (value === null || limit === 'minutesPerDay') continue;
    const left = limit === 'stakePerDraw' ? leftOf(value, staked) : (reported ?? value);
    const whose = setBy === 'manager' ? 'the limit set for you' : 'your limit';
    remaining.push({
      left,
      words: `${PROTECTION_LIMITS[limit]}: ${leftText(left)} of ${whose} of ${pointsText(value)}.`,
      short: `${PROTECTION_LIMITS[limit]}: ${pointsText(left)} left`,
    });
  }
  return remaining.toSorted((a, b) => a.left - b.left);
}

export function gameLimitTexts({ perNumber, perTicket, perPlayer }: Limits): string[] {
  return [
    perNumber !== null && `At most ${pointsText(perNumber)} points per bet on a draw, all players together.`,
    perTicket !== null && `At most ${pointsText(perTicket)} points per ticket.`,
    perPlayer !== null && `At most ${pointsText(perPlayer)} points per player and draw.`,
  ].filter((text) => text !== false);
}

function leftText(left: number): string {
  if (left === 0) return 'nothing is left';
  return `${pointsText(left)} ${left > 1 ? 'points are' : 'point is'} left`;
}

function leftOf(limit: number, used: number | null): number {
  const left = (hundredthsOf(limit) ?? 0n) - (hundredthsOf(used ?? 0) ?? 0n);
  return pointsOf(left > 0n ? left : 0n);
}
