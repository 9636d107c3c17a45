import { Button, Skeleton, UnstyledButton } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { useId, useState, useEffect } from 'react';
import { hasFigures, pointName, valueText } from './chartPoints.ts';
import type { ChartGrain, ChartPoint, ChartSeries } from './chartPoints.ts';
import { SeriesSwatch } from './SeriesSwatch.tsx';
import classes from './TimeChart.module.css';
import { RequestId } from '../../lib/RequestId.tsx';
import type { ChartPlot } from './ChartPlot.tsx';

interface TimeChartProps {
  /** What it shows, over it and to screen readers: `Play, win and net`. */
  title: string;
  /** One to three. Keep them stable between renders, as the points: a new array is drawn anew. */
  series: readonly ChartSeries[];
  /** In the order of time; undefined while they are awaited, which leaves bars in the shape of a chart. */
  points: readonly ChartPoint[] | undefined;
  /** How far points are apart: one for each hour, day or month of the reader's time zone, or wherever something happened (`instant`). */
  grain: ChartGrain;
  /** Said in its place where there are no points, or nothing but zeros. */
  empty: string;
  /** Said in its place, with a way to try again, where the points could not be loaded. */
  error?: string | null | undefined;
  onRetry?: () => void;
  /** Points that are shown belong to what was asked before. */
  stale?: boolean;
  /** Of the plot, in px. */
  height?: number;
  /** What a click on a point does, or Enter on it; with `pickHint`, which says so: `Select to see this day alone`. */
  onPick?: ((index: number) => void) | undefined;
  pickHint?: string | undefined;
}

const HEIGHT = 180;

/**
 * A chart over time: columns or lines of one to three series, which dash, hatching and labels at the lines' ends tell apart where
 * colours do not. What draws it is fetched when it is first shown. By keyboard it is gone through as a slider is; a button shows the same
 * figures as a table, which also stands there where the drawing could not be fetched.
 *
 *     <TimeChart title="Play and net" grain="day" series={SERIES} empty="No play in this period"
 *       points={answer?.data.map((day) => ({ at: day.startDate, values: [day.playPoints, day.net] }))} />
 *
 * with `const SERIES = [{ name: 'Play', as: 'columns' }, { name: 'Net', as: 'line' }]`, and the points kept by `useMemo`.
 */
export function TimeChart(props: TimeChartProps) {
  const { title, series, points, stale = false, height = HEIGHT } = props;
  const [asTable, setAsTable] = useState(false);
  const plot = usePlot();
  const name = useId();
  const isDrawn = points !== undefined && hasFigures(points);
  const showsTable = asTable || plot.failed;
  return (
    <section className={classes.chart} aria-labelledby={name} aria-busy={stale || undefined}>
      <div className={classes.head}>
        <h2 id={name} className={classes.title}>
          {title}
        </h2>
        <ul className={classes.legend} aria-label="Series">
          {series.map((each, index) => (
            <li key={each.name}>
              <SeriesSwatch as={each.as ?? 'line'} index={index} />
              {each.name}
            </li>
          ))}
        </ul>
        {isDrawn && (
          <Button
            className={classes.toggle}
            variant="subtle"
            size="compact-xs"
            leftSection={showsTable ? <IconChartBar size={14} aria-hidden /> : <IconTable size={14} aria-hidden />}
            onClick={() => {
              setAsTable(!showsTable);
              plot.retry();
            }}
          >
            {showsTable ? 'Show as chart' : 'Show as table'}
          </Button>
        )}
      </div>
      <div className={classes.body} style={{ height }} data-stale={stale || undefined}>
        <Body {...props} height={height} showsTable={showsTable} Plot={plot.Plot} />
      </div>
    </section>
  );
}

interface BodyProps extends TimeChartProps {
  height: number;
  showsTable: boolean;
  Plot: ReturnType<typeof usePlot>['Plot'];
}

function Body({ Plot, showsTable, points, error, onRetry, empty, height, ...props }: BodyProps) {
  if (error != null && points === undefined) {
    return (
      <div className={classes.state} role="alert">
        {error} <RequestId said={error} />
        {onRetry && (
          <Button variant="default" size="xs" onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    );
  }
  if (points === undefined) return <Bars height={height} />;
  if (!hasFigures(points)) return <div className={classes.state}>{empty}</div>;
  if (showsTable) return <ChartTable {...props} points={points} />;
  return Plot ? <Plot {...props} points={points} height={height} /> : <Bars height={height} />;
}

/** What stands in for a chart that is awaited. */
function Bars({ height }: { height: number }) {
  return (
    <div className={classes.bars} aria-hidden>
      {[0.35, 0.6, 0.45, 0.8, 0.55, 0.7, 0.9, 0.5, 0.65, 0.4].map((share) => (
        <Skeleton key={share} radius={2} height={(height - 32) * share} />
      ))}
    </div>
  );
}

/** What draws a chart, once it has been fetched; `failed` where it could not be, until `retry`. */
interface PlotPart {
  Plot: typeof ChartPlot | undefined;
  failed: boolean;
  retry: () => void;
}

let here: typeof ChartPlot | undefined;

/** Fetches what draws charts, which the figures of a chart do not wait for. */
function usePlot(): PlotPart {
  const [Plot, setPlot] = useState(() => here);
  const [failed, setFailed] = useState(false);
  const missing = Plot === undefined && !failed;
  useEffect(() => {
    if (!missing) return;
    import('./ChartPlot.tsx').then(
      (part) => {
        here = part.ChartPlot;
        setPlot(() => part.ChartPlot);
      },
      () => setFailed(true),
    );
  }, [missing]);
  return { Plot, failed, retry: () => setFailed(false) };
}

interface ChartTableProps {
  title: string;
  series: readonly ChartSeries[];
  points: readonly ChartPoint[];
  grain: ChartGrain;
  onPick?: ((index: number) => void) | undefined;
  pickHint?: string | undefined;
}

const HEADS = { hour: 'Hour', day: 'Day', month: 'Month', instant: 'Time' } satisfies Record<ChartGrain, string>;

/** The figures of a chart in rows, for whoever cannot see them drawn or wants them to the point. */
function ChartTable({ title, series, points, grain, onPick, pickHint }: ChartTableProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section className={classes.scroll} aria-label={`${title}, as a table`} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{HEADS[grain]}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map((point, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two may be of the same instant
            <tr key={`${point.at} ${index}`}>
              <th scope="row">
                {onPick ? (
                  <UnstyledButton className={classes.pick} title={pickHint} onClick={() => onPick(index)}>
                    {pointName(point, grain)}
                  </UnstyledButton>
                ) : (
                  pointName(point, grain)
                )}
              </th>
              {series.map(({ name }, nth) => (
                <td key={name} data-loss={(point.values[nth] ?? 0) < 0 || undefined}>
                  {valueText(point.values[nth])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
