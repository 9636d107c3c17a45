export const BOOSTER_WEIGHT_SUM = 1_000_000_000;

export type BoosterAim = {
  baseReturn: number;
  /** In percent. Null: booster always 1. */
  winPercentage: number | null;
  max: number;
};

/**
 * Weights of boosters 1 to max, with sum exactly 10^9 (largest remainder). Maximum-entropy distribution with mean
 * max(1, w / b): w win percentage, b base return. A mean at or above max puts all weight on max. Uses only IEEE
 * arithmetic, so engines agree; published weights decide.
 */
export function boosterOdds({ baseReturn, winPercentage, max }: BoosterAim): number[] {
  if (!(baseReturn > 0) || !Number.isFinite(baseReturn)) throw new RangeError('The base return must be above 0.');
  if (winPercentage !== null && !(winPercentage >= 0)) throw new RangeError('The win percentage must be 0 or more.');
  if (!Number.isInteger(max) || max < 1) throw new RangeError('The highest booster must be a positive integer.');
  const mean = winPercentage === null ? 1 : winPercentage / (100 * baseReturn);
  if (mean <= 1) return Array.from({ length: max }, (_, index) => (index === 0 ? BOOSTER_WEIGHT_SUM : 0));
  // Reversing the distribution of mean m gives mean max + 1 − m, so tilt never exceeds 1.
  const middle = (max + 1) / 2;
  return mean <= middle
    ? asWeights(maxEntropy(mean, max))
    : asWeights(maxEntropy(max + 1 - Math.min(mean, max), max).toReversed());
}

/** Returns 100 × maximum booster × base return, truncated to two decimals. */
export function mostWinPercentage({ baseReturn, max }: Pick<BoosterAim, 'baseReturn' | 'max'>): number {
  // 0.9 × 20 is not exactly 18.
  return Math.floor(10_000 * max * baseReturn + 1e-5) / 100;
}

export function boosterMean(weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * (index + 1), 0) / BOOSTER_WEIGHT_SUM;
}

export function highestBooster(weights: readonly number[]): number {
  return weights.findLastIndex((weight) => weight > 0) + 1;
}

export function isBoosterWeights(value: unknown, max: number): value is number[] {
  return (
    Array.isArray(value) &&
    value.length === max &&
    value.every((weight) => Number.isInteger(weight) && weight >= 0) &&
    value.reduce((sum: number, weight: number) => sum + weight, 0) === BOOSTER_WEIGHT_SUM
  );
}

/** Probabilities proportional to tilt^k on 1..max. Requires a mean between 1 and the middle, hence 0 ≤ tilt ≤ 1. */
function maxEntropy(mean: number, max: number): number[] {
  let low = 0;
  let high = 1;
  let tilt = 0.5;
  // Bisects until adjacent doubles: about 1100 steps at most (mean 1).
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

/** Rounds by largest remainder; on ties, the lower booster gains. */
function asWeights(probabilities: readonly number[]): number[] {
  const shares = probabilities.map((probability) => probability * BOOSTER_WEIGHT_SUM);
  const weights = shares.map(Math.floor);
  const missing = BOOSTER_WEIGHT_SUM - weights.reduce((sum, weight) => sum + weight, 0);
  const remainder = (index: number): number => shares[index]! - weights[index]!;
  const byRemainder = [...weights.keys()].toSorted((a, b) => remainder(b) - remainder(a) || a - b);
  for (const index of byRemainder.slice(0, missing)) weights[index]!++;
  return weights;
}
