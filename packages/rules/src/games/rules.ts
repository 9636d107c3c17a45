import { FAMILIES, builtInGame } from './catalogue.ts';
import type { FamilyName, BuiltInGame } from './catalogue.ts';
import { andarBaharRules } from './families/andar-bahar.ts';
import { jodiRules } from './families/jodi.ts';
import { lottery3dRules } from './families/lottery3d.ts';
import { lottery4dRules } from './families/lottery4d.ts';
import { ROULETTE_SIZES, rouletteRules } from './families/roulette.ts';
import { tripleRules } from './families/triple.ts';
import type { GameRules, Outcome } from './game-rules.ts';
import { withPays } from './pays.ts';
import type { Pays } from './pays.ts';
import { PAY_SCALE } from './game-rules.ts';
import { MAX_BOOSTER, betReturn, chosenHead, refuse, refuseHead, refuseSeries } from './families/bet-fields.ts';
import { numberText, singleNumberRules } from './families/single-number.ts';

export type * from './game-rules.ts';

export type GameIdentity = {
  gameId: string;
  family: FamilyName;
  digits: number;
  /** Hundredths per unit, if different from the family's defaults. */
  pays?: Pays | null | undefined;
};

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

const cache = new Map<string, GameRules>();
/** Cache size for rules with custom pays (LRU), since variants are unbounded. */
const MOST_OWN = 256;
const ownCache = new Map<string, GameRules>();

/**
 * Built-in games get their own numbering, labels and colors; others count from 0. Throws RangeError for an unknown
 * family, invalid outcome count, or pays that do not fit (see `withPays`). Cached and shared: do not mutate.
 */
export function rulesFor(game: GameIdentity): GameRules {
  const builtIn = builtInGame(game.gameId);
  const cacheKey = `${game.family}/${game.digits}/${builtIn?.gameId ?? ''}`;
  const { pays } = game;
  if (pays !== null && pays !== undefined) return rulesWithPays(cacheKey, game, pays);
  const cached = cache.get(cacheKey);
  if (cached) return cached;
  const rules = newRules(game);
  cache.set(cacheKey, rules);
  return rules;
}

function rulesWithPays(cacheKey: string, game: GameIdentity, pays: Pays): GameRules {
  const key = `${cacheKey}/${JSON.stringify(pays)}`;
  const rules = ownCache.get(key) ?? withPays(rulesFor({ ...game, pays: null }), pays);
  ownCache.delete(key);
  ownCache.set(key, rules);
  // Maps iterate in insertion order, oldest first.
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

export function headsAboveStake(rules: GameRules, meanBooster: number): ReadonlySet<string> {
  // Whole weights shift the mean slightly; tolerates that.
  const above = rules.returns.filter((bet) => bet.return * meanBooster > 1 + 1e-6);
  return new Set(above.map(({ bet }) => bet));
}

/**
 * Highest return among the game's bets, as a fraction. The booster therefore lifts no bet above the win percentage, and
 * leaves games alone that exceed it already.
 */
export function baseReturn(rules: GameRules): number {
  return Math.max(...rules.returns.map((bet) => bet.return));
}

const MAX_NUMBERS = 1000;

/**
 * Pay in units for N numbers: floor(0.9 × N), at least 1. Matches 10 (9), 12 (10) and 16 (14). Returns at most 90 % for
 * N ≥ 2; N = 2 and 3 stay below 70 %; N = 1 returns 100 %.
 */
function numbersPay(digits: number): number {
  return Math.max(1, Math.floor((digits * 9) / 10));
}

/**
 * N numbers, 1 ≤ N ≤ 1000: 0 to N − 1, or a built-in game's numbering. One bet per number; key `7`. Result `{drawno:
 * '7'}`. Throws RangeError for other N.
 */
function numbersRules(digits: number, builtIn?: BuiltInGame): GameRules {
  if (!Number.isInteger(digits) || digits < 1 || digits > MAX_NUMBERS) {
    throw new RangeError(`A game of numbers has from 1 to ${MAX_NUMBERS} outcomes, not ${digits}.`);
  }
  const first = builtIn?.first ?? 0;
  const outcomes = Array.from({ length: digits }, (_, index): Outcome => {
    const drawno = String(first + index);
    const color = builtIn?.colors?.[index];
    return { drawno, label: builtIn?.labels?.[index] ?? drawno, ...(color && { color }) };
  });
  const head = { name: 'number', label: 'Number', payHundredths: numbersPay(digits) * PAY_SCALE };
  const drawnos = new Set(outcomes.map((outcome) => outcome.drawno));
  const heads = [head];

  return singleNumberRules({
    family: 'numbers',
    outcomes,
    heads,
    maxBooster: MAX_BOOSTER,
    returns: [betReturn(head, 1, outcomes.length)],
    outcomeBets: ({ drawno }: Outcome) => [{ key: drawno, head: head.name, payHundredths: head.payHundredths }],
    parseBet: (line) => {
      if (!chosenHead(heads, line.head)) return refuseHead(heads);
      const refusedSeries = refuseSeries(line);
      if (refusedSeries) return refusedSeries;
      const drawno = numberText(line.drawno);
      if (drawno === null || !drawnos.has(drawno)) {
        return refuse('drawno', `The draw number must be from ${outcomes[0]!.drawno} to ${outcomes.at(-1)!.drawno}.`);
      }
      return { ok: true, key: drawno, drawno, head: head.name, series: null, subseries: null };
    },
  });
}
