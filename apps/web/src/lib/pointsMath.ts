import { hundredthsOf, sumPoints } from '@drawhouse/contract/frame/primitives';

const PLAIN = /^\d{1,15}(\.\d{1,2})?$/;

/** The points that somebody typed: plain digits with at most two decimals, thousands commas allowed; else null. */
export function parsePoints(text: string): number | null {
  const plain = text.trim().replace(/(?<=\d),(?=\d{3}(\D|$))/g, '');
  if (!PLAIN.test(plain)) return null;
  const value = Number(plain);
  return hundredthsOf(value) === null ? null : value;
}

/** a + b, exactly to the hundredth; either may be negative. */
export function addPoints(a: number, b: number): number {
  return sumPoints([a, b]);
}
