/** A value at a time, in hours since some start. */
export interface Point {
  readonly hours: number;
  readonly value: number;
}

/** How a value changes in an hour: what is likely, and what it is at least with a confidence of 97.5 %. */
export interface Trend {
  readonly perHour: number;
  readonly atLeast: number;
}

/** The 97.5th percentile of the normal distribution. */
const Z = 1.96;

/**
 * The Theil–Sen line: the median of the slopes between all pairs of points, which single outliers do not move. Its lower bound
 * is Sen's, from the variance of Kendall's statistic; too few points have none, and give `-Infinity`.
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

/** The trend that lasts: of the whole, or of its later half where that rises less. A curve that levels off has none. */
export function lastingTrend(points: readonly Point[]): Trend {
  const whole = trendOf(points);
  const later = trendOf(points.slice(Math.floor(points.length / 2)));
  return later.perHour < whole.perHour ? later : whole;
}

/** The lowest point in each of so many equal buckets of time: what stays when passing work is let go. */
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
