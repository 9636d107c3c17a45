import { boosterOdds } from '@drawhouse/rules/booster';
import type { GameRules } from '@drawhouse/rules/game-rules';
import { baseReturn } from '@drawhouse/rules/rules';

/** The booster's weights of a game, and the base return that they start from. */
export interface Odds {
  readonly baseReturn: number;
  readonly weights: readonly number[];
}

/** How many odds are kept at hand. */
const MOST_KNOWN = 2_000;
const known = new Map<string, Odds>();

/**
 * The odds of a game with a win percentage, in percent, null where none is set. Those that were asked for last are kept: draws are opened
 * with them all the time.
 */
export function oddsFor(rules: GameRules, winPercentage: number | null): Odds {
  const aim = { baseReturn: baseReturn(rules), winPercentage, max: rules.maxBooster };
  const key = `${aim.baseReturn} ${winPercentage} ${aim.max}`;
  const odds = known.get(key) ?? { baseReturn: aim.baseReturn, weights: Object.freeze(boosterOdds(aim)) };
  known.delete(key);
  known.set(key, odds);
  // A Map has what was set first first.
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!);
  return odds;
}
