import { CHIPS } from '../slip/slipSums.ts';

const exact = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1, roundingMode: 'trunc' });

/** `5`, `2.5`, `1,250`; from ten thousand shortened and rounded down: `12.5K`. */
export function chipText(points: number): string {
  return points < 10_000 ? exact.format(points) : short.format(points);
}

export function chipLook(units: number): number {
  return CHIPS.findLastIndex((least) => units >= least);
}
