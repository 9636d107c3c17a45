import type { WheelBet } from '@drawhouse/rules/games/families/roulette';

/** Tracks: two per number across; along, one for the zeros, then one per row of three. */
export interface SpotPlace {
  readonly across: number;
  readonly acrossSpan: number;
  readonly along: number;
  readonly alongSpan: number;
}

const TRACKS = 6;

/** Its center is where the numbers of a bet meet. */
export function spotPlace({ numbers }: Pick<WheelBet, 'numbers'>, zeros: readonly string[]): SpotPlace {
  const inRows = numbers.map(Number).filter((number) => number > 0);
  const ofZeros = numbers.filter((number) => zeros.includes(number));
  const lefts = inRows.map((number) => ((number - 1) % 3) * 2);
  const rows = inRows.map((number) => Math.ceil(number / 3));
  let from = inRows.length === 0 ? 0 : Math.min(...lefts);
  let to = inRows.length === 0 ? TRACKS : Math.max(...lefts) + 2;
  if (ofZeros.length === 1 && inRows.length === 1) {
    const width = TRACKS / zeros.length;
    const left = zeros.indexOf(ofZeros[0]!) * width;
    [from, to] = [Math.max(from, left), Math.min(to, left + width)];
  }
  const along = ofZeros.length > 0 ? 0 : Math.min(...rows);
  return { across: from, acrossSpan: to - from, along, alongSpan: Math.max(0, ...rows) - along + 1 };
}
