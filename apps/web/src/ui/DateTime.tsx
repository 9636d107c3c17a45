import { Tooltip } from '@mantine/core';
import { formatDateTime, formatDay, formatExactTime, isRecent, relativeTime } from '../lib/format.ts';
import { useMinute } from './useMinute.ts';

interface DateTimeProps {
  /** ISO 8601, or null where it has not happened. */
  value: string | null;
  /** Shows how long ago instead of when, and the day alone once that is more than a week. */
  relative?: boolean;
}

const TOOLTIP_EVENTS = { hover: true, focus: true, touch: true };

/** A point in time in the reader's zone, on one line; the exact one on hover or touch. A dash where there is none. How long ago it was breaks where a line may. */
export function DateTime({ value, relative = false }: DateTimeProps) {
  if (value === null) return <span style={{ color: 'var(--dh-text-muted)' }}>–</span>;
  return (
    <Tooltip label={formatExactTime(value)} openDelay={400} events={TOOLTIP_EVENTS}>
      <time
        dateTime={value}
        style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: relative ? undefined : 'nowrap' }}
      >
        {relative ? <HowLongAgo value={value} /> : formatDateTime(value)}
      </time>
    </Tooltip>
  );
}

/** Follows the clock by itself. What came in after the last minute's change is from now, not from the future. */
function HowLongAgo({ value }: { value: string }) {
  const now = Math.max(useMinute(), Date.parse(value));
  return isRecent(value, now) ? relativeTime(value, now) : formatDay(value);
}
