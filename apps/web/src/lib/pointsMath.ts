import { hundredthsOf, sumPoints } from '@drawhouse/contract/frame/primitives';

const PLAIN = /^\d{1,15}(\.\d{1,2})?$/;

/** Commas every three digits, or Indian grouping: `100,000` and `1,00,000`. */
const GROUPED = /^(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3})(?=\.|$)/;

/** Accepts at most two decimals and optional grouping commas. Null if invalid. */
export function parsePoints(text: string): number | null {
  const plain = text.trim().replace(GROUPED, (grouped) => grouped.replaceAll(',', ''));
  if (!PLAIN.test(plain)) return null;
  const value = Number(plain);
  return hundredthsOf(value) === null ? null : value;
}

/** Exact to the hundredth. */
export function addPoints(a: number, b: number): number {
  return sumPoints([a, b]);
}
