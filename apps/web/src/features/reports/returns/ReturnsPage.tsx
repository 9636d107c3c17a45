import { returnsReport, STANDINGS } from '@drawhouse/contract/reports/returns';
import type { ReturnsRow } from '@drawhouse/contract/reports/returns';
import { returnMark } from '@drawhouse/rules/games/game-rules';
import { VisuallyHidden } from '@mantine/core';
import { formatPoints } from '../../../lib/format/format.ts';
import { formatReturn, RETURN_MARKS } from '../../../lib/format/returns.ts';
import { LAST_6_MONTHS } from '../../../lib/format/periods.ts';
import { queryKeys } from '../../../lib/server/queryKeys.ts';
import { useList } from '../../../lib/list/useList.ts';
import type { DataColumn } from '../../../ui/table/dataColumn.ts';
import type { Cells } from '../../../ui/table/listColumns.tsx';
import { ListPage } from '../../../ui/page/ListPage.tsx';
import { PeriodBar } from '../../../ui/filter/PeriodBar.tsx';
import { NameBelow } from '../../../ui/mark/StackedText.tsx';
import { StatusBadge } from '../../../ui/mark/StatusBadge.tsx';
import classes from './ReturnsPage.module.css';

export function ReturnsPage() {
  const view = useList(returnsReport, {
    name: 'returns',
    queryKey: [queryKeys.reports, 'returns'],
    startPeriod: LAST_6_MONTHS,
  });
  const { answer } = view;
  return (
    <ListPage
      view={view}
      Periods={PeriodBar}
      title={returnsTexts.title}
      rowsName="games"
      rowKey={(row) => row.id}
      rowLabel={(row) => `${row.gameName} of ${row.username}`}
      cells={CELLS}
      phone={PHONE}
      empty={returnsTexts.empty}
    >
      <p className={classes.facts}>
        {answer && <strong>{returnsTexts.outside(answer.outside)} </strong>}
        {returnsTexts.counted}
      </p>
    </ListPage>
  );
}

const returnCell = (name: 'theoretical' | 'expected' | 'low' | 'high') => (row: ReturnsRow) =>
  row[name] === null ? null : formatReturn(row[name]);

const CELLS: Cells<ReturnsRow> = {
  theoretical: (row) => {
    const mark = returnMark(row.theoretical);
    return (
      <span className={classes.theoretical} title={mark ? RETURN_MARKS[mark].meaning : undefined}>
        {formatReturn(row.theoretical)}
        {mark && <small>{RETURN_MARKS[mark].name}</small>}
      </span>
    );
  },
  winpercentage: (row) =>
    row.winpercentage === null ? (
      <span className={classes.none}>{returnsTexts.notSet}</span>
    ) : (
      `${formatPoints(row.winpercentage)}\u{a0}%`
    ),
  expected: returnCell('expected'),
  low: returnCell('low'),
  high: returnCell('high'),
  actual: (row) =>
    row.actual === null ? (
      <span className={classes.none}>{STANDINGS.none}</span>
    ) : (
      <span className={classes.actual}>
        {row.standing !== 'within' && (
          <StatusBadge tone="warn">
            {returnsTexts.short[row.standing]}
            <VisuallyHidden> its band</VisuallyHidden>
          </StatusBadge>
        )}
        <span>{formatReturn(row.actual)}</span>
      </span>
    ),
};

const PHONE: readonly DataColumn<ReturnsRow>[] = [
  {
    id: 'game',
    header: 'Game',
    phoneOnly: true,
    cell: (row) => <NameBelow name={row.username}>{row.gameName}</NameBelow>,
  },
];

const returnsTexts = {
  title: 'Returns',
  outside: (count: number) =>
    count === 0
      ? 'All games are within their bands.'
      : `${count} ${count === 1 ? 'game is outside its band' : 'games are outside their bands'}.`,
  counted:
    'Only generated draws with bets count. By chance alone, 99 of 100 games stay within their band. Check any that don’t.',
  short: { above: 'Above', below: 'Below', none: '' },
  notSet: 'Not set',
  empty: {
    title: 'No games yet',
    text: 'Each admin’s games are listed here with their expected and actual returns.',
  },
} as const;
