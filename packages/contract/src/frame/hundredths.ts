/**
 * Credit inside the system: an integer count of hundredths of a point. Sums are exact by construction.
 * The wire carries points as JSON numbers with at most two decimals, exact to the last digit however large. This file is the only
 * place that converts, and needs nothing else.
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

/** From 2^46 points on, doubles lie further apart than hundredths. */
const PAST_DOUBLES: Hundredths = 2n ** 46n * 100n;

/**
 * Points that no double holds. Calculates and compares as the nearest double. `String` and `JSON.stringify` give all digits, and so
 * do the functions of this file.
 */
export class ExactPoints extends Number {
  readonly #text: string;

  constructor(text: string) {
    super(text);
    this.#text = text;
  }

  override toString(): string {
    return this.#text;
  }

  toJSON(): unknown {
    return rawJson ? rawJson(this.#text) : Number(this);
  }
}

const { rawJSON: rawJson } = JSON as { rawJSON?: (text: string) => unknown };

/** Hundredths as points for the wire. From 2^46 points on an {@link ExactPoints}, which is typed as the number that it stands for. */
export function pointsOf(value: Hundredths): number {
  if (-PAST_DOUBLES < value && value < PAST_DOUBLES) return Number(value) / 100;
  const size = value < 0n ? -value : value;
  const decimals = String(size % 100n)
    .padStart(2, '0')
    .replace(/0+$/, '');
  return new ExactPoints(`${value < 0n ? '-' : ''}${size / 100n}${decimals && `.${decimals}`}`) as unknown as number;
}

/** Points of an answer in hundredths, exactly; they may be negative and of any size. */
export function hundredthsIn(points: number): Hundredths {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(String(points));
  if (!match) return BigInt(Math.round(points * 100));
  const size = BigInt(match[2]!) * 100n + BigInt((match[3] ?? '').padEnd(2, '0'));
  return match[1] ? -size : size;
}

const LONG_NUMBER = /^-?\d{14,}(\.\d{1,2})?$/;

/** Reads JSON as `JSON.parse` does, but keeps every digit of points that no double holds. */
export function parseExactly(text: string): unknown {
  // Hardly any answer has a number that long.
  if (!/\d{14}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && LONG_NUMBER.test(context?.source ?? '') && String(value) !== context!.source
      ? new ExactPoints(context!.source!)
      : value,
  );
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
  for (const value of values) sum += hundredthsIn(value);
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
