import {
  spread,
  tickAmounts,
  tickName,
  tickStep,
  type ChartGrain,
  type ChartPoint,
  type ChartSeries,
} from './chartPoints.ts';

/** Pixels from the upper left corner. */
export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
  /** Pixels from the plot's left edge. */
  middles: readonly number[];
  /** Width per point for columns; else 0. */
  step: number;
  /** Labels beside line ends, without overlap. Null for columns and empty series. */
  ends: readonly ({ x: number; y: number } | null)[];
}

/** Pixels from the plot's upper left corner. */
export interface Drawn {
  readonly columns: readonly { x: number; y: number; width: number; height: number }[];
  readonly path: string;
  readonly end: { x: number; y: number } | null;
  readonly dots: readonly { x: number; y: number }[];
}

export interface ChartLayout {
  readonly frame: Frame;
  readonly series: readonly Drawn[];
  readonly xTicks: readonly { at: number; name: string }[];
  readonly yTicks: readonly { at: number; name: string }[];
  readonly zero: number | null;
}

interface Chart {
  series: readonly ChartSeries[];
  points: readonly ChartPoint[];
  grain: ChartGrain;
  width: number;
  height: number;
}

/** 12 px text in the widest common font. */
const LETTER = 7.2;
const TOP = 8;
const X_AXIS_HEIGHT = 24;
const COLUMNS_SHARE = 0.76;
const LABEL_HEIGHT = 14;
/** Maximum width in pixels. */
const MOST_COLUMN = 48;
/** Pixels, and share of the width. */
const MOST_END_WIDTH = 160;
const MOST_END_SHARE = 0.25;
const DOTTED = 40;
/** Minimum distance in pixels. */
const Y_SPACE = 32;
const X_SPACE = { hour: 54, day: 54, month: 70, instant: 70 } satisfies Record<ChartGrain, number>;
/** Points have two decimals. */
const LEAST_STEP = 0.01;
const HOUR_MS = 3_600_000;
const TIME_STEPS = [0.25, 0.5, 1, 2, 3, 6, 12, 24, 48, 168, 336, 720, 1440, 2880].map((hours) => hours * HOUR_MS);

export function layOutChart({ series, points, grain, width: all, height: allHeight }: Chart): ChartLayout {
  const lines = series.filter(({ as }) => as !== 'columns');
  const longest = Math.max(0, ...lines.map(({ name }) => name.length * LETTER + 14));
  const right = Math.max(lines.length > 0 ? Math.min(MOST_END_WIDTH, all * MOST_END_SHARE, longest) : 0, 20);
  const height = allHeight - TOP - X_AXIS_HEIGHT;
  const y = yScale(series, points, height);
  const left = Math.max(24, ...y.ticks.map(({ name }) => name.length * LETTER)) + 10;
  const width = Math.max(1, all - left - right);
  const x = xScale(points, grain, width);
  const drawn = series.map((each, index) => drawnOf(each, index, { series, points, x, y, width }));
  const columns = series.length - lines.length;
  const marginPx = (columns * columnWidth(columns, width / points.length)) / 2;
  return {
    frame: {
      left,
      top: TOP,
      width,
      height,
      middles: x.middles,
      step: grain === 'instant' ? 0 : width / points.length,
      ends: endsOf(drawn, height, marginPx),
    },
    series: drawn,
    xTicks: x.ticks,
    yTicks: y.ticks,
    zero: y.least <= 0 && y.most >= 0 ? y.at(0) : null,
  };
}

interface YScale {
  least: number;
  most: number;
  at: (value: number) => number;
  ticks: ChartLayout['yTicks'];
}

/** Columns start at zero. Lines alone, such as a balance, zoom to their range. */
function yScale(series: readonly ChartSeries[], points: readonly ChartPoint[], height: number): YScale {
  const fromZero = series.some(({ as }) => as === 'columns');
  const values = points.flatMap((point) => point.values).filter((value) => value !== null);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [least, most] = yRange(fromZero ? Math.min(0, low) : low, fromZero ? Math.max(0, high) : high, fromZero);
  const at = (value: number): number => ((most - value) / (most - least)) * height;
  const step = Math.max(LEAST_STEP, roundStep(((most - least) * Y_SPACE) / height));
  const first = Math.ceil(least / step);
  const count = Math.floor(most / step) - first + 1;
  const ticks = Array.from({ length: count }, (_, index) => (first + index) * step);
  const names = tickAmounts(ticks);
  return { least, most, at, ticks: ticks.map((value, index) => ({ at: at(value), name: names[index]! })) };
}

function yRange(low: number, high: number, fromZero: boolean): [number, number] {
  const room = (high - low || Math.abs(high) || 1) * 0.06;
  return [fromZero && low === 0 ? 0 : low - room, fromZero && high === 0 ? 0 : high + room];
}

/** Rounds up to 1, 2, 5, 10, 20 … */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
}

interface XScale {
  middles: readonly number[];
  ticks: ChartLayout['xTicks'];
}

/** Instants are spaced by time. A single point is centered. */
function xScale(points: readonly ChartPoint[], grain: ChartGrain, width: number): XScale {
  const times = points.map(({ at }) => Date.parse(at));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const nameOf = (time: number): string => tickName(new Date(time), grain, last - first);
  if (grain !== 'instant') {
    const middles = times.map((_, index) => ((index + 0.5) / times.length) * width);
    const step = tickStep(times.length, width, X_SPACE[grain]);
    const named = middles.map((at, index) => ({ at, name: nameOf(times[index]!) }));
    return { middles, ticks: named.filter((_, index) => index % step === 0) };
  }
  const at = (time: number): number => (last === first ? width / 2 : ((time - first) / (last - first)) * width);
  return {
    middles: times.map(at),
    ticks: instantTicks(first, last, width).map((time) => ({ at: at(time), name: nameOf(time) })),
  };
}

/** Returns round times, counted from the midnight before the first. */
function instantTicks(first: number, last: number, width: number): number[] {
  const least = ((last - first) * X_SPACE.instant) / width;
  const step = TIME_STEPS.find((each) => each >= least) ?? Math.max(least, 1);
  const midnight = new Date(first).setHours(0, 0, 0, 0);
  const skipped = Math.ceil((first - midnight) / step);
  const count = Math.floor((last - midnight) / step) - skipped + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => midnight + (skipped + index) * step);
}

interface Scales {
  series: readonly ChartSeries[];
  points: readonly ChartPoint[];
  x: XScale;
  y: YScale;
  width: number;
}

/** Zero draws no column. A line breaks at missing values. */
function drawnOf({ as = 'line' }: ChartSeries, seriesIndex: number, { series, points, x, y, width }: Scales): Drawn {
  const placed = points.map(({ values }, index) => {
    const value = values[seriesIndex];
    return value === null || value === undefined ? null : { x: x.middles[index]!, y: y.at(value), value };
  });
  const present = placed.filter((point) => point !== null);
  if (as !== 'columns')
    return {
      columns: [],
      path: pathOf(placed, as === 'steps'),
      end: present.at(-1) ?? null,
      // A value between two gaps has no line and needs a dot.
      dots: placed.filter(
        (point, index) =>
          point !== null && (points.length <= DOTTED || (placed[index - 1] == null && placed[index + 1] == null)),
      ) as { x: number; y: number }[],
    };
  const columns = series.flatMap((each, index) => (each.as === 'columns' ? [index] : []));
  const each = columnWidth(columns.length, width / points.length);
  const start = (columns.indexOf(seriesIndex) - columns.length / 2) * each;
  const zero = y.at(0);
  return {
    path: '',
    end: null,
    dots: [],
    columns: present
      .filter(({ value }) => value !== 0)
      .map((point) => ({
        x: point.x + start,
        y: Math.min(point.y, zero),
        width: each,
        height: Math.abs(point.y - zero),
      })),
  };
}

function columnWidth(columns: number, step: number): number {
  return columns === 0 ? 0 : Math.min((COLUMNS_SHARE / columns) * step, MOST_COLUMN);
}

/** Rounds, because finer differences are invisible and lengthen the SVG. */
function tenths(px: number): number {
  return Math.round(px * 10) / 10;
}

function pathOf(placed: readonly ({ x: number; y: number } | null)[], inSteps: boolean): string {
  return placed
    .map((point, index) => {
      if (point === null) return '';
      const [x, y] = [tenths(point.x), tenths(point.y)];
      if (placed[index - 1] == null) return `M${x} ${y}`;
      return inSteps ? `H${x}V${y}` : `L${x} ${y}`;
    })
    .join('');
}

/** Places labels beside the last points, clear of the columns there. */
function endsOf(drawn: readonly Drawn[], height: number, marginPx: number): Frame['ends'] {
  const ys = drawn.flatMap(({ end }) => (end === null ? [] : [end.y]));
  const apart = spread(ys, LABEL_HEIGHT, LABEL_HEIGHT / 2, height - LABEL_HEIGHT / 2);
  let next = 0;
  return drawn.map(({ end }) => end && { x: end.x + marginPx, y: apart[next++]! });
}
