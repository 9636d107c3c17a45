import type { Percentage } from '@drawhouse/contract/games/percentages';
import { LEAST_WIN_PERCENTAGE, NO_WIN_PERCENTAGE, WRONG_PERCENTAGE } from '@drawhouse/contract/games/percentages';
import { boosterMean, boosterOdds, mostWinPercentage } from '@drawhouse/rules/booster';
import { sideOfBand } from '@drawhouse/rules/moments';
import { parsePoints } from '../../lib/pointsMath.ts';

/** What decides the odds of the booster, and what follows. */
export type Odds = Pick<Percentage, 'weights' | 'boosterMean' | 'willReturn'>;

/** A percentage as it was typed: empty is 0, as the specification has it, and means that none is set; null where it makes no sense. */
export function readPercentage(text: string): number | null {
  return text.trim() === '' ? NO_WIN_PERCENTAGE : parsePoints(text);
}

/** What is wrong with a percentage that was typed; null where nothing is. */
export function percentageProblem(text: string, row: Percentage): string | null {
  const percentage = readPercentage(text);
  if (percentage === null) return WRONG_PERCENTAGE;
  if (percentage === NO_WIN_PERCENTAGE) return null;
  if (percentage < LEAST_WIN_PERCENTAGE) return `At least ${LEAST_WIN_PERCENTAGE}, or empty for none`;
  const most = mostWinPercentage({ baseReturn: row.baseReturn, max: row.weights.length });
  return percentage > most ? `At most ${most}: the highest booster of ${row.weights.length} brings no more` : null;
}

/** The odds that a percentage would bring about; those of the row as it is where what was typed makes no sense. */
export function oddsOf(text: string, row: Percentage): Odds {
  if (percentageProblem(text, row) !== null) return row;
  const winPercentage = readPercentage(text) || null;
  const weights = boosterOdds({ baseReturn: row.baseReturn, winPercentage, max: row.weights.length });
  const mean = boosterMean(weights);
  return { weights, boosterMean: mean, willReturn: row.baseReturn * mean };
}

/** How an actual return stands to its 99 % band. */
export function standing({
  return: actual,
  low,
  high,
}: Percentage['actual'][number]): 'none' | 'within' | 'above' | 'below' {
  return actual === null || low === null || high === null ? 'none' : sideOfBand({ actual, low, high });
}
