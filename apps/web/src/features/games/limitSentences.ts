import type { Limits } from '@drawhouse/contract/games/game-pair';
import { formatPoints } from '../../lib/format.ts';

/** What limits mean for a player, a sentence for each. */
export function limitSentences({ perNumber, perTicket, perPlayer }: Limits): string[] {
  return [
    ...(perNumber === null
      ? []
      : [`On one number all players together may stake ${formatPoints(perNumber)} in a draw.`]),
    ...(perTicket === null ? [] : [`One ticket may cost ${formatPoints(perTicket)}.`]),
    ...(perPlayer === null ? [] : [`In one draw you may stake ${formatPoints(perPlayer)}.`]),
  ];
}
