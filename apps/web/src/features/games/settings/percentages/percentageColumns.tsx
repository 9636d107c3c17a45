import { drawName } from '@drawhouse/rules/time/draw-name';
import type { Percentage } from '@drawhouse/contract/games/percentages';
import { returnMark } from '@drawhouse/rules/games/game-rules';
import { formatCount, formatDateTime } from '../../../../lib/format/format.ts';
import type { DataColumn } from '../../../../ui/table/columns/dataColumn.ts';
import { StatusBadge } from '../../../../ui/mark/StatusBadge.tsx';
import { CellInput, useCells } from '../EditableTable.tsx';
import { OddsChart } from '../../catalog/OddsChart.tsx';
import classes from './percentageCells.module.css';
import { formatMean, formatReturn, RETURN_MARKS } from '../../../../lib/format/returns.ts';
import { oddsOf, standing, type Odds } from './percentageRows.ts';
import { cellName } from '../rowForm.ts';
import { gameTexts } from '../../gameTexts.ts';

interface HoldsFrom {
  readonly number: number;
  readonly opensAt: string;
}

const NUMBERS = { align: 'right', sortable: true } as const;

/** `saved` maps rows to the first draw with their last saved value. */
export function percentageColumns(saved: ReadonlyMap<string, HoldsFrom | null>): readonly DataColumn<Percentage>[] {
  return [...GAME_COLUMNS, percentageColumn(saved), ...FOLLOWING, actualColumn(0), actualColumn(1)];
}

const GAME_COLUMNS: readonly DataColumn<Percentage>[] = [
  {
    id: 'game',
    header: 'Game',
    phoneOnly: true,
    cell: (row) => (
      <span className={classes.game}>
        {row.gameName}
        <small>{row.username}</small>
      </span>
    ),
  },
  {
    id: 'username',
    header: 'ID',
    accessor: (row) => row.username,
    width: 130,
    sortable: true,
    cell: (row) => <span title={row.username}>{row.username}</span>,
  },
  { id: 'gameName', header: 'Game', accessor: (row) => row.gameName, width: 150, sortable: true, yields: -1 },
];

function percentageColumn(saved: ReadonlyMap<string, HoldsFrom | null>): DataColumn<Percentage> {
  return {
    id: 'winpercentage',
    header: 'Percentage',
    accessor: (row) => row.winpercentage,
    width: 136,
    priority: true,
    sortable: true,
    cell: (row) => (
      <CellInput
        rowId={row.id}
        field="winpercentage"
        label={gameTexts.percentage(row.gameName, row.username)}
        unit="%"
        placeholder={gameTexts.notSet}
        hint={heldText(saved.get(row.id))}
      />
    ),
  };
}

const FOLLOWING: readonly DataColumn<Percentage>[] = [
  {
    id: 'baseReturn',
    header: gameTexts.baseReturn,
    accessor: (row) => row.baseReturn,
    width: 104,
    ...NUMBERS,
    cell: (row) => <BaseReturn value={row.baseReturn} />,
  },
  {
    id: 'boosterMean',
    header: gameTexts.boosterMean,
    accessor: (row) => row.boosterMean,
    width: 112,
    yields: 1,
    align: 'right',
    cell: (row) => <Live row={row} show={(odds) => formatMean(odds.boosterMean)} />,
  },
  {
    id: 'willReturn',
    header: gameTexts.willReturn,
    accessor: (row) => row.willReturn,
    width: 100,
    align: 'right',
    cell: (row) => <Live row={row} show={(odds) => <strong>{formatReturn(odds.willReturn)}</strong>} />,
  },
  {
    id: 'odds',
    header: gameTexts.boosterOdds,
    width: 124,
    cell: (row) => <Live row={row} show={({ weights }) => <OddsChart weights={weights} />} />,
  },
];

function actualColumn(index: 0 | 1): DataColumn<Percentage> {
  return {
    id: `actual ${index}`,
    header: index === 0 ? 'Last 7 days' : 'Last 30 days',
    accessor: (row) => row.actual[index]?.return ?? null,
    width: 176,
    sortable: true,
    yields: index === 0 ? 2 : 0,
    cell: (row) => <Actual actual={row.actual[index]} />,
  };
}

function heldText(from: HoldsFrom | null | undefined): string | undefined {
  return from ? gameTexts.fromDraw(drawName(from.number), formatDateTime(from.opensAt)) : undefined;
}

function Live({ row, show }: { row: Percentage; show: (odds: Odds) => React.ReactNode }) {
  const { values, getInitialValues } = useCells();
  const name = cellName(row.id, 'winpercentage');
  const text = values[name] ?? '';
  return show(text === getInitialValues()[name] ? row : oddsOf(text, row));
}

function BaseReturn({ value }: { value: number }) {
  const mark = returnMark(value);
  if (mark === null) return formatReturn(value);
  return (
    <span className={classes.marked} data-mark={mark} title={RETURN_MARKS[mark].meaning}>
      {formatReturn(value)}
      <small>{RETURN_MARKS[mark].name}</small>
    </span>
  );
}

function Actual({ actual }: { actual: Percentage['actual'][number] | undefined }) {
  if (!actual || actual.return === null || actual.low === null || actual.high === null)
    return <span className={classes.none}>{gameTexts.noDrawsWithBets}</span>;
  const where = standing(actual);
  const draws = `${formatCount(actual.draws)} ${actual.draws === 1 ? 'draw' : 'draws'}`;
  return (
    <span className={classes.actual}>
      <span>
        {formatReturn(actual.return)}
        {where !== 'within' && (
          <StatusBadge tone="warn">{where === 'above' ? gameTexts.aboveItsBand : gameTexts.belowItsBand}</StatusBadge>
        )}
      </span>
      <small>{`99 % in ${formatReturn(actual.low)} – ${formatReturn(actual.high)}, ${draws}`}</small>
    </span>
  );
}
