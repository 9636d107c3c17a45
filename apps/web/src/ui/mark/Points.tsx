import { formatPoints } from '../../lib/format/format.ts';
import classes from './marks.module.css';

interface PointsProps {
  value: number;
  /** Flows with text instead of right-aligning. */
  inline?: boolean;
}

/** Tabular figures, right-aligned. Losses get a minus sign and the loss color; zero is muted. */
export function Points({ value, inline = false }: PointsProps) {
  const tone = value < 0 ? 'loss' : value === 0 ? 'zero' : 'plain';
  return (
    <span className={classes.points} data-tone={tone} data-inline={inline || undefined}>
      {formatPoints(value)}
    </span>
  );
}
