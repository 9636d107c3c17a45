import type { dashboard, PartOfDay } from '@drawhouse/contract/reports/dashboard';
import type { Role } from '@drawhouse/contract/core/primitives';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { lazyExtra } from '../../../lib/lazyParts.ts';
import { pagePath, withSearch } from '../../../lib/paths.ts';
import { dayOf, DATE_RANGE, TODAY } from '../../../lib/format/periods.ts';
import { ServerDaysNote } from '../../../ui/page/Notes.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import type { Figure } from './TodayChart.tsx';
import classes from './TodayFigures.module.css';
import { dashboardTexts } from './dashboardTexts.ts';

type Now = RouteAnswer<typeof dashboard>;

const TodayChart = lazyExtra(async () => (await import('./TodayChart.tsx')).TodayChart);

const FIGURES: Readonly<Record<Figure, { name: string; whose: string }>> = {
  playPoints: { name: 'Play', whose: dashboardTexts.stakedByPlayersBelow },
  winPoints: { name: 'Win', whose: dashboardTexts.wonByPlayersBelow },
  net: { name: 'Net', whose: dashboardTexts.keptByHouseAfter },
  earned: { name: dashboardTexts.yourCommission, whose: dashboardTexts.earnedByYou },
};
const EARLIER = [
  { day: 'yesterday', label: dashboardTexts.thisTimeYesterday },
  { day: 'lastWeek', label: dashboardTexts.thisTimeLastWeek },
] as const;
const SHARE = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' });
const MOST_SHARE = 9.99;
const EARNERS: readonly Role[] = ['superdistributor', 'distributor', 'retailer'];

export function TodayFigures({ role, now }: { role: Role; now: Now | undefined }) {
  const report = pagePath(role, 'turnoverreport');
  const figures: Figure[] = [
    'playPoints',
    'winPoints',
    'net',
    ...(EARNERS.includes(role) ? (['earned'] as const) : []),
  ];
  return (
    <section className={classes.today} aria-labelledby="dashboard-today">
      <h2 id="dashboard-today" className={classes.title}>
        <PathLink href={withSearch(report, { period: TODAY })}>{dashboardTexts.todaySoFar}</PathLink>
      </h2>
      <ServerDaysNote />
      <div className={classes.chart}>
        <Suspense fallback={<div aria-busy />}>
          {now && (
            <TodayChart now={now} names={Object.fromEntries(figures.map((figure) => [figure, FIGURES[figure].name]))} />
          )}
        </Suspense>
      </div>
      <ul className={classes.figures} data-count={figures.length}>
        {figures.map((figure) => (
          <li key={figure} className={classes.figure}>
            <h3 className={classes.name}>{FIGURES[figure].name}</h3>
            <div className={classes.value}>
              {now ? <Points value={now.today[figure]} inline /> : <Skeleton height={24} width={120} />}
            </div>
            <p className={classes.whose}>{FIGURES[figure].whose}</p>
            <dl className={classes.before}>
              {EARLIER.map(({ day, label }) => (
                <Before key={day} label={label} figure={figure} now={now} part={now?.[day]} report={report} />
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface BeforeProps {
  label: string;
  figure: Figure;
  now: Now | undefined;
  part: PartOfDay | undefined;
  report: string;
}

function Before({ label, figure, now, part, report }: BeforeProps) {
  if (!now || !part) {
    return (
      <>
        <dt>{label}</dt>
        <dd>
          <Skeleton height={12} width={88} ml="auto" />
        </dd>
      </>
    );
  }
  const day = dayOf(new Date(part.startDate));
  return (
    <>
      <dt>
        <PathLink href={withSearch(report, { period: DATE_RANGE, startDate: day, endDate: day })}>{label}</PathLink>
      </dt>
      <dd>
        <Points value={part[figure]} inline /> <Change from={part[figure]} to={now.today[figure]} />
      </dd>
    </>
  );
}

function Change({ from, to }: { from: number; to: number }) {
  if (from <= 0 || to < 0) return null;
  const share = Math.min((to - from) / from, MOST_SHARE);
  return <span className={classes.change}>{SHARE.format(share).replace('-', '−')}</span>;
}
