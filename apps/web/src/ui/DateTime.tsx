import { Tooltip } from '@mantine/core';
import { formatDateTime, formatExactTime, relativeTime } from '../lib/format.ts';

interface DateTimeProps {
  /** ISO 8601, or null where it has not happened. */
  value: string | null;
  /** Shows how long ago instead of when. */
  relative?: boolean;
}

/** A point in time in the reader's zone; the exact one on hover. A dash where there is none. */
export function DateTime({ value, relative = false }: DateTimeProps) {
  if (value === null) return <span style={{ color: 'var(--dh-text-muted)' }}>–</span>;
  return (
    <Tooltip label={formatExactTime(value)} openDelay={400}>
      <time dateTime={value} style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
        {relative ? relativeTime(value) : formatDateTime(value)}
      </time>
    </Tooltip>
  );
}
