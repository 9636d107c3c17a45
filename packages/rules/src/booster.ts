/** Weights of a booster sum to this. */
export const BOOSTER_WEIGHT_SUM = 1_000_000_000;

/** What the odds of the booster follow from. None of it looks at a stake. */
export type BoosterAim = {
  /** Return of the game before the booster, as a fraction: 0.9 is 90 %. */
  baseReturn: number;
  /** Win percentage of the admin and game, in percent: 95 is 95 %. Null when none is set: the booster is then always 1. */
  winPercentage: number | null;
  /** The highest booster. */
  max: number;
};

/**
 * The odds of the booster: weights of 1, 2 … max, integers that sum to exactly 10^9 (largest remainder). They are those of the
 * maximum-entropy distribution with the mean max(1, w / b), where w is the win percentage and b the base return (domain, section
 * 4); a mean of max or more puts all the weight on max. Only IEEE additions, multiplications and divisions are used, so engines
 * agree; what counts in any case are the weights that were published when the draw opened. Throws RangeError for a base return
 * that is not above 0, a negative win percentage, or a max that is no positive integer.
 */
export function boosterOdds({ baseReturn, winPercentage, max }: BoosterAim): number[] {
  if (!(baseReturn > 0) || !Number.isFinite(baseReturn)) throw new RangeError('The base return must be above 0.');
  if (winPercentage !== null && !(winPercentage >= 0)) throw new RangeError('The win percentage must be 0 or more.');
  if (!Number.isInteger(max) || max < 1) throw new RangeError('The highest booster must be a positive integer.');
  const mean = winPercentage === null ? 1 : winPercentage / (100 * baseReturn);
  if (mean <= 1) return Array.from({ length: max }, (_, index) => (index === 0 ? BOOSTER_WEIGHT_SUM : 0));
  // The distribution with the mean max + 1 − m is the one with the mean m reversed, so the tilt never has to exceed 1.
  const middle = (max + 1) / 2;
  return mean <= middle
    ? asWeights(maxEntropy(mean, max))
    : asWeights(maxEntropy(max + 1 - Math.min(mean, max), max).toReversed());
}

/**
 * The highest win percentage that the booster can bring about, in percent, cut to two decimals: 100 × the highest booster × the base
 * return.
 */
export function mostWinPercentage({ baseReturn, max }: Pick<BoosterAim, 'baseReturn' | 'max'>): number {
  // 0.9 × 20 is no exact 18: what lies a billionth below a hundredth is that hundredth.
  return Math.floor(10_000 * max * baseReturn + 1e-5) / 100;
}

/** The mean of a booster with these weights (of 1, 2 …, summing to 10^9). */
export function boosterMean(weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * (index + 1), 0) / BOOSTER_WEIGHT_SUM;
}

/** The highest booster that can come with these weights. */
export function highestBooster(weights: readonly number[]): number {
  return weights.findLastIndex((weight) => weight > 0) + 1;
}

/** Whether a value can be the weights of a booster up to `max`: that many integers, none negative, that sum to 10^9. */
export function isBoosterWeights(value: unknown, max: number): value is number[] {
  return (
    Array.isArray(value) &&
    value.length === max &&
    value.every((weight) => Number.isInteger(weight) && weight >= 0) &&
    value.reduce((sum: number, weight: number) => sum + weight, 0) === BOOSTER_WEIGHT_SUM
  );
}

/** Probabilities proportional to tilt^k on 1..max with the given mean, which lies from 1 to the middle: so 0 ≤ tilt ≤ 1. */
function maxEntropy(mean: number, max: number): number[] {
  let low = 0;
  let high = 1;
  let tilt = 0.5;
  // Halves until no double is left in between, which takes at most about 1100 steps (for a mean of 1).
  while (low < tilt && tilt < high) {
    if (meanOf(tilted(tilt, max)) < mean) low = tilt;
    else high = tilt;
    tilt = (low + high) / 2;
  }
  return tilted(tilt, max);
}

function tilted(tilt: number, max: number): number[] {
  const powers = [1];
  while (powers.length < max) powers.push(powers.at(-1)! * tilt);
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

function meanOf(probabilities: readonly number[]): number {
  return probabilities.reduce((sum, probability, index) => sum + probability * (index + 1), 0);
}

/** Rounds probabilities to weights: floors them, then gives what is missing to the largest remainders, the lower booster first. */
function asWeights(probabilities: readonly number[]): number[] {
  const shares = probabilities.map((probability) => probability * BOOSTER_WEIGHT_SUM);
  const weights = shares.map(Math.floor);
  const missing = BOOSTER_WEIGHT_SUM - weights.reduce((sum, weight) => sum + weight, 0);
  const remainder = (index: number): number => shares[index]! - weights[index]!;
  const byRemainder = [...weights.keys()].toSorted((a, b) => remainder(b) - remainder(a) || a - b);
  for (const index of byRemainder.slice(0, missing)) weights[index]!++;
  return weights;
}
