/** The rest shows values outside it. */
export const BAND = { from: 0.2, to: 0.8 } as const;
const EDGE = 0.04;

/** Maps to 0 to 1, with the band at {@link BAND}. Values far outside stay at the edge. */
export function bandPlace(value: number, low: number, high: number): number {
  const share = high === low ? 0.5 : (value - low) / (high - low);
  return Math.min(1 - EDGE, Math.max(EDGE, BAND.from + share * (BAND.to - BAND.from)));
}

interface Stacked {
  /** Share of the sum of all positive parts. */
  readonly share: number;
  readonly isBelow: boolean;
}

/** Stacks from left to right, negative parts first, without zeros. Empty if none is positive. */
export function stackOf<Part extends { readonly value: number }>(parts: readonly Part[]): (Part & Stacked)[] {
  const whole = parts.reduce((sum, { value }) => sum + Math.max(0, value), 0);
  if (whole === 0) return [];
  return parts
    .filter(({ value }) => value !== 0)
    .map((part) => ({ ...part, share: Math.abs(part.value) / whole, isBelow: part.value < 0 }))
    .toSorted((a, b) => Number(b.isBelow) - Number(a.isBelow));
}

/** Values above zero have at least the `least` height. */
export function barHeights(
  values: readonly number[],
  { highest, least }: { highest: number; least: number },
): number[] {
  const most = Math.max(...values);
  return values.map((value) => (value === 0 ? 0 : Math.max(least, (value / most) * highest)));
}
