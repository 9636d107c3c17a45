import {
  LEAST_WIN_PERCENTAGE,
  NO_WIN_PERCENTAGE,
  WRONG_PERCENTAGE,
  type Percentage,
} from '@drawhouse/contract/games/percentages';
import { boosterMean, boosterOdds, mostWinPercentage } from '@drawhouse/rules/fair/booster';
import { sideOfBand } from '@drawhouse/rules/games/moments';
import { parsePoints } from '../../../../lib/format/format.ts';
import { gameTexts } from '../../gameTexts.ts';

export type Odds = Pick<Percentage, 'weights' | 'boosterMean' | 'willReturn'>;

/** Empty counts as 0, which means unset per spec. */
export function readPercentage(text: string): number | null {
  return text.trim() === '' ? NO_WIN_PERCENTAGE : parsePoints(text);
}

export function percentageProblem(text: string, row: Percentage): string | null {
  const percentage = readPercentage(text);
  if (percentage === null) return WRONG_PERCENTAGE;
  if (percentage === NO_WIN_PERCENTAGE) return null;
  if (percentage < LEAST_WIN_PERCENTAGE) return gameTexts.atLeastOrEmpty(LEAST_WIN_PERCENTAGE);
  const most = mostWinPercentage({ baseReturn: row.baseReturn, max: row.weights.length });
  return percentage > most ? gameTexts.atMostLimitWith(most, row.weights.length) : null;
}

export function oddsOf(text: string, row: Percentage): Odds {
  if (percentageProblem(text, row) !== null) return row;
  const winPercentage = readPercentage(text) || null;
  const weights = boosterOdds({ baseReturn: row.baseReturn, winPercentage, max: row.weights.length });
  const mean = boosterMean(weights);
  return { weights, boosterMean: mean, willReturn: row.baseReturn * mean };
}

export function standing({
  return: actual,
  low,
  high,
}: Percentage['actual'][number]): 'none' | 'within' | 'above' | 'below' {
  return actual === null || low === null || high === null ? 'none' : sideOfBand({ actual, low, high });
}
