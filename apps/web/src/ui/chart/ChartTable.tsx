import { UnstyledButton } from '@mantine/core';
import { pointName, valueText } from './chartPoints.ts';
import type { ChartGrain, ChartPoint, ChartSeries } from './chartPoints.ts';
import classes from './ChartTable.module.css';

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
export function ChartTable({ title, series, points, grain, onPick, pickHint }: ChartTableProps) {
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
