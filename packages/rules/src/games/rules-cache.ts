import { builtInGame, type FamilyName } from './catalogue.ts';
import type { GameRules } from './game-rules.ts';
import { withPays, type Pays } from './pays.ts';

export type GameIdentity = {
  gameId: string;
  family: FamilyName;
  digits: number;
  /** Hundredths per unit, if different from the family's defaults. */
  pays?: Pays | null | undefined;
};

/** Custom pays have unbounded variants (LRU). */
const MOST_OWN = 256;

/** Applies pays, which `newRules` may ignore. The rules are shared: do not mutate. */
export function cachedRules(newRules: (game: GameIdentity) => GameRules): (game: GameIdentity) => GameRules {
  const cache = new Map<string, GameRules>();
  const ownCache = new Map<string, GameRules>();
  const usualRules = (cacheKey: string, game: GameIdentity): GameRules => {
    const rules = cache.get(cacheKey) ?? newRules(game);
    cache.set(cacheKey, rules);
    return rules;
  };
  return (game) => {
    const { pays } = game;
    const cacheKey = `${game.family}/${game.digits}/${builtInGame(game.gameId)?.gameId ?? ''}`;
    if (pays === null || pays === undefined) return usualRules(cacheKey, game);
    const key = `${cacheKey}/${JSON.stringify(pays)}`;
    const rules = ownCache.get(key) ?? withPays(usualRules(cacheKey, game), pays);
    ownCache.delete(key);
    ownCache.set(key, rules);
    // Maps iterate in insertion order, oldest first.
    if (ownCache.size > MOST_OWN) ownCache.delete(ownCache.keys().next().value!);
    return rules;
  };
}
