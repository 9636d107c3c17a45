import { VisuallyHidden } from '@mantine/core';
import { sparklinePath } from './sparklinePath.ts';
import classes from './Sparkline.module.css';

interface SparklineProps {
  /** What it says, for those who do not see it: `Play of the last 7 days, rising to 1,200.00`. */
  text: string;
  /** At even distances, in the order of time. */
  values: readonly number[];
  /** What they are compared with, at the same distances: a dashed line behind. */
  before?: readonly number[];
}

const NONE: readonly number[] = [];

/** In px. */
const SIZE = { width: 96, height: 24 };

/** A small line beside a number: how it came about, with a dot where it ends and a hairline at zero where it goes below. */
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
