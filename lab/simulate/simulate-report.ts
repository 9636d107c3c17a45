import type { Bucket, Tally } from './tally.ts';

/** Unless the terminal is narrower. */
const WIDTH = 80;
const SPARK = 16;
const PERCENTILES = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 });

/** Formats `0.84`, `12.3`, `1,204`. */
export function milliseconds(ms: number): string {
  return ms < 1 ? ms.toFixed(2) : ms < 100 ? oneDecimal.format(ms) : whole.format(ms);
}

const rateOf = ({ accepted }: Bucket, bucketMs: number): number => (accepted * 1000) / bucketMs;

/** Shows the last full bucket. */
export function progress(tally: Tally, atMs: number): string {
  tally.advance(atMs);
  const { buckets, bucketMs } = tally;
  const done = buckets.slice(0, -1);
  const last = done.at(-1);
  if (!last) return '';
  const rates = done.map((bucket) => rateOf(bucket, bucketMs));
  const seconds = `${Math.round((done.length * bucketMs) / 1000)} s`.padStart(7);
  const rate = `${whole.format(rates.at(-1)!)}/s`.padStart(9);
  const { latencies, refused, unsent, closed } = last;
  const times =
    latencies.count > 0 &&
    `p50 ${milliseconds(latencies.percentile(0.5))}, p99 ${milliseconds(latencies.percentile(0.99))} ms`;
  const left = unsent > 0 && `${unsent} not sent${closed === unsent ? ' (closed)' : ''}`;
  const rest = [times, refused > 0 && `${refused} refused`, left].filter(Boolean).join(', ');
  return `${seconds} ${rate} ${sparkline(rates, SPARK)} ${rest}`.trimEnd();
}

export function summary(tally: Tally, seconds: number, columns = WIDTH): string {
  tally.advance(seconds * 1000);
  const { accepted, points, refused, refusals, unsent, latencies, buckets, bucketMs } = tally;
  const due = accepted + refusals + unsent.busy + unsent.closed;
  const rows: (readonly [string, number, string])[] = [
    ['due', due, ''],
    [
      'accepted',
      accepted,
      `${oneDecimal.format(accepted / Math.max(seconds, 0.001))}/s, ${whole.format(points)} points`,
    ],
    ['refused', refusals, ''],
    ...[...refused].toSorted(([, a], [, b]) => b - a).map(([code, count]) => [`  ${code}`, count, ''] as const),
    ['not sent', unsent.busy + unsent.closed, ''],
    ...(unsent.busy > 0 ? [['  no connection or player was free in time', unsent.busy, ''] as const] : []),
    ...(unsent.closed > 0 ? [['  betting was closed, or about to', unsent.closed, ''] as const] : []),
  ];
  const name = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, count, more]) =>
    `${label.padEnd(name)} ${whole.format(count).padStart(10)}${more && `   ${more}`}`.trimEnd(),
  );
  const shares = Object.entries(PERCENTILES).map(
    ([key, share]) => `${key} ${milliseconds(latencies.percentile(share))}`,
  );
  if (due === 0) return 'No bet was due: betting was closed in all games, as it is 5 seconds before each draw.';
  const times = `${shares.join('   ')}   most ${milliseconds(latencies.mostMs)} ms, from due to answered`;
  const shown = buckets.length > 1 ? buckets.slice(0, -1) : buckets;
  const series: Series[] = [
    {
      title: 'accepted per second',
      values: shown.map((bucket) => rateOf(bucket, bucketMs)),
      format: (value) => whole.format(value),
    },
    { title: 'p99, ms', values: shown.map((bucket) => bucket.latencies.percentile(0.99)), format: milliseconds },
  ];
  const charts = series.map((each) => chart(each, bucketMs, Math.min(columns, WIDTH)));
  return [lines.join('\n'), times, ...(accepted > 0 ? charts : [])].join('\n\n');
}

const BLOCKS = ' ▁▂▃▄▅▆▇█';

interface Series {
  readonly title: string;
  readonly values: readonly number[];
  readonly format: (value: number) => string;
}

/**
 * Draws without color: scale at the left, seconds below. Adjacent values merge into their maximum if space is short.
 */
export function chart({ title, values, format }: Series, bucketMs: number, width = 80, rows = 6): string {
  const most = Math.max(...values, 0);
  const scale = most > 0 ? most : 1;
  const labels = Array.from({ length: rows }, (_, row) =>
    row === 0 ? format(most) : row === rows - 1 ? format(0) : '',
  );
  const margin = Math.max(...labels.map((label) => label.length));
  const room = Math.max(8, width - margin - 2);
  const perColumn = Math.max(1, Math.ceil(values.length / room));
  const columns: number[] = [];
  for (let start = 0; start < values.length; start += perColumn)
    columns.push(Math.max(...values.slice(start, start + perColumn)));

  const lines = labels.map((label, row) => {
    const floor = rows - 1 - row;
    const cells = columns.map((value) => {
      const eighths = Math.round((value / scale) * rows * 8) - floor * 8;
      const least = floor === 0 && value > 0 ? 1 : 0;
      return BLOCKS[Math.min(8, Math.max(least, eighths))];
    });
    return `${label.padStart(margin)} │${cells.join('')}`.trimEnd();
  });
  const seconds = `${Math.round((values.length * bucketMs) / 1000)} s`;
  const axis = `${' '.repeat(margin)} └${'─'.repeat(columns.length)}`;
  const times = `${' '.repeat(margin)}  0${seconds.padStart(Math.max(seconds.length + 1, columns.length - 1))}`;
  return [title, ...lines, axis, times].join('\n');
}

export function sparkline(values: readonly number[], width: number): string {
  const shown = values.slice(-width);
  const most = Math.max(...shown, 1);
  return shown
    .map((value) => BLOCKS[value > 0 ? Math.max(1, Math.round((value / most) * 8)) : 0])
    .join('')
    .padEnd(width);
}
