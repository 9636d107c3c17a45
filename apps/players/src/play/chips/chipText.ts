import { CHIPS } from '../slip/slipSums.ts';

const exact = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1, roundingMode: 'trunc' });

/** An amount in the few characters that a chip has: `5`, `2.5`, `1,250`; from ten thousand on shortened, never upwards: `12.5K`. */
export function chipText(points: number): string {
  return points < 10_000 ? exact.format(points) : short.format(points);
}

/** Which of the six looks a chip has: by how many units it is; what is laid with several has that of the highest chip in it. */
export function chipLook(units: number): number {
  return CHIPS.findLastIndex((least) => units >= least);
}
