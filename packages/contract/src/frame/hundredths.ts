/**
 * Credit inside the system: an integer count of hundredths of a point. Sums are exact by construction.
 * The wire carries points as numbers with at most two decimals; this file is the only place that converts, and needs nothing else.
 */
export type Hundredths = bigint;

/** The largest amount in hundredths: 2^53 − 1. */
export const MAX_HUNDREDTHS: Hundredths = 9_007_199_254_740_991n;

const PLAIN_DECIMAL = /^(\d+)(?:\.(\d{1,2}))?$/;
/** Below this no two counts of hundredths are the same number of points: a double tells 15 digits apart. */
const TOLD_APART = 1e15;

/**
 * Points as they come over the wire, in hundredths; `null` where it is not a plain amount: negative, NaN, infinite,
 * with more than two decimals, or past 2^53 hundredths. Works on the shortest decimal text of the number, so that
 * 1.005 is refused and 0.29 is exactly 29; where the nearest count gives the very same number, that text is its own, and not looked at.
 */
export function hundredthsOf(points: number): Hundredths | null {
  const nearest = Math.round(points * 100);
  if (nearest >= 0 && nearest < TOLD_APART && nearest / 100 === points) return BigInt(nearest);
  const match = PLAIN_DECIMAL.exec(String(points));
  if (!match) return null;
  const value = BigInt(match[1]!) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'));
  return value > MAX_HUNDREDTHS ? null : value;
}

/** Hundredths as points for the wire: a number with at most two decimals. Exact below 2^46 points; past that, doubles lie further apart than hundredths. */
export function pointsOf(value: Hundredths): number {
  return Number(value) / 100;
}

/** Hundredths as people read them, to the digit: 24892350 → `248,923.50`. */
export function pointsText(value: Hundredths): string {
  const size = value < 0n ? -value : value;
  const digits = `${(size / 100n).toLocaleString('en-US')}.${String(size % 100n).padStart(2, '0')}`;
  return value < 0n ? `−${digits}` : digits;
}

/** Adds points of answers exactly, to the hundredth; each may be negative. */
export function sumPoints(values: Iterable<number>): number {
  let sum: Hundredths = 0n;
  for (const value of values) sum += value < 0 ? -hundredthsOf(-value)! : hundredthsOf(value)!;
  return pointsOf(sum);
}

/** A percentage as it comes over the wire (0 to 100, two decimals) in hundredths of a percent: 2.5 → 250. */
export function percentHundredthsOf(percent: number): number {
  return Number(hundredthsOf(percent));
}

/** Hundredths of a percent as a percentage: 250 → 2.5. */
export function percentOf(value: number): number {
  return value / 100;
}

/** A share as a percentage with at most two decimals, for files: 0.95473 → 95.47. */
export function percentOfShare(share: number): number {
  return Math.round(share * 10_000) / 100;
}
