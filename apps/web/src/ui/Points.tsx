import { formatPoints } from '../lib/format.ts';
import classes from './Points.module.css';

interface PointsProps {
  value: number;
  /** Runs in a line of text instead of standing right in its cell. */
  inline?: boolean;
}

/** An amount of points: tabular figures, right-aligned; a loss has a minus sign and the loss colour, zero is muted. */
export function Points({ value, inline = false }: PointsProps) {
  const tone = value < 0 ? 'loss' : value === 0 ? 'zero' : 'plain';
  return (
    <span className={classes.points} data-tone={tone} data-inline={inline || undefined}>
      {formatPoints(value)}
    </span>
  );
}
