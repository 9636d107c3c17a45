import { FAMILIES, builtInGame } from './catalogue.ts';
import type { FamilyName } from './catalogue.ts';
import { andarBaharRules } from './families/andar-bahar.ts';
import { jodiRules } from './families/jodi.ts';
import { lottery3dRules } from './families/lottery3d.ts';
import { lottery4dRules } from './families/lottery4d.ts';
import { numbersRules } from './families/numbers.ts';
import { ROULETTE_SIZES, rouletteRules } from './families/roulette.ts';
import { tripleRules } from './families/triple.ts';
import type { GameRules } from './game-rules.ts';
import { withPays } from './pays.ts';
import type { Pays } from './pays.ts';

export type * from './game-rules.ts';

/** What decides the rules of a game: its key, its family, how many outcomes it has, and pays of its own. */
export type GameIdentity = {
  gameId: string;
  family: FamilyName;
  digits: number;
  /** What each head pays, in hundredths per unit, where it is not what the family pays by default. */
  pays?: Pays | null | undefined;
};

/** How many outcomes a game of each family may have; null for numbers, which may have any count from 1 to 1000. */
export const DIGITS_BY_FAMILY: Record<FamilyName, readonly number[] | null> = {
  numbers: null,
  roulette: ROULETTE_SIZES,
  triple: [1000],
  andarbahar: [13],
  lottery3d: [1000],
  lottery4d: [3000],
  jodi: [300],
};

const cache = new Map<string, GameRules>();
/** Rules with own pays, which are without number: so many are kept, those that were asked for last. */
const MOST_OWN = 256;
const ownCache = new Map<string, GameRules>();

/**
 * The rules of a game. Built-in games get their own first number, labels and colours; every other game of numbers counts from 0.
 * Throws RangeError when there is no such family, it cannot have that many outcomes, or the pays are not those of its heads (see
 * `withPays`). Rules are made once and shared: do not change them.
 */
export function rulesFor(game: GameIdentity): GameRules {
  const builtIn = builtInGame(game.gameId);
  const cacheKey = `${game.family}/${game.digits}/${builtIn?.gameId ?? ''}`;
  const { pays } = game;
  if (pays !== null && pays !== undefined) return rulesWithPays(cacheKey, game, pays);
  const known = cache.get(cacheKey);
  if (known) return known;
  const rules = newRules(game);
  cache.set(cacheKey, rules);
  return rules;
}

function rulesWithPays(cacheKey: string, game: GameIdentity, pays: Pays): GameRules {
  const key = `${cacheKey}/${JSON.stringify(pays)}`;
  const rules = ownCache.get(key) ?? withPays(rulesFor({ ...game, pays: null }), pays);
  ownCache.delete(key);
  ownCache.set(key, rules);
  // A Map has what was set first first.
  if (ownCache.size > MOST_OWN) ownCache.delete(ownCache.keys().next().value!);
  return rules;
}

function newRules({ gameId, family, digits }: GameIdentity): GameRules {
  if (!FAMILIES.includes(family)) throw new RangeError(`There is no family ${family}.`);
  const allowed = DIGITS_BY_FAMILY[family];
  if (allowed && !allowed.includes(digits)) {
    throw new RangeError(`A game of the family ${family} has ${allowed.join(' or ')} outcomes, not ${digits}.`);
  }
  switch (family) {
    case 'numbers':
      return numbersRules(digits, builtInGame(gameId));
    case 'roulette':
      return rouletteRules(digits);
    case 'triple':
      return tripleRules();
    case 'andarbahar':
      return andarBaharRules();
    case 'lottery3d':
      return lottery3dRules();
    case 'lottery4d':
      return lottery4dRules();
    case 'jodi':
      return jodiRules();
  }
}

/** The heads of a game that return more than is laid on them in the long run, with this mean of the booster. */
export function headsAboveStake(rules: GameRules, meanBooster: number): ReadonlySet<string> {
  // A billionth is what the mean may be off by, as its weights are whole.
  const above = rules.returns.filter((bet) => bet.return * meanBooster > 1 + 1e-6);
  return new Set(above.map(({ bet }) => bet));
}

/**
 * The base return of a game, the b of the win percentage (domain, section 4), as a fraction: the highest return among its bets. So
 * the booster lifts no bet above the percentage that is aimed at, and a game that has a bet above it already is not boosted.
 */
export function baseReturn(rules: GameRules): number {
  return Math.max(...rules.returns.map((bet) => bet.return));
}
