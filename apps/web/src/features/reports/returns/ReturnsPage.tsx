import { returnsReport, STANDINGS, type ReturnsRow } from '@drawhouse/contract/reports/returns';
import { returnMark } from '@drawhouse/rules/games/game-rules';
import { VisuallyHidden } from '@mantine/core';
import { formatPoints } from '../../../lib/format/format.ts';
import { BAND, bandPlace } from '../../../lib/format/proportions.ts';
import { formatReturn, RETURN_MARKS } from '../../../lib/format/returns.ts';
import { LAST_6_MONTHS } from '../../../lib/format/periods.ts';
import { useList } from '../../../lib/list/useList.ts';
import type { DataColumn } from '../../../ui/table/columns/dataColumn.ts';
import type { Cells } from '../../../ui/table/columns/listColumns.tsx';
import { ListPage } from '../../../ui/page/ListPage.tsx';
import { PeriodBar } from '../../../ui/filter/PeriodBar.tsx';
import { ObjectLink } from '../../../ui/mark/ObjectLink.tsx';
import { NameBelow } from '../../../ui/mark/StackedText.tsx';
import { StatusBadge } from '../../../ui/mark/StatusBadge.tsx';
import classes from './ReturnsPage.module.css';
import { returnsTexts } from '../reportTexts.ts';

export function ReturnsPage() {
  const view = useList(returnsReport, {
    name: 'returns',
    queryKey: ['reports', 'returns'],
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
    row.actual === null ? <span className={classes.none}>{STANDINGS.none}</span> : <ReturnBand row={row} />,
};

const WIDTH = 152;
const HEIGHT = 16;

/** The tick marks the expected return. */
function ReturnBand({ row }: { row: ReturnsRow }) {
  const { actual, expected, low, high, standing } = row;
  if (actual === null || low === null || high === null) return null;
  const at = (value: number) => bandPlace(value, low, high) * WIDTH;
  const isOutside = standing !== 'within';
  return (
    <span className={classes.actual} title={returnsTexts.band(formatReturn(low), formatReturn(high))}>
      <span className={classes.value}>
        {isOutside && (
          <StatusBadge tone="warn">
            {returnsTexts.short[standing]}
            <VisuallyHidden>{returnsTexts.itsBand}</VisuallyHidden>
          </StatusBadge>
        )}
        <span>{formatReturn(actual)}</span>
      </span>
      <svg className={classes.drawn} width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden>
        <path className={classes.line} d={`M0 8H${WIDTH}`} />
        <rect
          className={classes.band}
          x={BAND.from * WIDTH}
          y={4}
          width={(BAND.to - BAND.from) * WIDTH}
          height={8}
          rx={2}
        />
        {expected !== null && <path className={classes.tick} d={`M${at(expected)} 2V14`} />}
        <circle className={classes.dot} data-outside={isOutside || undefined} cx={at(actual)} cy={8} r={5} />
      </svg>
    </span>
  );
}

const PHONE: readonly DataColumn<ReturnsRow>[] = [
  {
    id: 'game',
    header: 'Game',
    phoneOnly: true,
    cell: (row) => (
      <NameBelow name={row.username}>
        <ObjectLink about={{ kind: 'game', id: row.gameId, adminId: row.adminId, username: row.username }}>
          {row.gameName}
        </ObjectLink>
      </NameBelow>
    ),
  },
];
