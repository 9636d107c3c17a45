import { Button, Skeleton, UnstyledButton } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { useId, useState, useEffect } from 'react';
import { hasFigures, pointName, valueText, type ChartGrain, type ChartPoint, type ChartSeries } from './chartPoints.ts';
import { SeriesSwatch } from './SeriesSwatch.tsx';
import classes from './TimeChart.module.css';
import { RequestId } from '../../lib/RequestId.tsx';
import type { ChartPlot, ChartPlotProps } from './ChartPlot.tsx';
import { chartTexts } from '../listTexts.ts';

interface TimeChartProps {
  title: string;
  /** One to three. Keep series and points stable between renders: a new array redraws the chart. */
  series: readonly ChartSeries[];
  points: readonly ChartPoint[] | undefined;
  /** One point per hour, day or month of the time zone, or per event (`instant`). */
  grain: ChartGrain;
  /** Shown without points, or if all are zero. */
  empty: string;
  error?: string | null | undefined;
  onRetry?: () => void;
  /** The points answer a previous query. */
  stale?: boolean;
  height?: number;
  /** Runs on click or Enter; `pickHint` announces it. */
  onPick?: ((index: number) => void) | undefined;
  pickHint?: string | undefined;
}

const HEIGHT = 180;

/**
 * Shows one to three series as columns or lines. Dashes, hatching and end labels distinguish them without color. The
 * drawing code loads on first use. A button switches to a table, which also replaces a drawing that failed to load.
 *
 *     <TimeChart title="Play and net" grain="day" series={SERIES} empty="No play in this period"
 *       points={answer?.data.map((day) => ({ at: day.startDate, values: [day.playPoints, day.net] }))} />
 *
 * with `const SERIES = [{ name: 'Play', as: 'columns' }, { name: 'Net', as: 'line' }]`, and memoized points.
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
        <ul className={classes.legend} aria-label={chartTexts.series}>
          {series.map((each, index) => (
            <li key={each.name}>
              <SeriesSwatch as={each.as ?? 'line'} index={index} />
              {each.name}
            </li>
          ))}
        </ul>
        {(isDrawn || points === undefined) && (
          <Button
            className={classes.toggle}
            // Keeps its place while the chart loads.
            style={isDrawn ? undefined : { visibility: 'hidden' }}
            variant="subtle"
            size="compact-xs"
            leftSection={showsTable ? <IconChartBar size={14} aria-hidden /> : <IconTable size={14} aria-hidden />}
            onClick={() => {
              setAsTable(!showsTable);
              plot.retry();
            }}
          >
            {showsTable ? chartTexts.showAsChart : chartTexts.showAsTable}
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
        {error} <RequestId message={error} />
        {onRetry && (
          <Button variant="default" size="xs" onClick={onRetry}>
            {chartTexts.tryAgain}
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

function Bars({ height }: { height: number }) {
  return (
    <div className={classes.bars} aria-hidden>
      {[0.35, 0.6, 0.45, 0.8, 0.55, 0.7, 0.9, 0.5, 0.65, 0.4].map((share) => (
        <Skeleton key={share} radius={2} height={(height - 32) * share} />
      ))}
    </div>
  );
}

/** `failed` until `retry`. */
interface PlotPart {
  Plot: typeof ChartPlot | undefined;
  failed: boolean;
  retry: () => void;
}

let loaded: typeof ChartPlot | undefined;

function usePlot(): PlotPart {
  const [Plot, setPlot] = useState(() => loaded);
  const [failed, setFailed] = useState(false);
  const missing = Plot === undefined && !failed;
  useEffect(() => {
    if (!missing) return;
    import('./ChartPlot.tsx').then(
      (part) => {
        loaded = part.ChartPlot;
        setPlot(() => part.ChartPlot);
      },
      () => setFailed(true),
    );
  }, [missing]);
  return { Plot, failed, retry: () => setFailed(false) };
}

const HEADS = { hour: 'Hour', day: 'Day', month: 'Month', instant: 'Time' } satisfies Record<ChartGrain, string>;

function ChartTable({ title, series, points, grain, onPick, pickHint }: Omit<ChartPlotProps, 'height'>) {
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
