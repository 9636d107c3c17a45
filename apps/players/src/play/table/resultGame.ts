import type { ResultGame } from '../../ui/DrawnResult.tsx';
import type { PlayState } from '../playNews.ts';

export function resultGame({ gameId, family, outcomes }: PlayState): ResultGame {
  return { gameId, family, digits: outcomes.length };
}
