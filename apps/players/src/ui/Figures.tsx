import { spanText } from '@drawhouse/session/span-text';
import { pointsText, signedPoints } from '../lib/amounts.ts';
import { durationText } from '../lib/playerTexts.ts';
import styles from './Figures.module.css';
import { useCallback } from 'react';
import { secondsUntil } from '@drawhouse/session/server-clock';
import { useServerTime } from '../lib/server/serverTime.ts';

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

const LAST_SECONDS = 10;

/** Not a live region, which would announce every second. */
export function Countdown({ until, className = '' }: { until: string; className?: string }) {
  const seconds = useServerTime(useCallback((now: number) => secondsUntil(until, now), [until]));
  return (
    <span className={`${styles.countdown} ${className}`} data-last={seconds <= LAST_SECONDS || undefined} role="timer">
      {spanText(seconds * 1000)}
    </span>
  );
}

/** Shows the age of the session. Limits count the whole day instead. */
export function TimeSignedIn({ since }: { since: string }) {
  return <span>{useServerTime(useCallback((now: number) => durationText(now - Date.parse(since)), [since]))}</span>;
}
