import { useMemo, useRef, useState, useId, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react';
import { useWidth } from '../useWidth.ts';
import { pointName, pointText, valueText, type ChartGrain, type ChartPoint, type ChartSeries } from './chartPoints.ts';
import { layOutChart, type Frame, type ChartLayout, type Drawn } from './layOutChart.ts';
import { SeriesSwatch, swatchOf } from './SeriesSwatch.tsx';
import classes from './ChartPlot.module.css';

export interface ChartPlotProps {
  title: string;
  series: readonly ChartSeries[];
  points: readonly ChartPoint[];
  grain: ChartGrain;
  height: number;
  onPick?: ((index: number) => void) | undefined;
  pickHint?: string | undefined;
}

/** Share of all points, for Page Up and Page Down. */
const PAGE_SHARE = 0.1;

export function ChartPlot(props: ChartPlotProps) {
  const { title, series, points, grain, height, onPick, pickHint } = props;
  const { ref, width } = useWidth(0);
  const [chosen, setChosen] = useState<number | null>(null);
  const isFirstTouch = useRef(false);
  const layout = useMemo(
    () => (width > 0 ? layOutChart({ series, points, grain, width, height }) : null),
    [series, points, grain, width, height],
  );
  const frame = layout?.frame;

  const last = points.length - 1;
  const at = chosen === null ? null : Math.min(chosen, last);
  const indexAt = (event: MouseEvent): number => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const distances = frame!.middles.map((middle) => Math.abs(middle - x));
    return distances.indexOf(Math.min(...distances));
  };

  function go(event: KeyboardEvent) {
    const index = at ?? last;
    const page = Math.max(1, Math.round(points.length * PAGE_SHARE));
    const steps: Record<string, number> = {
      ArrowLeft: index - 1,
      ArrowDown: index - 1,
      ArrowRight: index + 1,
      ArrowUp: index + 1,
      PageDown: index - page,
      PageUp: index + page,
      Home: 0,
      End: last,
    };
    const to = steps[event.key];
    if (event.key === 'Escape' && chosen !== null) setChosen(null);
    else if (to !== undefined) setChosen(Math.max(0, Math.min(last, to)));
    else if ((event.key === 'Enter' || event.key === ' ') && onPick) onPick(index);
    else return;
    event.preventDefault();
  }

  return (
    <div ref={ref} className={classes.plot}>
      {frame && at !== null && <Band frame={frame} at={at} />}
      {layout && <Drawing layout={layout} width={width} height={height} />}
      {frame &&
        series.map(({ name }, index) => (
          <EndName key={name} name={name} frame={frame} place={frame.ends[index]} token={swatchOf(index).token} />
        ))}
      {frame && (
        <div
          className={classes.slider}
          style={{ left: frame.left, top: frame.top, width: frame.width, height: frame.height }}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a range input is dragged, and its ends are no points
          role="slider"
          tabIndex={0}
          aria-label={onPick && pickHint !== undefined ? `${title}. ${pickHint}` : title}
          aria-valuemin={1}
          aria-valuemax={points.length}
          aria-valuenow={(at ?? last) + 1}
          aria-valuetext={pointText(points[at ?? last]!, grain, series)}
          data-picks={onPick !== undefined || undefined}
          onKeyDown={go}
          onFocus={(event) => event.currentTarget.matches(':focus-visible') && setChosen(at ?? last)}
          onBlur={() => setChosen(null)}
          onPointerDown={(event: PointerEvent) => {
            // The first touch shows the point; the second picks it.
            isFirstTouch.current = event.pointerType === 'touch' && indexAt(event) !== at;
          }}
          onPointerMove={(event) => setChosen(indexAt(event))}
          onPointerLeave={(event) => {
            const stays = event.pointerType === 'touch' || event.currentTarget.matches(':focus-visible');
            if (!stays) setChosen(null);
          }}
          onClick={(event) => {
            const index = indexAt(event);
            if (isFirstTouch.current) setChosen(index);
            else onPick?.(index);
          }}
        />
      )}
      {frame && at !== null && <Tip {...props} frame={frame} at={at} />}
    </div>
  );
}

function Band({ frame, at }: { frame: Frame; at: number }) {
  const width = Math.max(2, frame.step);
  const left = frame.left + frame.middles[at]! - width / 2;
  return <div className={classes.band} style={{ left, top: frame.top, width, height: frame.height }} />;
}

function EndName(props: { name: string; frame: Frame; place: Frame['ends'][number] | undefined; token: string }) {
  const { name, frame, place, token } = props;
  if (place == null) return null;
  const left = frame.left + place.x + 8;
  const style = { left, maxWidth: `calc(100% - ${left}px)`, top: frame.top + place.y, color: `var(${token})` };
  return (
    <span className={classes.end} style={style} aria-hidden title={name}>
      {name}
    </span>
  );
}

function Tip(props: ChartPlotProps & { frame: Frame; at: number }) {
  const { series, points, grain, onPick, pickHint, frame, at } = props;
  const point = points[at]!;
  const middle = frame.left + frame.middles[at]!;
  const away = frame.step / 2 + 8;
  const isLeft = frame.middles[at]! < frame.width / 2;
  const style = isLeft ? { left: middle + away } : { right: `calc(100% - ${middle - away}px)` };
  return (
    // The slider already announces it.
    <div className={classes.tip} style={style} aria-hidden>
      <div className={classes.tipName}>{pointName(point, grain)}</div>
      <dl>
        {series.map(({ name, as = 'line' }, index) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>
              <SeriesSwatch as={as} index={index} />
              {name}
            </dt>
            <dd data-loss={(point.values[index] ?? 0) < 0 || undefined}>{valueText(point.values[index])}</dd>
          </div>
        ))}
      </dl>
      {onPick && pickHint !== undefined && <div className={classes.hint}>{pickHint}</div>}
    </div>
  );
}

interface DrawingProps {
  layout: ChartLayout;
  width: number;
  height: number;
}

const GAP = 6;

/** Decorative: the slider over it has the accessible text. */
function Drawing({ layout, width, height }: DrawingProps) {
  const { frame, series, xTicks, yTicks, zero } = layout;
  return (
    <svg
      className={classes.drawing}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden
      focusable={false}
    >
      <g transform={`translate(${frame.left} ${frame.top})`}>
        {yTicks.map(({ at, name }) => (
          <g key={name} transform={`translate(0 ${at})`}>
            <path className={classes.grid} d={`M0 0H${frame.width}`} />
            <text className={classes.label} x={-GAP} dy="0.35em" textAnchor="end">
              {name}
            </text>
          </g>
        ))}
        {xTicks.map(({ at, name }, index) => (
          <text key={at} className={classes.label} x={at} y={frame.height + GAP + 12} textAnchor="middle">
            {name === xTicks[index - 1]?.name ? '' : name}
          </text>
        ))}
        {zero !== null && <path className={classes.zero} d={`M0 ${zero}H${frame.width}`} />}
        {series.map((drawn, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a series is identified by its index
          <Shapes key={index} drawn={drawn} index={index} />
        ))}
      </g>
    </svg>
  );
}

function Shapes({ drawn: { columns, path, dots }, index }: { drawn: Drawn; index: number }) {
  const hatch = useId();
  const { token, dash, fill } = swatchOf(index);
  const colour = `var(${token})`;
  const fills = { solid: colour, hatched: `url(#${hatch})`, open: 'none' };
  if (path !== '')
    return (
      <g>
        <path d={path} fill="none" stroke={colour} strokeWidth={2} strokeDasharray={dash.join(' ')} />
        {dots.map(({ x, y }) => (
          <circle key={x} cx={x} cy={y} r={2.5} fill={colour} />
        ))}
      </g>
    );
  return (
    <g stroke={colour} fill={fills[fill]}>
      <pattern id={hatch} width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path d="M0 0V5" stroke={colour} strokeWidth={3} />
      </pattern>
      {columns.map((column) => (
        <rect key={column.x} {...column} />
      ))}
    </g>
  );
}
