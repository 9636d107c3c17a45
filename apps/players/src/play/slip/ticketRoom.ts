import { hundredthsOf, pointsOf } from '@drawhouse/contract/frame/hundredths';
import type { Limits } from '@drawhouse/contract/games/game-pair';
import type { ShownLimit } from '@drawhouse/contract/players/protection';
import { PROTECTION_LIMITS } from '@drawhouse/contract/players/protection-names';
import { pointsText } from '../../lib/amounts.ts';

/** What is left for a ticket by one of the limits that it is held against, in points, and that in a sentence. */
export interface TicketRoom {
  readonly left: number;
  readonly words: string;
  /** The same in a few words, for where there is little room. */
  readonly short?: string;
}

/** What limits tickets, as far as it is known here, in points. */
export interface TicketLimits {
  /** Of the game. */
  readonly limits: Limits;
  /** Of the player, whoever has set them. */
  readonly own: readonly Pick<ShownLimit, 'limit' | 'value' | 'setBy' | 'left'>[];
  /** What the player has laid on the draw before; null where that is not known. */
  readonly laid: number | null;
}

/** What is left for a ticket by each of its limits, the least first. The server alone knows all that was laid; it judges. */
export function ticketRooms({ limits: { perTicket, perPlayer }, own, laid }: TicketLimits): TicketRoom[] {
  const rooms: TicketRoom[] = [];
  if (perTicket !== null)
    rooms.push({
      left: perTicket,
      words: `One ticket takes ${pointsText(perTicket)} points at most.`,
    });
  if (perPlayer !== null) {
    const left = leftOf(perPlayer, laid);
    const most = `You may lay ${pointsText(perPlayer)} points on one draw at most`;
    rooms.push({
      left,
      words: laid ? `${most}: ${leftText(left)} on this one.` : `${most}.`,
    });
  }
  for (const { limit, value, setBy, left: told } of own) {
    if (value === null || limit === 'minutesPerDay') continue;
    const left = limit === 'stakePerDraw' ? leftOf(value, laid) : (told ?? value);
    const whose = setBy === 'manager' ? 'the limit that is set for you' : 'your limit';
    rooms.push({
      left,
      words: `${PROTECTION_LIMITS[limit]}: ${leftText(left)} of ${whose} of ${pointsText(value)}.`,
      short: `${PROTECTION_LIMITS[limit]}: ${pointsText(left)} left`,
    });
  }
  return rooms.toSorted((a, b) => a.left - b.left);
}

/** The limits of a game in sentences; none where it has none. */
export function gameLimitTexts({ perNumber, perTicket, perPlayer }: Limits): string[] {
  return [
    perNumber !== null && `One bet takes ${pointsText(perNumber)} points on a draw at most, of all players together.`,
    perTicket !== null && `One ticket takes ${pointsText(perTicket)} points at most.`,
    perPlayer !== null && `You may lay ${pointsText(perPlayer)} points on one draw at most.`,
  ].filter((text) => text !== false);
}

function leftText(left: number): string {
  if (left === 0) return 'nothing is left';
  return `${pointsText(left)} ${left > 1 ? 'points are' : 'point is'} left`;
}

/** What is left of a limit, in points, not below zero. */
function leftOf(limit: number, used: number | null): number {
  const left = (hundredthsOf(limit) ?? 0n) - (hundredthsOf(used ?? 0) ?? 0n);
  return pointsOf(left > 0n ? left : 0n);
}
