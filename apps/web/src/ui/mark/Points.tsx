import { formatPoints } from '../../lib/format/format.ts';
import classes from './marks.module.css';

interface PointsProps {
  value: number;
  inline?: boolean;
}

/** Aligns right; losses have their color, and zero is muted. */
export function Points({ value, inline = false }: PointsProps) {
  const tone = value < 0 ? 'loss' : value === 0 ? 'zero' : 'plain';
  return (
    <span className={classes.points} data-tone={tone} data-inline={inline || undefined}>
      {formatPoints(value)}
    </span>
  );
}
