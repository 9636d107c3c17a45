import { addDays } from '@drawhouse/rules/zone-days';
import { turnoverSeries } from '@drawhouse/contract/reports/turnover';
import type { RouteAnswer } from '@drawhouse/contract/frame/route';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, errorMessage } from '../../../lib/api.ts';
import { formatCalendarDay } from '../../../lib/format.ts';
import { dayOf, instantsOf } from '../../../lib/periods.ts';
import type { DayRange } from '../../../lib/periods.ts';
import { queryKeys } from '../../../lib/queryKeys.ts';
import type { ChartPoint } from '../../../ui/chart/chartPoints.ts';
import { TimeChart } from '../../../ui/chart/TimeChart.tsx';
import { courseTexts } from './turnoverTexts.ts';

type Series = RouteAnswer<typeof turnoverSeries>;

const SERIES = [
  { name: courseTexts.series.play, as: 'columns' },
  { name: courseTexts.series.win, as: 'columns' },
  { name: courseTexts.series.net },
] as const;

interface TurnoverChartProps {
  /** The account whose play is shown; the reader's own where it is left out. */
  id: string | undefined;
  range: DayRange;
  /** Shows fewer days. */
  onRange: (range: DayRange) => void;
}

/** The course of a turnover over its period: play and win as columns, net as a line. A click on a column shows its days alone. */
export function TurnoverChart({ id, range, onRange }: TurnoverChartProps) {
  const query = { id, ...instantsOf(range) };
  const { data, dataUpdatedAt, error, isPlaceholderData, refetch } = useQuery({
    queryKey: [queryKeys.reports, 'turnover course', query],
    queryFn: ({ signal }) => call(turnoverSeries, { query }, { signal }),
    placeholderData: keepPreviousData,
  });
  const points = useMemo(() => data && pointsOf(data, new Date(dataUpdatedAt)), [data, dataUpdatedAt]);
  const grain = data?.grain ?? 'hour';
  // A day is the least that a report is about.
  const narrows = range.from !== range.to && !isPlaceholderData;
  return (
    <TimeChart
      title={courseTexts.title[grain]}
      series={SERIES}
      points={points}
      grain={grain}
      empty={courseTexts.empty}
      stale={isPlaceholderData}
      error={error && errorMessage(error)}
      onRetry={() => void refetch()}
      onPick={narrows ? (index) => onRange(daysOf(data!.data[index]!)) : undefined}
      pickHint={courseTexts.pick[grain]}
    />
  );
}

/** What is still to come has no values. */
function pointsOf({ grain, data }: Series, now: Date): ChartPoint[] {
  return data.map((part) => ({
    at: part.startDate,
    name: grain === 'month' ? partName(part) : undefined,
    values: new Date(part.startDate) > now ? [null, null, null] : [part.playPoints, part.winPoints, part.net],
  }));
}

/** The name of less than a month. */
function partName(part: Series['data'][number]): string | undefined {
  const { from, to } = daysOf(part);
  if (from.endsWith('-01') && addDays(to, 1).endsWith('-01')) return undefined;
  return from === to ? formatCalendarDay(from) : `${formatCalendarDay(from)} – ${formatCalendarDay(to)}`;
}

function daysOf({ startDate, endDate }: Series['data'][number]): DayRange {
  return { from: dayOf(new Date(startDate)), to: dayOf(new Date(endDate)) };
}
