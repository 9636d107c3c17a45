import { pointsText, signedPoints } from '../lib/amounts.ts';
import styles from './Money.module.css';

interface MoneyProps {
  points: number;
  /** Says of more than nothing that it is: for what came or went, not for what is there. */
  isChange?: boolean;
  className?: string;
}

/** An amount of points in tabular figures: a loss has a minus sign and its colour, zero is muted. */
export function Money({ points, isChange = false, className = '' }: MoneyProps) {
  const tone = points < 0 ? 'loss' : points === 0 ? 'zero' : isChange ? 'gain' : 'plain';
  return (
    <span className={`${styles.money} ${className}`} data-tone={tone}>
      {isChange ? signedPoints(points) : pointsText(points)}
    </span>
  );
}
