import { roleBelow, type Role } from '@drawhouse/contract/core/primitives';
import { turnoverReport, turnoverSeries, type TurnoverRow } from '@drawhouse/contract/reports/turnover';
import { IconArrowLeft } from '@tabler/icons-react';
import { homePath, pagePath, withSearch } from '../../../lib/paths.ts';
import { go, usePathname, useSearch } from '../../../lib/navigation.ts';
import { useList } from '../../../lib/list/useList.ts';
import { useUser } from '../../../lib/session/session.ts';
import { Figures } from '../../../ui/mark/Figures.tsx';
import { HeadButton } from '../../../ui/page/PageHeader.tsx';
import type { Cells } from '../../../ui/table/columns/listColumns.tsx';
import { ListPage } from '../../../ui/page/ListPage.tsx';
import { PeriodBar } from '../../../ui/filter/PeriodBar.tsx';
import { CellBadge } from '../../../ui/mark/StatusBadge.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import classes from './TurnoverPage.module.css';
import { addDays } from '@drawhouse/rules/time/zone-days';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { callQuery, errorMessage } from '../../../lib/server/api.ts';
import { formatCalendarDay } from '../../../lib/format/format.ts';
import { dayOf, instantsOf, type DayRange } from '../../../lib/format/periods.ts';
import type { ChartPoint } from '../../../ui/chart/chartPoints.ts';
import { TimeChart } from '../../../ui/chart/TimeChart.tsx';
import { courseTexts, turnoverTexts } from './turnoverTexts.ts';

const FIGURES = ['totalPlayPoints', 'totalWinPoints', 'endPoint', 'totalCommission', 'net'] as const;

export function TurnoverPage() {
  const { role } = useUser();
  const path = usePathname();
  const search = useSearch();
  const view = useList(turnoverReport, {
    name: 'turnover',
    queryKey: ['reports', 'turnover'],
    keptParams: ['id'],
  });
  const { answer, period, state } = view;
  const parents = answer?.parents ?? [];
  const above = parents.at(-2);
  // The address knows the level before the answer, so the title keeps its length.
  const rowsRole = answer?.role ?? roleBelow((search['role'] ?? role) as Role);
  const levels = rowsRole && turnoverTexts.levels[rowsRole];
  const title = levels ? `${turnoverTexts.title}: ${levels}` : turnoverTexts.title;

  const drillHref = (account: { id: string; role: string }) =>
    withSearch(path, {
      role: account.role,
      id: account.id,
      startDate: period.range.from,
      endDate: period.range.to,
      period: period.period,
      sort: state['sort'],
      pageSize: state['pageSize'],
    });

  const ticketsHref = (player: TurnoverRow) =>
    withSearch(pagePath(role, 'gamehistory'), {
      userId: player.id,
      startDate: period.range.from,
      endDate: period.range.to,
      period: period.period,
    });
  const rowHref = (row: TurnoverRow) => (row.role === 'user' ? ticketsHref(row) : drillHref(row));

  return (
    <ListPage
      view={view}
      Periods={PeriodBar}
      title={title}
      rowsName={levels?.toLowerCase() ?? 'accounts'}
      rowKey={(row) => row.id}
      rowLabel={(row) => row.username}
      rowHref={rowHref}
      cells={cellsOf(rowHref)}
      back={
        <HeadButton
          name={turnoverTexts.back}
          icon={IconArrowLeft}
          variant="default"
          onClick={() => go.back(above ? drillHref(above) : homePath(role))}
        />
      }
      empty={{
        title: `No ${levels?.toLowerCase() ?? 'accounts'} below ${parents.at(-1)?.username ?? 'this account'}`,
        text: turnoverTexts.eachThemIsListed,
      }}
    >
      <AccountChain parents={parents} hrefOf={drillHref} />
      {view.error === null && (
        <>
          <Figures
            figures={FIGURES.map((figure) => ({ name: turnoverTexts.summary[figure], value: answer?.summary[figure] }))}
          />
          <p className={classes.whose}>{turnoverTexts.whose}</p>
          <TurnoverChart
            id={state['id']}
            range={period.range}
            onRange={({ from, to }) => view.change({ period: undefined, startDate: from, endDate: to })}
          />
        </>
      )}
    </ListPage>
  );
}

interface AccountChainProps {
  parents: Turnover['parents'];
  hrefOf: (parent: Turnover['parents'][number]) => string;
}

function AccountChain({ parents, hrefOf }: AccountChainProps) {
  return (
    <nav className={classes.chain} aria-label={turnoverTexts.chainAccounts}>
      <ol>
        {parents.map((parent, index) => (
          <li key={parent.id}>
            {index === parents.length - 1 ? (
              <span aria-current="page">{parent.username}</span>
            ) : (
              <PathLink href={hrefOf(parent)}>{parent.username}</PathLink>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function cellsOf(hrefOf: (row: TurnoverRow) => string): Cells<TurnoverRow> {
  return {
    username: (row) => (
      <>
        <PathLink href={hrefOf(row)} title={row.username}>
          {row.username}
        </PathLink>{' '}
        <CellBadge cell={row.cell} />
      </>
    ),
  };
}

type Turnover = RouteAnswer<(typeof turnoverReport)['route']>;
type Series = RouteAnswer<typeof turnoverSeries>;

const SERIES = [
  { name: courseTexts.series.play, as: 'columns' },
  { name: courseTexts.series.win, as: 'columns' },
  { name: courseTexts.series.net },
] as const;

interface TurnoverChartProps {
  id: string | undefined;
  range: DayRange;
  onRange: (range: DayRange) => void;
}

function TurnoverChart({ id, range, onRange }: TurnoverChartProps) {
  const query = { id, ...instantsOf(range) };
  const { data, dataUpdatedAt, error, isPlaceholderData, refetch } = useQuery({
    ...callQuery(['reports', 'turnover course', query], turnoverSeries, { query }),
    placeholderData: keepPreviousData,
  });
  const points = useMemo(() => data && pointsOf(data, new Date(dataUpdatedAt)), [data, dataUpdatedAt]);
  const grain = data?.grain ?? 'hour';
  // Days are the smallest unit.
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

/** The future has no values. */
function pointsOf({ grain, data }: Series, now: Date): ChartPoint[] {
  return data.map((part) => ({
    at: part.startDate,
    name: grain === 'month' ? partName(part) : undefined,
    values: new Date(part.startDate) > now ? [null, null, null] : [part.playPoints, part.winPoints, part.net],
  }));
}

function partName(part: Series['data'][number]): string | undefined {
  const { from, to } = daysOf(part);
  if (from.endsWith('-01') && addDays(to, 1).endsWith('-01')) return undefined;
  return from === to ? formatCalendarDay(from) : `${formatCalendarDay(from)} – ${formatCalendarDay(to)}`;
}

function daysOf({ startDate, endDate }: Series['data'][number]): DayRange {
  return { from: dayOf(new Date(startDate)), to: dayOf(new Date(endDate)) };
}
