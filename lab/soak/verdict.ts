import type { Tally } from '../simulate/tally.ts';
import type { Reading } from './probe.ts';
import type { Work } from './soak-load.ts';

export interface Point {
  readonly hours: number;
  readonly value: number;
}

/** Estimate, and lower bound at 97.5 % confidence. */
interface Trend {
  readonly perHour: number;
  readonly atLeast: number;
}

/** 97.5th percentile of the normal distribution. */
const Z = 1.96;

/**
 * Theil–Sen slope, robust to outliers, with Sen's lower bound from Kendall's variance. Too few points yield
 * `-Infinity`.
 */
export function trendOf(points: readonly Point[]): Trend {
  const slopes = points
    .flatMap((to, index) =>
      points
        .slice(0, index)
        .map((from) => ({ rise: to.value - from.value, hours: to.hours - from.hours }))
        .filter(({ hours }) => hours > 0)
        .map(({ rise, hours }) => rise / hours),
    )
    .toSorted((one, other) => one - other);
  if (slopes.length === 0) return { perHour: 0, atLeast: Number.NEGATIVE_INFINITY };
  const count = points.length;
  const spread = Z * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
  const rank = Math.floor((slopes.length - spread) / 2);
  const middle = (slopes.length - 1) / 2;
  return {
    perHour: (slopes[Math.floor(middle)]! + slopes[Math.ceil(middle)]!) / 2,
    atLeast: slopes[rank] ?? Number.NEGATIVE_INFINITY,
  };
}

/** Takes the lower of the whole and its second half, so a curve that levels off passes. */
export function lastingTrend(points: readonly Point[]): Trend {
  const whole = trendOf(points);
  const later = trendOf(points.slice(Math.floor(points.length / 2)));
  return later.perHour < whole.perHour ? later : whole;
}

/** Returns bucket minima: memory retained after transient work. */
export function lowestPoints(points: readonly Point[], buckets: number): Point[] {
  const first = points[0]?.hours ?? 0;
  const length = ((points.at(-1)?.hours ?? 0) - first) / buckets;
  const lowest = new Map<number, Point>();
  for (const point of points) {
    const bucket = length > 0 ? Math.min(buckets - 1, Math.floor((point.hours - first) / length)) : 0;
    if (point.value < (lowest.get(bucket)?.value ?? Number.POSITIVE_INFINITY)) lowest.set(bucket, point);
  }
  return [...lowest.values()];
}

export interface Sample extends Reading {
  readonly minute: number;
  readonly connections: number;
}

export interface Watched {
  readonly name: string;
  readonly unit: string;
  readonly of: (sample: Sample) => number | undefined;
  readonly perHour: number;
  readonly most?: number;
}

export interface Verdict {
  readonly ok: boolean;
  readonly text: string;
}

const MEBIBYTE = 1024 * 1024;
const BUCKETS = 40;
/** Fewer cannot tell a slope from chance. */
const POINTS_MIN = 10;
const MINUTES_PER_HOUR = 60;

const inMebibytes = (bytes: number | undefined): number | undefined => bytes && bytes / MEBIBYTE;

/** 1 KiB leaked per bet at 6 bets/s is 21 MiB/h. A healthy server stays well below: docs/performance.md. */
export const WATCHED: readonly Watched[] = [
  { name: 'memory', unit: 'MiB', of: (sample) => inMebibytes(sample.memory), perHour: 40, most: 400 },
  { name: 'heap held', unit: 'MiB', of: (sample) => inMebibytes(sample.heapRetained), perHour: 10 },
  { name: 'held outside the heap', unit: 'MiB', of: (sample) => inMebibytes(sample.externalRetained), perHour: 10 },
  { name: 'handles', unit: '', of: (sample) => sample.handles, perHour: 20 },
  { name: 'sockets', unit: '', of: (sample) => sample.sockets, perHour: 20 },
  { name: 'open files', unit: '', of: (sample) => sample.files, perHour: 20 },
  { name: 'database connections', unit: '', of: (sample) => sample.connections, perHour: 4 },
];

/** Generous, because the machine may be busy. */
export const DELAY_P99_MS = 250;

export function judge(samples: readonly Sample[]): Verdict[] {
  const delayMs = samples.at(-1)?.totalDelayP99Ms ?? 0;
  return [
    ...WATCHED.map((watched) => judgeOne(watched, samples)),
    {
      ok: delayMs <= DELAY_P99_MS,
      text: `event-loop delay: 99 % under ${delayMs.toFixed(0)} ms (limit ${DELAY_P99_MS})`,
    },
  ];
}

function judgeOne({ name, unit, of, perHour, most }: Watched, samples: readonly Sample[]): Verdict {
  const points = samples.flatMap((sample): Point[] => {
    const value = of(sample);
    return value === undefined ? [] : [{ hours: sample.minute / MINUTES_PER_HOUR, value }];
  });
  // Passes if the system never reports this figure.
  if (points.length === 0) return { ok: true, text: `${name}: this system does not tell` };
  if (points.length < POINTS_MIN) return { ok: false, text: `${name}: ${points.length} readings are too few to judge` };
  const lowest = lowestPoints(points, BUCKETS);
  const { perHour: likely, atLeast } = lastingTrend(lowest);
  const last = lowest.at(-1)!.value;
  const units = unit && ` ${unit}`;
  const limits = [`${perHour}${units} an hour`, ...(most === undefined ? [] : [`${most}${units} in all`])].join(', ');
  return {
    ok: atLeast <= perHour && last <= (most ?? Number.POSITIVE_INFINITY),
    text: `${name}: ${last.toFixed(0)}${units} at the end, ${signed(likely)} an hour, at least ${signed(atLeast)} (limit ${limits})`,
  };
}

function signed(value: number): string {
  const text = Math.abs(value).toFixed(1);
  return text === '0.0' ? '0' : `${value < 0 ? '−' : '+'}${text}`;
}

const COLUMNS: readonly { readonly head: string; readonly of: (sample: Sample) => number | undefined }[] = [
  { head: 'minute', of: ({ minute }) => minute },
  { head: 'memory MiB', of: ({ memory }) => memory / MEBIBYTE },
  { head: 'heap', of: ({ heap }) => heap / MEBIBYTE },
  { head: 'held', of: ({ heapRetained }) => heapRetained && heapRetained / MEBIBYTE },
  { head: 'outside', of: ({ externalRetained }) => externalRetained && externalRetained / MEBIBYTE },
  { head: 'handles', of: ({ handles }) => handles },
  { head: 'sockets', of: ({ sockets }) => sockets },
  { head: 'files', of: ({ files }) => files },
  { head: 'connections', of: ({ connections }) => connections },
  { head: 'delay p99 ms', of: ({ delayP99Ms }) => delayP99Ms },
  { head: 'most ms', of: ({ delayMaxMs }) => delayMaxMs },
];

export function tableHead(): string {
  return `| ${COLUMNS.map(({ head }) => head).join(' | ')} |\n|${COLUMNS.map(() => '--:').join('|')}|`;
}

export function tableLine(sample: Sample): string {
  const cells = COLUMNS.map(({ head, of }) =>
    (of(sample)?.toFixed(head === 'minute' ? 1 : 0) ?? '').padStart(head.length),
  );
  return `| ${cells.join(' | ')} |`;
}

/** Requires some of every kind of work and at most 1 % failures. */
export function judgeLoad(bets: Tally, works: ReadonlyMap<string, Work>): Verdict[] {
  return [
    { ok: bets.accepted > 0, text: `bets: ${bets.accepted} done, credit topped up ${bets.topUps} times` },
    ...[...works].map(([name, { done, waited, failures }]): Verdict => {
      const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
      const reasons = [...failures].map(([reason, count]) => `${count} × ${reason}`);
      const counts = `${name}: ${done} done, ${waited} told to come later, ${failed} failed`;
      return { ok: done > 0 && failed * 100 <= done, text: [counts, ...reasons].join('; ') };
    }),
  ];
}
