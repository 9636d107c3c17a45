import { boosterOdds } from '@drawhouse/rules/booster';
import type { GameRules } from '@drawhouse/rules/game-rules';
import { baseReturn } from '@drawhouse/rules/rules';
import { LRUCache } from 'lru-cache';

/** The booster's weights of a game, and the base return that they start from. */
export interface Odds {
  readonly baseReturn: number;
  readonly weights: readonly number[];
}

/** The odds that were asked for last, by all that they follow from: draws are opened with them all the time. */
const known = new LRUCache<string, Odds>({ max: 2_000 });

/** The odds of a game with a win percentage, in percent, null where none is set. */
export function oddsFor(rules: GameRules, winPercentage: number | null): Odds {
  const aim = { baseReturn: baseReturn(rules), winPercentage, max: rules.maxBooster };
  const key = `${aim.baseReturn} ${winPercentage} ${aim.max}`;
  const same = known.get(key);
  if (same) return same;
  const odds = { baseReturn: aim.baseReturn, weights: Object.freeze(boosterOdds(aim)) };
  known.set(key, odds);
  return odds;
}
