import { FAMILIES, builtInGame } from './catalogue.ts';
import type { FamilyName, BuiltInGame } from './catalogue.ts';
import { andarBaharRules } from './families/andar-bahar.ts';
import { jodiRules } from './families/jodi.ts';
import { lottery3dRules } from './families/lottery3d.ts';
import { lottery4dRules } from './families/lottery4d.ts';
import { tripleRules } from './families/triple.ts';
import type { GameRules, Outcome, Head } from './game-rules.ts';
import { withPays } from './pays.ts';
import type { Pays } from './pays.ts';
import { PAY_SCALE } from './game-rules.ts';
import type { Color } from './cards.ts';
import { MAX_BOOSTER, betReturn, chosenHead, refuse, refuseHead, refuseSeries } from './families/parts.ts';
import { numberText, singleNumberRules } from './families/single-number.ts';

const RED = new Set([1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]);

function colorOf(drawno: string): Color {
  const number = Number(drawno);
  if (number === 0) return 'green';
  return RED.has(number) ? 'red' : 'black';
}

/** What each size of wheel pays per unit on a straight number (domain, section 3). */
const PAY_BY_SIZE = new Map([
  [13, 12],
  [37, 36],
  [38, 36],
]);

/** The sizes of wheel that there are. */
export const ROULETTE_SIZES: readonly number[] = [...PAY_BY_SIZE.keys()];

/**
 * Rules of a wheel: 13 outcomes (0-12), 37 (0-36) or 38 (0, 00, 1-36), with the colours of the real wheels. The only bet is a
 * straight number; its key is the number, `17` or `00`. Result `{drawno: '17'}`. Throws RangeError for another size.
 */
function rouletteRules(size: number): GameRules {
  const pay = PAY_BY_SIZE.get(size);
  if (pay === undefined) throw new RangeError(`A roulette has 13, 37 or 38 outcomes, not ${size}.`);
  const zeros = size === 38 ? ['0', '00'] : ['0'];
  const drawnos = [...zeros, ...Array.from({ length: size - zeros.length }, (_, index) => String(index + 1))];
  const outcomes = drawnos.map((drawno): Outcome => ({ drawno, label: drawno, color: colorOf(drawno) }));
  const head = { name: 'straight', label: 'Straight', payHundredths: pay * PAY_SCALE };
  return plainBetRules({ family: 'roulette', outcomes, head });
}

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

/** The most outcomes that a created game may have. */
const MAX_NUMBERS = 1000;

/**
 * The pay per unit, in units, of a game of N numbers: nine tenths of N, floored to the whole unit and at least 1. That is what
 * the domain's table lists for 10 (9), 12 (10) and 16 (14), and returns at most 90 % for every N from 2 on (N = 2 and 3 return
 * less than 70 %; N = 1 can only return 100 %).
 */
function numbersPay(digits: number): number {
  return Math.max(1, Math.floor((digits * 9) / 10));
}

/**
 * Rules of a game of N numbers, 1 ≤ N ≤ 1000: 0 to N − 1, or the built-in game's first number, labels and colours. One bet, on
 * a number; its key is the number, `7`. Result `{drawno: '7'}`. Throws RangeError for another N.
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
  return plainBetRules({ family: 'numbers', outcomes, head });
}

/** Games where the only bet is on one outcome: numbers and roulette. The bet key is the draw number: `7`, `00`. */
function plainBetRules(spec: Pick<GameRules, 'family' | 'outcomes'> & { head: Head }): GameRules {
  const { family, outcomes, head } = spec;
  const drawnos = new Set(outcomes.map((outcome) => outcome.drawno));
  const heads = [head];

  return singleNumberRules({
    family,
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
