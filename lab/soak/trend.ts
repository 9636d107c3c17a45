export interface Point {
  readonly hours: number;
  readonly value: number;
}

/** Estimate, and lower bound at 97.5 % confidence. */
export interface Trend {
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
