import { BOOSTER_WEIGHT_SUM } from './booster.ts';
import { PAY_SCALE } from './game-rules.ts';
import type { GameRules } from './game-rules.ts';
import type { Hundredths } from './wins.ts';

/** Moments are integers in millionths, so that sums of them are exact whatever their order. */
export const MOMENT_SCALE = 1_000_000n;

/** How far from the expected value 99 % of a normal distribution lie, in standard deviations. */
const NORMAL_99 = 2.576;

/** What players win of a draw before anything is drawn, in {@link MOMENT_SCALE}-ths. */
export type WinMoments = {
  /** Expected win: millionths of a hundredth of a point. */
  expected: bigint;
  /** Its variance: millionths of a square hundredth. */
  variance: bigint;
};

/**
 * Expected value and variance of what a generated draw pays, given the stakes on each bet key (hundredths) and the booster's weights
 * (of 1, 2 …, summing to 10^9). Exact over all outcomes, rounded once at the end. The booster and the choices of a draw are independent:
 * W = B × (X₁ + X₂ + …), so E W = E B × E X and Var W = E B² × (Var X + (E X)²) − (E W)². Wins are floored to the hundredth per line
 * and these are not, so where prices are not whole points a draw pays up to a hundredth less per winning line.
 */
export function winMoments(
  rules: GameRules,
  stakes: ReadonlyMap<string, Hundredths>,
  weights: readonly number[],
): WinMoments {
  const sizes = rules.choices.map((values) => BigInt(values.length));
  const common = sizes.reduce(leastCommonMultiple, 1n);
  // X × 100 has the mean `mean` / common and the variance `spread` / common².
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

/** Draws added up: what was staked and won, in hundredths, and what was expected, in millionths as in {@link WinMoments}. */
export type SummedDraws = WinMoments & { stake: Hundredths; win: Hundredths };

/** Fractions of the stakes: 0.9 is 90 %. */
export type ReturnBand = {
  /** What was won. */
  actual: number;
  /** What the odds and the bets let expect. */
  expected: number;
  /** Where 99 % of the returns of such draws lie: expected ± 2.576 standard deviations, and not below 0. */
  low: number;
  high: number;
};

/**
 * The return of draws and its 99 % band. The normal distribution stands for the true one, which it does the better the more draws
 * there are. Null without stakes.
 */
export function returnBand({ stake, win, expected, variance }: SummedDraws): ReturnBand | null {
  if (stake <= 0n) return null;
  const middle = ratio(expected, stake * MOMENT_SCALE);
  const reach = NORMAL_99 * Math.sqrt(ratio(variance, stake * stake * MOMENT_SCALE));
  return { actual: ratio(win, stake), expected: middle, low: Math.max(0, middle - reach), high: middle + reach };
}

/** How a return stands to its 99 % band. */
export function sideOfBand({ actual, low, high }: Omit<ReturnBand, 'expected'>): 'above' | 'below' | 'within' {
  // Where nothing is left to chance, the band is one value, which sums may miss by their last digit.
  const rounding = 1e-9;
  return actual > high + rounding ? 'above' : actual < low - rounding ? 'below' : 'within';
}

/** The quotient of two sums as the nearest number, or nearly. */
function ratio(part: bigint, whole: bigint): number {
  return Number(part) / Number(whole);
}

/** Of the wins of each value of a choice, × 100 and before the booster: their sum and that of their squares. */
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

/** Σ weight × booster^power: the mean of that power times the sum of the weights. */
function weightedPowers(weights: readonly number[], power: number): bigint {
  return weights.reduce((sum, weight, index) => sum + BigInt(weight) * BigInt((index + 1) ** power), 0n);
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  let [divisor, rest] = [a, b];
  while (rest > 0n) [divisor, rest] = [rest, divisor % rest];
  return (a / divisor) * b;
}

/** Rounds the quotient of two numbers that are not below zero to the nearest integer, halves up. */
function divided(value: bigint, by: bigint): bigint {
  return (2n * value + by) / (2n * by);
}
