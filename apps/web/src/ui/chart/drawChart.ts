import UPlot from 'uplot';
import type { Axis, Series } from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { shortAmount, spread, tickName, tickStep } from './chartPoints.ts';
import type { ChartGrain, ChartPoint, ChartSeries } from './chartPoints.ts';
import { lookOf } from './seriesLook.ts';

/** Where things stand in a drawn chart, in px from its upper left corner. */
export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
  /** The middle of each point. */
  middles: readonly number[];
  /** What each point takes of the width, where they are columns; else nothing. */
  step: number;
  /** Where the name of each line stands beside its end, touching no other; null for columns and what has no values. */
  ends: readonly ({ x: number; y: number } | null)[];
}

interface Drawing {
  series: readonly ChartSeries[];
  points: readonly ChartPoint[];
  grain: ChartGrain;
  width: number;
  height: number;
  onFrame: (frame: Frame) => void;
}

const LETTER = 6.6;
/** What the columns of a point take of its width together. */
const COLUMNS_SHARE = 0.76;
const LABEL_HEIGHT = 14;
/** A column is no wider, in px. */
const MOST_COLUMN = 48;
/** The most that the names of lines take beside them, in px and of the whole. */
const MOST_END_WIDTH = 160;
const MOST_END_SHARE = 0.25;
/** Up to so many points are dots on their lines. */
const DOTTED = 40;

/** Draws a chart into an element, in the colours of its theme. What it returns takes it away again. */
export function drawChart(holder: HTMLElement, drawing: Drawing): UPlot {
  const { series, points, grain, width, height, onFrame } = drawing;
  const isEven = grain !== 'instant';
  const columns = series.flatMap(({ as }, place) => (as === 'columns' ? [place] : []));
  const lines = series.filter(({ as }) => as !== 'columns');
  const times = points.map(({ at }) => Date.parse(at));
  const xs = isEven ? points.map((_, index) => index) : times.map((time) => time / 1000);
  const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const nameOf = (x: number): string => tickName(new Date(isEven ? times[x]! : x * 1000), grain, spanMs);
  const endWidth = Math.min(
    MOST_END_WIDTH,
    width * MOST_END_SHARE,
    Math.max(0, ...lines.map(({ name }) => name.length * LETTER + 14)),
  );
  const paint = (token: string) => () => getComputedStyle(holder).getPropertyValue(token).trim();

  const axis: Axis = {
    stroke: paint('--dh-text-muted'),
    font: `12px ${getComputedStyle(holder).fontFamily}`,
    ticks: { show: false },
  };
  const grid = { stroke: paint('--dh-hairline-soft'), width: 1 };
  return new UPlot(
    {
      width,
      height,
      padding: [8, Math.max(lines.length > 0 ? endWidth : 0, 20), 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: (_, least, most) => (isEven ? [-0.5, xs.length - 0.5] : wider(least, most)) },
        // Columns stand on zero; a line alone, such as a balance, is seen as close as it moves.
        y: { range: (_, least, most) => yRange(least, most, columns.length > 0) },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 24,
          gap: 6,
          ...(isEven && {
            splits: (plot: UPlot) => {
              const step = tickStep(xs.length, plot.over.clientWidth || width, grain === 'month' ? 70 : 54);
              return xs.filter((x) => x % step === 0);
            },
          }),
          space: 70,
          values: (_, splits) => splits.map(nameOf).map((name, index, all) => (name === all[index - 1] ? '' : name)),
        },
        {
          ...axis,
          grid,
          gap: 6,
          space: 32,
          values: (_, splits) => splits.map(shortAmount),
          size: (_, values) => Math.max(24, ...(values ?? []).map((value) => value.length * LETTER)) + 10,
        },
      ],
      series: [{}, ...series.map((each, place) => seriesOf(each, place, columns, points.length, width, paint))],
      hooks: {
        drawAxes: [(plot) => drawZero(plot, paint('--dh-control-edge')())],
        ready: [(plot) => onFrame(frameOf(plot, xs, drawing))],
      },
    },
    [xs, ...series.map(({ as }, place) => points.map(({ values }) => drawnValue(values[place], as)))],
    holder,
  );
}

function seriesOf(
  { as }: ChartSeries,
  place: number,
  columns: readonly number[],
  count: number,
  plotWidth: number,
  paint: (token: string) => () => string,
): Series {
  const { token, dash, fill } = lookOf(place);
  const stroke = paint(token);
  if (as !== 'columns') {
    return {
      stroke,
      width: 2,
      dash: [...dash],
      points: { show: count <= DOTTED, size: 5, fill: stroke },
      ...(as === 'steps' && { paths: UPlot.paths.stepped!({ align: 1 }) }),
    };
  }
  const width = Math.min(COLUMNS_SHARE / columns.length, (MOST_COLUMN * count) / plotWidth);
  const start = (columns.indexOf(place) - columns.length / 2) * width;
  return {
    stroke,
    width: 1,
    ...(fill !== 'open' && { fill: () => (fill === 'solid' ? stroke() : hatching(stroke())) }),
    points: { show: false },
    paths: UPlot.paths.bars!({
      disp: {
        x0: { unit: 1, values: (plot) => (plot.data[0] as number[]).map((x) => x + start) },
        size: { unit: 1, values: () => [width] },
      },
    }),
  };
}

/** No column stands for nothing; a line goes through it. */
function drawnValue(value: number | null | undefined, as: ChartSeries['as']): number | null {
  return value === undefined || (value === 0 && as === 'columns') ? null : value;
}

/** A filling of slanted lines. */
function hatching(colour: string): CanvasPattern | string {
  const size = 6 * devicePixelRatio;
  const tile = document.createElement('canvas');
  [tile.width, tile.height] = [size, size];
  const pen = tile.getContext('2d');
  if (!pen) return colour;
  pen.strokeStyle = colour;
  pen.lineWidth = size / 3;
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift - size / 2, size * 1.5);
    pen.lineTo(shift + size * 1.5, -size / 2);
  }
  pen.stroke();
  return pen.createPattern(tile, 'repeat') ?? colour;
}

function drawZero(plot: UPlot, colour: string): void {
  const { min = 0, max = 0 } = plot.scales['y'] ?? {};
  if (min > 0 || max < 0) return;
  const y = Math.round(plot.valToPos(0, 'y', true)) + 0.5;
  plot.ctx.save();
  plot.ctx.strokeStyle = colour;
  plot.ctx.lineWidth = devicePixelRatio;
  plot.ctx.beginPath();
  plot.ctx.moveTo(plot.bbox.left, y);
  plot.ctx.lineTo(plot.bbox.left + plot.bbox.width, y);
  plot.ctx.stroke();
  plot.ctx.restore();
}

function yRange(least: number, most: number, fromZero: boolean): [number, number] {
  const [low, high] = fromZero ? [Math.min(0, least), Math.max(0, most)] : [least, most];
  const room = (high - low || Math.abs(high) || 1) * 0.06;
  return [fromZero && low === 0 ? 0 : low - room, fromZero && high === 0 ? 0 : high + room];
}

/** One instant alone stands in the middle. */
function wider(least: number, most: number): [number, number] {
  return least === most ? [least - 1, most + 1] : [least, most];
}

function frameOf(plot: UPlot, xs: readonly number[], { series, points, grain }: Drawing): Frame {
  const { offsetLeft: left, offsetTop: top, clientWidth: width, clientHeight: height } = plot.over;
  const lasts = series.map(({ as }, place) => {
    const at = as === 'columns' ? -1 : points.findLastIndex(({ values }) => values[place] != null);
    const value = points[at]?.values[place];
    return value == null ? null : { x: plot.valToPos(xs[at]!, 'x'), y: plot.valToPos(value, 'y') };
  });
  const apart = spread(
    lasts.flatMap((last) => (last === null ? [] : [last.y])),
    LABEL_HEIGHT,
    LABEL_HEIGHT / 2,
    height - LABEL_HEIGHT / 2,
  );
  let next = 0;
  return {
    left,
    top,
    width,
    height,
    middles: xs.map((x) => plot.valToPos(x, 'x')),
    step: grain === 'instant' ? 0 : width / xs.length,
    ends: lasts.map((last) => last && { x: last.x, y: apart[next++]! }),
  };
}
