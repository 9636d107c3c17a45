import { FAMILIES, type FamilyName } from './catalogue.ts';
import { andarBaharRules } from './families/andar-bahar.ts';
import { jodiRules } from './families/jodi.ts';
import { lottery3dRules } from './families/lottery3d.ts';
import { lottery4dRules } from './families/lottery4d.ts';
import { numbersRules } from './families/numbers.ts';
import { ROULETTE_SIZES, rouletteRules } from './families/roulette.ts';
import { tripleRules } from './families/triple.ts';
import type { GameRules } from './game-rules.ts';
import { cachedRules, type GameIdentity } from './rules-cache.ts';

export type { GameIdentity } from './rules-cache.ts';
export type * from './game-rules.ts';

/** Null: any count from 1 to 1000. */
export const DIGITS_BY_FAMILY: Record<FamilyName, readonly number[] | null> = {
  numbers: null,
  roulette: ROULETTE_SIZES,
  triple: [1000],
  andarbahar: [13],
  lottery3d: [1000],
  lottery4d: [3000],
  jodi: [300],
};

/** Built-in games get their own numbering, labels and colors; others count from 0. Cached and shared: do not mutate. */
export const rulesFor = cachedRules(newRules);

function newRules({ gameId, family, digits }: GameIdentity): GameRules {
  if (!FAMILIES.includes(family)) throw new RangeError(`There is no family ${family}.`);
  const allowed = DIGITS_BY_FAMILY[family];
  if (allowed && !allowed.includes(digits)) {
    throw new RangeError(`A game of the family ${family} has ${allowed.join(' or ')} outcomes, not ${digits}.`);
  }
  switch (family) {
    case 'numbers':
      return numbersRules({ gameId, digits });
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

export function headsAboveStake(rules: GameRules, meanBooster: number): ReadonlySet<string> {
  // Integer weights shift the mean slightly.
  const above = rules.returns.filter((bet) => bet.return * meanBooster > 1 + 1e-6);
  return new Set(above.map(({ bet }) => bet));
}

/** Highest return of the game's bets, as a fraction. The booster therefore lifts no bet above the win percentage. */
export function baseReturn(rules: GameRules): number {
  return Math.max(...rules.returns.map((bet) => bet.return));
}
