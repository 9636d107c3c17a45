import type { RouteAnswer } from '@drawhouse/contract/route';
import type { turnover } from '@drawhouse/contract/reports';
import { Skeleton } from '@mantine/core';
import { Points } from '../../ui/Points.tsx';
import { REPORT } from './reportMessages.ts';
import classes from './TurnoverPage.module.css';

type Summary = RouteAnswer<typeof turnover>['summary'];

const FIGURES = ['totalPlayPoints', 'totalWinPoints', 'endPoint', 'totalCommission', 'net'] as const;

/** The five figures over the table; bars in their shape until they are known. */
export function TurnoverSummary({ summary }: { summary: Summary | undefined }) {
  return (
    <dl className={classes.summary}>
      {FIGURES.map((figure) => (
        <div key={figure} className={classes.figure}>
          <dt>{REPORT.summary[figure]}</dt>
          <dd>{summary ? <Points value={summary[figure]} inline /> : <Skeleton height={20} width={96} />}</dd>
        </div>
      ))}
    </dl>
  );
}
