import type { dashboard, PartOfDay } from '@drawhouse/contract/reports/dashboard';
import { sumPoints } from '@drawhouse/contract/core/primitives';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { ButtonGroup } from '@mantine/core';
import { useMemo, useState } from 'react';
import { dayZone } from '../../../lib/format/serverDays.ts';
import { ChoiceButton } from '../../../ui/form/Choices.tsx';
import type { ChartPoint } from '../../../ui/chart/chartPoints.ts';
import { TimeChart } from '../../../ui/chart/TimeChart.tsx';
import classes from './TodayFigures.module.css';
import { dashboardTexts } from './dashboardTexts.ts';

export type Figure = Exclude<keyof PartOfDay, 'startDate' | 'until' | 'hours' | 'rest'>;

type Days = Pick<RouteAnswer<typeof dashboard>, 'today' | 'yesterday' | 'lastWeek'>;

const HOUR_MS = 3_600_000;
export const CHART_HEIGHT = 260;

interface TodayChartProps {
  now: Days;
  names: Readonly<Partial<Record<Figure, string>>>;
}

/** Compares with all of yesterday and of the same weekday last week, summed by hour. */
export function TodayChart({ now, names }: TodayChartProps) {
  const [figure, setFigure] = useState<Figure>('playPoints');
  const points = useMemo(() => pointsOf(now, figure), [now, figure]);
  const seriesText = seriesNames(now).join('\n');
  const series = useMemo(() => seriesText.split('\n').map((name) => ({ name })), [seriesText]);
  return (
    <>
      <ButtonGroup className={classes.measures} aria-label={dashboardTexts.figureChart}>
        {(Object.entries(names) as [Figure, string][]).map(([each, name]) => (
          <ChoiceButton key={each} chosen={each === figure} onClick={() => setFigure(each)}>
            {name}
          </ChoiceButton>
        ))}
      </ButtonGroup>
      <TimeChart
        title={dashboardTexts.summedUpByHour(names[figure] ?? '')}
        series={series}
        points={points}
        grain="hour"
        empty={dashboardTexts.nothingWasPlayedToday}
        height={CHART_HEIGHT}
      />
    </>
  );
}

/** Sums of the day by the end of each hour. In the running hour, all days count up to the same time. */
export function pointsOf({ today, yesterday, lastWeek }: Days, figure: Figure): ChartPoint[] {
  const days = [today, ...[yesterday, lastWeek].filter(hasFigures)].map((part) => sumsOf(part, figure));
  const start = Date.parse(today.startDate);
  return Array.from({ length: Math.max(...days.map((sums) => sums.length)) }, (_, hour) => ({
    at: new Date(start + hour * HOUR_MS).toISOString(),
    name:
      hour === today.hours.length - 1
        ? dashboardTexts.soFarBy(timeName(today.until))
        : `By ${timeName(new Date(start + (hour + 1) * HOUR_MS).toISOString())}`,
    values: days.map((sums) => sums[hour] ?? null),
  }));
}

/** Today, and the earlier days that had any play: a day without play would be a line along zero. */
export function seriesNames({ yesterday, lastWeek }: Days): string[] {
  return [
    dashboardTexts.today,
    ...(hasFigures(yesterday) ? [dashboardTexts.yesterday] : []),
    ...(hasFigures(lastWeek) ? [dashboardTexts.last(weekdayName(lastWeek.startDate))] : []),
  ];
}

function hasFigures({ hours, rest }: PartOfDay): boolean {
  return [...hours, ...rest].some(({ playPoints, winPoints, net, earned }) =>
    [playPoints, winPoints, net, earned].some((value) => value !== 0),
  );
}

function sumsOf({ hours, rest }: PartOfDay, figure: Figure): number[] {
  let sum = 0;
  const add = (part: PartOfDay['hours'][number]): number => (sum = sumPoints([sum, part[figure]]));
  const soFar = hours.map(add);
  // The first remaining entry only completes the current hour.
  return [...soFar, ...rest.map(add).slice(1)];
}

function timeName(iso: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: dayZone() }).format(new Date(iso));
}

function weekdayName(iso: string): string {
  return new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: dayZone() }).format(new Date(iso));
}
