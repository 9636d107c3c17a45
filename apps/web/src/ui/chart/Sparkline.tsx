import { VisuallyHidden } from '@mantine/core';
import classes from './Sparkline.module.css';

interface SparklineProps {
  /** Accessible text: `Play of the last 7 days, rising to 1,200.00`. */
  text: string;
  /** Evenly spaced, oldest first. */
  values: readonly number[];
  /** Comparison values with the same spacing, drawn as a dashed line. */
  before?: readonly number[];
}

const NONE: readonly number[] = [];

/** Pixels. */
const SIZE = { width: 96, height: 24 };

export function Sparkline({ text, values, before = NONE }: SparklineProps) {
  const all = [...values, ...before];
  if (all.length === 0) return null;
  const extent = { least: Math.min(...all), most: Math.max(...all), count: Math.max(values.length, before.length) };
  const line = sparklinePath(values, extent, SIZE);
  const zero = extent.least < 0 && extent.most > 0 ? sparklinePath([0], extent, SIZE).last.y : null;
  return (
    <>
      <VisuallyHidden>{text}</VisuallyHidden>
      <svg className={classes.line} {...SIZE} aria-hidden focusable={false}>
        {zero !== null && <path className={classes.zero} d={`M0 ${zero}H${SIZE.width}`} />}
        {before.length > 1 && <path className={classes.before} d={sparklinePath(before, extent, SIZE).d} />}
        <path d={line.d} />
        {values.length > 0 && <circle cx={line.last.x} cy={line.last.y} r={2} />}
      </svg>
    </>
  );
}

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
