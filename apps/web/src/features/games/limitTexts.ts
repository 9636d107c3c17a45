import type { Limits } from '@drawhouse/contract/games/game-pair';
import { formatPoints } from '../../lib/format.ts';

/** What a player is told of the limits of a game. */
export const limitTexts = {
  none: 'No limits',
  /** What limits mean for a player, a sentence for each. */
  sentences: ({ perNumber, perTicket, perPlayer }: Limits): string[] => [
    ...(perNumber === null
      ? []
      : [`On one number all players together may stake ${formatPoints(perNumber)} in a draw.`]),
    ...(perTicket === null ? [] : [`One ticket may cost ${formatPoints(perTicket)}.`]),
    ...(perPlayer === null ? [] : [`In one draw you may stake ${formatPoints(perPlayer)}.`]),
  ],
} as const;
