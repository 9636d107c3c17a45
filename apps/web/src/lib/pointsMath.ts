import { hundredthsOf, sumPoints } from '@drawhouse/contract/frame/primitives';

const PLAIN = /^\d{1,15}(\.\d{1,2})?$/;

/** Commas in threes, or as in India in twos above the thousands: `100,000` and `1,00,000`. */
const GROUPED = /^(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3})(?=\.|$)/;

/** The points that somebody typed: digits with at most two decimals, with commas in groups or without; else null. */
export function parsePoints(text: string): number | null {
  const plain = text.trim().replace(GROUPED, (grouped) => grouped.replaceAll(',', ''));
  if (!PLAIN.test(plain)) return null;
  const value = Number(plain);
  return hundredthsOf(value) === null ? null : value;
}

/** a + b, exactly to the hundredth; either may be negative. */
export function addPoints(a: number, b: number): number {
  return sumPoints([a, b]);
}
