import { addDays } from '@drawhouse/rules/time/zone-days';
import { liabilityDays, type LiabilityDay, type LiabilityRow } from '@drawhouse/contract/liability/liability';
import { ButtonGroup } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { callFile, callQuery, errorMessage } from '../../lib/server/api.ts';
import { formatCalendarDay, ownTimeZone } from '../../lib/format/format.ts';
import { instantsOf, useToday } from '../../lib/format/periods.ts';
import { useExport } from '../../lib/server/useExport.ts';
import type { ChartPoint, ChartSeries } from '../../ui/chart/chartPoints.ts';
import { TimeChart } from '../../ui/chart/TimeChart.tsx';
import { ServerDaysNote } from '../../ui/page/Notes.tsx';
import { ChoiceButton } from '../../ui/form/Choices.tsx';
import { ExportButton } from '../../ui/page/HeadButton.tsx';
import { ExportProgress } from '../../ui/export/ExportProgress.tsx';
import classes from './liability.module.css';
import { liabilityTexts } from './liabilityTexts.ts';

const PERIODS = [
  { label: '30 days', days: 30 },
  { label: '6 months', days: 183 },
  { label: '1 year', days: 365 },
  { label: '5 years', days: 1825 },
] as const;

const SERIES: readonly ChartSeries[] = [
  { name: liabilityTexts.names.owedToPlayers },
  { name: liabilityTexts.names.staffCredit },
  { name: liabilityTexts.names.tables },
];
const valuesOf = ({ owedToPlayers, staffCredit, tables }: Omit<LiabilityDay, 'day'>): number[] => [
  owedToPlayers,
  staffCredit,
  tables,
];

interface LiabilityHistoryProps {
  id: string | undefined;
  now: Omit<LiabilityRow, 'id' | 'username'> | undefined;
}

export function LiabilityHistory({ id, now }: LiabilityHistoryProps) {
  const [days, setDays] = useState<number>(PERIODS[0].days);
  const today = useToday();
  const query = useMemo(
    () => ({ ...(id !== undefined && { id }), ...instantsOf({ from: addDays(today, -days), to: today }) }),
    [id, days, today],
  );
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...callQuery(['reports', 'liability days', query], liabilityDays.route, { query }),
    placeholderData: keepPreviousData,
  });
  const points = useMemo((): ChartPoint[] | undefined => {
    if (!data) return undefined;
    const ended = data.data
      .toReversed()
      .map((day) => ({ at: instantsOf({ from: day.day, to: day.day }).startDate, values: valuesOf(day) }));
    return now
      ? [...ended, { at: instantsOf({ from: today, to: today }).startDate, name: 'Now', values: valuesOf(now) }]
      : ended;
  }, [data, now, today]);
  const exporting = useExport('LiabilityByDay.xlsx', (signal) =>
    callFile(
      liabilityDays.files.find(({ format }) => format === 'xlsx')!.route,
      { query: { ...query, timeZone: ownTimeZone() } },
      { signal },
    ),
  );
  return (
    <>
      <div className={classes.tools}>
        <ButtonGroup aria-label={liabilityTexts.range}>
          {PERIODS.map((period) => (
            <ChoiceButton key={period.days} chosen={period.days === days} onClick={() => setDays(period.days)}>
              {period.label}
            </ChoiceButton>
          ))}
        </ButtonGroup>
        <ExportButton exporting={exporting} name={liabilityTexts.exportByDay} />
        <ServerDaysNote />
        {data && (
          <span className={classes.since}>
            {data.since === null
              ? liabilityTexts.firstDayAppearsHere
              : liabilityTexts.recordedSince(formatCalendarDay(data.since))}
          </span>
        )}
      </div>
      <ExportProgress exporting={exporting} />
      {points?.length !== 1 && (
        <TimeChart
          title={liabilityTexts.heldAtEndEach}
          series={SERIES}
          points={points}
          grain="day"
          empty={liabilityTexts.nothingWasHeldOn}
          error={error && !data ? errorMessage(error) : null}
          onRetry={() => void refetch()}
          stale={isPlaceholderData}
        />
      )}
    </>
  );
}
