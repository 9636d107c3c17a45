import { TEN_FROM } from '../cellLayout.ts';

export function lineWidth(width: number): number {
  return width < TEN_FROM ? width * 0.22 : Number.POSITIVE_INFINITY;
}
