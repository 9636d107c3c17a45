import { boosterOdds } from '@drawhouse/rules/booster';
import type { GameRules } from '@drawhouse/rules/game-rules';
import { baseReturn } from '@drawhouse/rules/rules';
import { LRUCache } from 'lru-cache';

export interface Odds {
  readonly baseReturn: number;
  readonly weights: readonly number[];
}

/** Keyed by all inputs; every opening draw needs them. */
const known = new LRUCache<string, Odds>({ max: 2_000 });

export function oddsFor(rules: GameRules, winPercentage: number | null): Odds {
  const aim = { baseReturn: baseReturn(rules), winPercentage, max: rules.maxBooster };
  const key = `${aim.baseReturn} ${winPercentage} ${aim.max}`;
  const same = known.get(key);
  if (same) return same;
  const odds = { baseReturn: aim.baseReturn, weights: Object.freeze(boosterOdds(aim)) };
  known.set(key, odds);
  return odds;
}
