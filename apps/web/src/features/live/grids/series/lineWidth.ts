import { TEN_FROM } from '../cellLayout.ts';

/** What an amount has in the line about one number of a sub-series. */
export function lineWidth(width: number): number {
  return width < TEN_FROM ? width * 0.22 : Number.POSITIVE_INFINITY;
}
