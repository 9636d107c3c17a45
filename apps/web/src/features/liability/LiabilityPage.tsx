import { hundredthsIn } from '@drawhouse/contract/core/primitives';
import {
  liabilityReport,
  type LiabilityRow,
  type LiabilityFigure,
  type AuditVerdict,
  liabilityDays,
  type LiabilityDay,
} from '@drawhouse/contract/liability/liability';
import { fairSeals } from '@drawhouse/contract/seals/seals';
import { addDays } from '@drawhouse/rules/time/zone-days';
import { richText } from '@drawhouse/session/rich-text';
import { ButtonGroup } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery, keepPreviousData } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { stackOf } from '../../lib/format/proportions.ts';
import { formatShare } from '../../lib/format/returns.ts';
import { withSearch, fairPath } from '../../lib/paths.ts';
import { go, usePathname } from '../../lib/navigation.ts';
import { useList } from '../../lib/list/useList.ts';
import { useIsPhone } from '../../ui/useWidth.ts';
import { Figures } from '../../ui/mark/Figures.tsx';
import type { Cells } from '../../ui/table/columns/listColumns.tsx';
import { HeadButton, ExportButton } from '../../ui/page/PageHeader.tsx';
import { ListPage } from '../../ui/page/ListPage.tsx';
import { PathLink } from '../../ui/page/PathLink.tsx';
import { sealGradeTexts } from '../../lib/format/sealGradeTexts.ts';
import { callQuery, callFile, errorMessage } from '../../lib/server/api.ts';
import { formatCount, formatDateTime, withTimes, formatCalendarDay, ownTimeZone } from '../../lib/format/format.ts';
import { CellBadge, StatusBadge } from '../../ui/mark/StatusBadge.tsx';
import classes from './liability.module.css';
import { liabilityTexts } from './liabilityTexts.ts';
import { instantsOf, useToday } from '../../lib/format/periods.ts';
import { useExport } from '../../lib/server/useExport.ts';
import type { ChartPoint, ChartSeries } from '../../ui/chart/chartPoints.ts';
import { TimeChart } from '../../ui/chart/TimeChart.tsx';
import { ServerDaysNote } from '../../ui/page/Notes.tsx';
import { ChoiceButton } from '../../ui/form/Choices.tsx';
import { ExportProgress } from '../../ui/export/ExportProgress.tsx';

export function LiabilityPage() {
  const path = usePathname();
  const view = useList(liabilityReport, {
    name: 'liability',
    queryKey: ['reports', 'liability'],
    keptParams: ['id'],
  });
  const { answer, rows, state } = view;
  const id = state['id'];
  const cells = useMemo((): Cells<LiabilityRow> => {
    const nameCell = (row: LiabilityRow) => (
      <>
        <PathLink href={withSearch(path, { id: row.id })} title={row.username}>
          {row.username}
        </PathLink>{' '}
        <CellBadge cell={row.cell} />
      </>
    );
    return { username: nameCell };
  }, [path]);
  const chosen = id === undefined ? undefined : rows?.find((row) => row.id === id)?.username;
  const isSearched = state['search'] !== undefined;
  const phone = useIsPhone();
  const verdicts = <AuditVerdicts audits={answer?.audits} />;
  const meaning = <p className={classes.meaning}>{liabilityTexts.meaning}</p>;

  return (
    <ListPage
      view={view}
      title={liabilityTexts.liability}
      of={chosen}
      rowsName="networks"
      rowKey={(row) => row.id}
      rowLabel={(row) => row.username}
      rowHref={(row) => withSearch(path, { id: row.id })}
      cells={cells}
      back={
        id !== undefined && (
          <HeadButton
            name={liabilityTexts.allNetworks}
            icon={IconArrowLeft}
            variant="default"
            onClick={() => go.back(path)}
          />
        )
      }
      empty={{ title: liabilityTexts.noNetworksYet, text: liabilityTexts.eachAdminsNetworkIs }}
      // On a phone the figures come first.
      below={
        phone &&
        view.error === null && (
          <div className={classes.below}>
            {verdicts}
            {meaning}
          </div>
        )
      }
    >
      {view.error === null && (
        <>
          {!phone && verdicts}
          <Figures
            figures={liabilityTexts.figures.map(([figure, name]) => ({ name, value: answer?.totals[figure] }))}
          />
          <LiabilityStack totals={answer?.totals} />
          {!phone && meaning}
          <LiabilityHistory id={id} now={isSearched ? undefined : answer?.totals} />
        </>
      )}
    </ListPage>
  );
}

/** Negative game balances are left of the bar. */
function LiabilityStack({ totals }: { totals: Readonly<Record<LiabilityFigure, number>> | undefined }) {
  const parts =
    totals &&
    stackOf(
      liabilityTexts.figures
        .filter(([figure]) => figure !== 'inAll')
        .map(([figure, name]) => ({ figure, name, value: Number(hundredthsIn(totals[figure])) })),
    );
  if (parts?.length === 0) return null;
  return (
    <figure className={classes.stack}>
      <div className={classes.bar} aria-hidden>
        {parts?.map(({ figure, share, isBelow }) => (
          <span key={figure} data-part={figure} data-below={isBelow || undefined} style={{ flexGrow: share }} />
        ))}
      </div>
      <figcaption>
        <ul className={classes.legend}>
          {parts?.map(({ figure, name, share, isBelow }) => (
            <li key={figure}>
              <span className={classes.swatch} data-part={figure} data-below={isBelow || undefined} aria-hidden />
              {name} {isBelow ? liabilityTexts.below : formatShare(share)}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}

/** A witness may lapse at any time. */
const POLL_EVERY_MS = 30_000;

interface AuditVerdictsProps {
  audits: { whole: AuditVerdict | null; daily: AuditVerdict | null } | undefined;
}

function AuditVerdicts({ audits }: AuditVerdictsProps) {
  if (!audits) return <div className={classes.verdicts} aria-hidden />;
  return (
    <ul className={classes.verdicts} aria-label={liabilityTexts.audits}>
      <SealsLine />
      <Line verdict={audits.whole} what={liabilityTexts.fullAudit} never={liabilityTexts.fullAuditHasNot} />
      <Line
        verdict={audits.daily}
        what={liabilityTexts.dailyBalanceCheck}
        never={liabilityTexts.dailyBalanceCheckHas}
      />
    </ul>
  );
}

function SealsLine() {
  const { data } = useQuery({
    ...callQuery(['notices', 'seals'], fairSeals, {}, { background: true }),
    refetchInterval: POLL_EVERY_MS,
  });
  if (!data) return <li className={classes.awaited} aria-hidden />;
  const { tone, grade, sentence } = sealGradeTexts(data.seals, formatDateTime);
  return (
    <li>
      <StatusBadge tone={tone}>{grade}</StatusBadge>{' '}
      <span>
        {sentence} <a href={`${fairPath()}#seals`}>{liabilityTexts.howSealsWork}</a>
      </span>
    </li>
  );
}

function Line({ verdict, what, never }: { verdict: AuditVerdict | null; what: string; never: string }) {
  if (!verdict) {
    return (
      <li>
        <StatusBadge tone="neutral">{liabilityTexts.notChecked}</StatusBadge> <span>{never}</span>
      </li>
    );
  }
  const { at, checks, problems, finding } = verdict;
  const description = liabilityTexts.madeChecks(what, formatDateTime(at), formatCount(checks));
  if (problems === 0) {
    return (
      <li>
        <StatusBadge tone="good">{liabilityTexts.clean}</StatusBadge>{' '}
        <span>{liabilityTexts.andFoundNothingWrong(description)}</span>
      </li>
    );
  }
  return (
    <li>
      <StatusBadge tone="bad">{liabilityTexts.problems}</StatusBadge>{' '}
      <span>
        {richText(liabilityTexts.andFound, {
          description,
          problems: problems === 1 ? 'a problem' : liabilityTexts.problemCount(formatCount(problems)),
          detail: finding === null ? liabilityTexts.yourSuperadminCanSee : liabilityTexts.first(withTimes(finding)),
        })}
      </span>
    </li>
  );
}

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

function LiabilityHistory({ id, now }: LiabilityHistoryProps) {
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
