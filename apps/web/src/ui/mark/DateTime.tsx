import { Tooltip } from '@mantine/core';
import {
  formatDateTime,
  formatDay,
  formatExactTime,
  formatSecond,
  isRecent,
  relativeTime,
} from '../../lib/format/format.ts';
import { createContext, use, useSyncExternalStore } from 'react';

interface DateTimeProps {
  /** ISO 8601; null if it never happened. */
  value: string | null;
  /** The age, or the date after a week. */
  relative?: boolean;
  seconds?: boolean;
}

/** True on paper: tooltips are slow in thousands of rows. */
export const PlainTimes = createContext(false);

const TOOLTIP_EVENTS = { hover: true, focus: true, touch: true };

/** Shows local time, and the exact time on hover or touch. A dash for null. Relative times may wrap. */
export function DateTime({ value, relative = false, seconds = false }: DateTimeProps) {
  const plain = use(PlainTimes);
  if (value === null) return <span style={{ color: 'var(--dh-text-muted)' }}>–</span>;
  const written = seconds ? formatSecond(value) : formatDateTime(value);
  if (plain) return <time dateTime={value}>{written}</time>;
  return (
    <Tooltip label={formatExactTime(value)} openDelay={400} events={TOOLTIP_EVENTS}>
      <time
        dateTime={value}
        style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: relative ? undefined : 'nowrap' }}
      >
        {relative ? <HowLongAgo value={value} /> : written}
      </time>
    </Tooltip>
  );
}

/** Updates every minute. Later times count as now. */
function HowLongAgo({ value }: { value: string }) {
  const now = Math.max(useMinute(), Date.parse(value));
  return isRecent(value, now) ? relativeTime(value, now) : formatDay(value);
}

const MINUTE_MS = 60_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let currentMs = Date.now();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    currentMs = Date.now();
    timer = setInterval(tick, MINUTE_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  currentMs = Date.now();
  for (const listener of listeners) listener();
}

/** All users share one timer. */
export function useMinute(): number {
  return useSyncExternalStore(subscribe, () => currentMs);
}
