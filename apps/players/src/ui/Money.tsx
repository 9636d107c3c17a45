import { pointsText, signedPoints } from '../lib/amounts.ts';
import styles from './Money.module.css';

interface MoneyProps {
  points: number;
  isChange?: boolean;
  className?: string;
}

export function Money({ points, isChange = false, className = '' }: MoneyProps) {
  const tone = points < 0 ? 'loss' : points === 0 ? 'zero' : isChange ? 'gain' : 'plain';
  return (
    <span className={`${styles.money} ${className}`} data-tone={tone}>
      {isChange ? signedPoints(points) : pointsText(points)}
    </span>
  );
}
