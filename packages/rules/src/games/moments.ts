import { BOOSTER_WEIGHT_SUM } from '../fair/booster.ts';
import { PAY_SCALE, type GameRules } from './game-rules.ts';
import type { Hundredths } from './wins.ts';

/** Sums in millionths are exact in any order. */
export const MOMENT_SCALE = 1_000_000n;

/** Half-width in standard deviations. */
const NORMAL_99 = 2.576;

export type WinMoments = {
  /** Millionths of a hundredth. */
  expected: bigint;
  /** Millionths of a square hundredth. */
  variance: bigint;
};

/**
 * Returns the exact mean and variance of a generated draw's payout, rounded once at the end. Stakes per bet key in
 * hundredths; weights with sum 10^9. Booster and choices are independent: W = B × (X₁ + X₂ + …), so E W = E B × E X and
 * Var W = E B² × (Var X + (E X)²) − (E W)². Actual wins round down per line; with fractional prices, a draw pays up to
 * a hundredth less per winning line.
 */
export function winMoments(
  rules: GameRules,
  stakes: ReadonlyMap<string, Hundredths>,
  weights: readonly number[],
): WinMoments {
  const sizes = rules.choices.map((values) => BigInt(values.length));
  const common = sizes.reduce(leastCommonMultiple, 1n);
  // X × 100 has mean `mean` / common and variance `spread` / common².
  let mean = 0n;
  let spread = 0n;
  for (const [index, values] of rules.choices.entries()) {
    const size = sizes[index]!;
    const [sum, squares] = sumsOf(rules, values, stakes);
    mean += sum * (common / size);
    spread += (squares * size - sum * sum) * (common / size) ** 2n;
  }
  const boosted = weightedPowers(weights, 1);
  const boostedSquares = weightedPowers(weights, 2);
  const weightSum = BigInt(BOOSTER_WEIGHT_SUM);
  const unit = BigInt(PAY_SCALE) * common * weightSum;
  return {
    expected: divided(boosted * mean * MOMENT_SCALE, unit),
    variance: divided(
      (boostedSquares * weightSum * (spread + mean * mean) - boosted * boosted * mean * mean) * MOMENT_SCALE,
      unit * unit,
    ),
  };
}

export type SummedDraws = WinMoments & { stake: Hundredths; win: Hundredths };

export type ReturnBand = {
  actual: number;
  expected: number;
  /** 99 % band: expected ± 2.576 standard deviations, at least 0. */
  low: number;
  high: number;
};

/** Uses the normal approximation, better with more draws. */
export function returnBand({ stake, win, expected, variance }: SummedDraws): ReturnBand | null {
  if (stake <= 0n) return null;
  const middle = ratio(expected, stake * MOMENT_SCALE);
  const reach = NORMAL_99 * Math.sqrt(ratio(variance, stake * stake * MOMENT_SCALE));
  return { actual: ratio(win, stake), expected: middle, low: Math.max(0, middle - reach), high: middle + reach };
}

export function sideOfBand({ actual, low, high }: Omit<ReturnBand, 'expected'>): 'above' | 'below' | 'within' {
  // Without randomness the band is one value.
  const rounding = 1e-9;
  return actual > high + rounding ? 'above' : actual < low - rounding ? 'below' : 'within';
}

function ratio(part: bigint, whole: bigint): number {
  return Number(part) / Number(whole);
}

/** Wins and their squares per value of a choice, × 100, before the booster. */
function sumsOf(
  rules: GameRules,
  values: GameRules['choices'][number],
  stakes: ReadonlyMap<string, Hundredths>,
): [bigint, bigint] {
  let sum = 0n;
  let squares = 0n;
  for (const outcomes of values) {
    let wins = 0n;
    for (const outcome of outcomes) {
      for (const { key, payHundredths } of rules.outcomeBets(outcome)) {
        const stake = stakes.get(key);
        if (stake !== undefined) wins += stake * BigInt(payHundredths);
      }
    }
    sum += wins;
    squares += wins * wins;
  }
  return [sum, squares];
}

function weightedPowers(weights: readonly number[], power: number): bigint {
  return weights.reduce((sum, weight, index) => sum + BigInt(weight) * BigInt((index + 1) ** power), 0n);
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  let [divisor, rest] = [a, b];
  while (rest > 0n) [divisor, rest] = [rest, divisor % rest];
  return (a / divisor) * b;
}

/** Rounds half up. Non-negative operands only. */
function divided(value: bigint, by: bigint): bigint {
  return (2n * value + by) / (2n * by);
}
