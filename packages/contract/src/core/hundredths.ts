/**
 * Integer hundredths of a point, so sums are exact. On the wire, points are JSON numbers with at most two decimals.
 * Only this file converts. It imports nothing.
 */
export type Hundredths = bigint;

/** 2^53 − 1. */
export const MAX_HUNDREDTHS: Hundredths = 9_007_199_254_740_991n;

const PLAIN_DECIMAL = /^(\d+)(?:\.(\d{1,2}))?$/;
/** Below this, doubles distinguish all hundredths (15 digits). */
const EXACT_DOUBLE_LIMIT = 1e15;

/**
 * Null for negative, NaN, infinite, more than two decimals, or above 2^53 hundredths. Uses the shortest decimal text:
 * refuses 1.005 and reads 0.29 as exactly 29. The fast path skips the text if the nearest count gives the same number.
 */
export function hundredthsOf(points: number): Hundredths | null {
  const nearest = Math.round(points * 100);
  if (nearest >= 0 && nearest < EXACT_DOUBLE_LIMIT && nearest / 100 === points) return BigInt(nearest);
  const match = PLAIN_DECIMAL.exec(String(points));
  if (!match) return null;
  const value = BigInt(match[1]!) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'));
  return value > MAX_HUNDREDTHS ? null : value;
}

/** Above 2^46 points, doubles are coarser than hundredths. */
const DOUBLE_PRECISION_LIMIT: Hundredths = 2n ** 46n * 100n;

/**
 * Points beyond double precision. Arithmetic uses the nearest double; `String`, `JSON.stringify` and this file keep all
 * digits.
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

/** Returns an {@link ExactPoints}, typed as number, above 2^46. */
export function pointsOf(value: Hundredths): number {
  if (-DOUBLE_PRECISION_LIMIT < value && value < DOUBLE_PRECISION_LIMIT) return Number(value) / 100;
  const size = value < 0n ? -value : value;
  const decimals = String(size % 100n)
    .padStart(2, '0')
    .replace(/0+$/, '');
  return new ExactPoints(`${value < 0n ? '-' : ''}${size / 100n}${decimals && `.${decimals}`}`) as unknown as number;
}

/** Allows negatives and any size. */
export function hundredthsIn(points: number): Hundredths {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(String(points));
  if (!match) return BigInt(Math.round(points * 100));
  const size = BigInt(match[2]!) * 100n + BigInt((match[3] ?? '').padEnd(2, '0'));
  return match[1] ? -size : size;
}

const LONG_NUMBER = /^-?\d{14,}(\.\d{1,2})?$/;

/** Works like `JSON.parse`, but exactly beyond double precision. */
export function parseExactly(text: string): unknown {
  // Numbers this long are rare.
  if (!/\d{14}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && LONG_NUMBER.test(context?.source ?? '') && String(value) !== context!.source
      ? new ExactPoints(context!.source!)
      : value,
  );
}

export function pointsText(value: Hundredths, locale = 'en-US'): string {
  const size = value < 0n ? -value : value;
  const digits = `${(size / 100n).toLocaleString(locale)}.${String(size % 100n).padStart(2, '0')}`;
  return value < 0n ? `−${digits}` : digits;
}

/** Exact to the hundredth. Allows negatives. */
export function sumPoints(values: Iterable<number>): number {
  let sum: Hundredths = 0n;
  for (const value of values) sum += hundredthsIn(value);
  return pointsOf(sum);
}

/** 2.5 → 250. */
export function percentHundredthsOf(percent: number): number {
  return Number(hundredthsOf(percent));
}

/** 250 → 2.5. */
export function percentOf(value: number): number {
  return value / 100;
}

/** 0.95473 → 95.47. */
export function percentOfShare(share: number): number {
  return Math.round(share * 10_000) / 100;
}
