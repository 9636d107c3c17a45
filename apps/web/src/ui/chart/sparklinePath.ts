interface Extent {
  least: number;
  most: number;
  count: number;
}

/** Pixels for stroke and end dot. */
const EDGE = 2.5;

/** Equal values run along the middle. */
export function sparklinePath(
  values: readonly number[],
  { least, most, count }: Extent,
  { width, height }: { width: number; height: number },
): { d: string; last: { x: number; y: number } } {
  const places = values.map((value, index) => ({
    x: round(EDGE + (count > 1 ? index / (count - 1) : 0) * (width - 2 * EDGE)),
    y: round(most === least ? height / 2 : EDGE + ((most - value) / (most - least)) * (height - 2 * EDGE)),
  }));
  return {
    d: places.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join(''),
    last: places.at(-1) ?? { x: 0, y: 0 },
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
