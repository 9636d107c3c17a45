import type { ResultGame } from '../../ui/DrawnResult.tsx';
import type { PlayState } from '../playNews.ts';

/** What decides how the results of a game look. */
export function resultGame({ gameId, family, outcomes }: PlayState): ResultGame {
  return { gameId, family, digits: outcomes.length };
}
