import { dayZone } from '../../lib/format/serverDays.ts';
import { formatCalendarDay, formatDateTime, formatPoints, ownTimeZone } from '../../lib/format/format.ts';
import { dayOf } from '../../lib/format/periods.ts';

export interface ChartSeries {
  readonly name: string;
  /** `steps` holds its value until the next point, like a balance. */
  readonly as?: 'columns' | 'line' | 'steps';
}

export interface ChartPoint {
  readonly at: string;
  /** Names a point shorter than its hour, day or month. */
  readonly name?: string | undefined;
  /** One per series; null for no value. */
  readonly values: readonly (number | null)[];
}

export type ChartGrain = 'hour' | 'day' | 'month' | 'instant';

const two = '2-digit';
function namesIn(timeZone: string) {
  const format = (of: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...of, timeZone });
  return {
    timeZone,
    hour: format({ hour: two, minute: two, hourCycle: 'h23' }),
    day: format({ day: 'numeric', month: 'short' }),
    month: format({ month: 'short', year: 'numeric' }),
    longMonth: format({ month: 'long', year: 'numeric' }),
    weekday: format({ weekday: 'short' }),
  };
}

let ofDays: ReturnType<typeof namesIn> | undefined;
const ofInstants = namesIn(ownTimeZone());

/** Hours, days and months use the server's zone, like the sums. Instants use the viewer's. */
function namesOf(grain: ChartGrain): ReturnType<typeof namesIn> {
  if (grain === 'instant') return ofInstants;
  const timeZone = dayZone();
  if (ofDays?.timeZone !== timeZone) ofDays = namesIn(timeZone);
  return ofDays;
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 });
const full = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

const DAY_MS = 24 * 3_600_000;

export function hasFigures(points: readonly ChartPoint[]): boolean {
  return points.some(({ values }) => values.some((value) => value !== null && value !== 0));
}

export function pointName({ at, name }: ChartPoint, grain: ChartGrain): string {
  if (name !== undefined) return name;
  const start = new Date(at);
  const names = namesOf(grain);
  switch (grain) {
    case 'hour':
      return (
        `${formatCalendarDay(dayOf(start))}, ${names.hour.format(start)} – ` +
        names.hour.format(new Date(start.getTime() + 3_600_000))
      );
    case 'day':
      return `${names.weekday.format(start)} ${formatCalendarDay(dayOf(start))}`;
    case 'month':
      return names.longMonth.format(start);
    case 'instant':
      return formatDateTime(at);
  }
}

/** `spanMs`: of the whole axis. */
export function tickName(at: Date, grain: ChartGrain, spanMs: number): string {
  const names = namesOf(grain);
  if (grain !== 'instant') return names[grain].format(at);
  return names[spanMs <= 2 * DAY_MS ? 'hour' : spanMs <= 200 * DAY_MS ? 'day' : 'month'].format(at);
}

/** Shortens amounts: `1.25M`, `−300`. */
export function shortAmount(value: number): string {
  return compact.format(value).replace('-', '\u2212');
}

/** Uses full amounts if short forms collide, as for `1,000,050` and `1,000,100`. */
export function tickAmounts(values: readonly number[]): string[] {
  const short = values.map(shortAmount);
  if (new Set(short).size === short.length) return short;
  return values.map((value) => full.format(value).replace('-', '\u2212'));
}

export function pointText(point: ChartPoint, grain: ChartGrain, series: readonly ChartSeries[]): string {
  const parts = series.map(({ name }, index) => `${name} ${valueText(point.values[index])}`);
  return `${pointName(point, grain)}: ${parts.join(', ')}`;
}

export function valueText(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : formatPoints(value);
}

/** Skips labels so that those of `nameWidth` pixels do not touch. */
export function tickStep(count: number, width: number, nameWidth: number): number {
  const least = Math.max(1, Math.ceil((count * nameWidth) / Math.max(1, width)));
  return [1, 2, 3, 4, 6, 7, 12, 14, 24, 28, 48, 96].find((step) => step >= least) ?? least;
}

/** Moves labels apart: centers at least `gap` pixels from each other, in the same order, within `least` and `most`. */
export function spread(places: readonly number[], gap: number, least: number, most: number): number[] {
  const order = places.map((_, index) => index).toSorted((one, other) => places[one]! - places[other]!);
  const spreadPlaces = [...places];
  let above = least - gap;
  for (const index of order) above = spreadPlaces[index] = Math.max(spreadPlaces[index]!, above + gap);
  let below = most + gap;
  for (const index of order.toReversed()) below = spreadPlaces[index] = Math.min(spreadPlaces[index]!, below - gap);
  return spreadPlaces;
}
