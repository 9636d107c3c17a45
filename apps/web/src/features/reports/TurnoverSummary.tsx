import type { RouteAnswer } from '@drawhouse/contract/route';
import type { turnoverReport } from '@drawhouse/contract/reports';
import { Figures } from '../../ui/Figures.tsx';
import { REPORT } from './reportMessages.ts';

type Summary = RouteAnswer<(typeof turnoverReport)['route']>['summary'];

const FIGURES = ['totalPlayPoints', 'totalWinPoints', 'endPoint', 'totalCommission', 'net'] as const;

/** The five figures over the table; bars in their shape until they are known. */
export function TurnoverSummary({ summary }: { summary: Summary | undefined }) {
  return <Figures figures={FIGURES.map((figure) => ({ name: REPORT.summary[figure], value: summary?.[figure] }))} />;
}
