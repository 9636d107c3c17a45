import { useCallback } from 'react';
import { spanText } from '../lib/amounts.ts';
import { secondsUntil, useServerTime } from '../lib/serverTime.ts';
import styles from './Countdown.module.css';

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
