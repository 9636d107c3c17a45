import { adminCommission, type AdminCommissionRow } from '@drawhouse/contract/reports/commission';
import { Skeleton, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callQuery, errorMessage } from '../../../lib/server/api.ts';
import { formatCalendarDay, addPoints } from '../../../lib/format/format.ts';
import { instantsOf, type DayRange } from '../../../lib/format/periods.ts';
import { FailureText } from '../../../lib/RequestId.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { Figures } from '../../../ui/mark/Figures.tsx';
import { RangeForm } from '../../../ui/filter/RangeForm.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import { commissionTexts } from './commissionTexts.ts';
import classes from './commission.module.css';

export interface SummaryTarget {
  readonly range: DayRange;
  readonly id: string | undefined;
  readonly game?: AdminCommissionRow;
}

interface GameSummaryDialogProps {
  target: SummaryTarget;
  opened: boolean;
  onClose: () => void;
}

export function GameSummaryDialog({ target, opened, onClose }: GameSummaryDialogProps) {
  const { game } = target;
  const [range, setRange] = useState(target.range);
  // Escape closes a calendar before its dialog.
  const [calendar, setCalendar] = useState(false);
  const query = {
    ...instantsOf(range),
    ...(game ? { id: game.adminId } : target.id !== undefined && { id: target.id }),
  };
  const { data, error, isFetching } = useQuery({
    ...callQuery(['reports', 'admincommission', 'games', query], adminCommission.route, { query }),
    placeholderData: keepPreviousData,
  });
  const rows = data?.data.filter((row) => !game || row.gameId === game.gameId);
  const { games, totals } = summaryByGame(rows ?? []);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      closeOnEscape={!calendar}
      title={game ? commissionTexts.gameSummaryOf(`${game.gameName}, ${game.username}`) : commissionTexts.gameSummary}
      size="lg"
    >
      <RangeForm
        focused={false}
        range={range}
        onCalendar={(_end, isOpen) => setCalendar(isOpen)}
        onRange={setRange}
        onClose={onClose}
      />
      <Text mt="md" fw={600} aria-live="polite">
        {range.from === range.to
          ? formatCalendarDay(range.from)
          : `${formatCalendarDay(range.from)} – ${formatCalendarDay(range.to)}`}
      </Text>
      {error ? (
        <Text role="alert" c="var(--dh-loss)" mt="sm">
          <FailureText message={errorMessage(error)} />
        </Text>
      ) : (
        <Figures
          figures={[
            { name: commissionTexts.summary.totalCommissionPoint, value: rows && totals.commissionAmount },
            { name: commissionTexts.summary.totalBetPoint, value: rows && totals.totalPoints },
            { name: commissionTexts.summary.totalWonPoint, value: rows && totals.totalWinPoints },
          ]}
        />
      )}
      {rows === undefined && !error && <Skeleton height={72} mt="sm" />}
      {rows?.length === 0 && <Text mt="sm">{commissionTexts.noGames}</Text>}
      {!game && games.length > 0 && <GameTable games={games} isFetching={isFetching} />}
    </Dialog>
  );
}

interface GameTableProps {
  games: readonly GameSums[];
  isFetching: boolean;
}

function GameTable({ games, isFetching }: GameTableProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section className={classes.scroll} aria-label={commissionTexts.gameSummary} aria-busy={isFetching} tabIndex={0}>
      <Table className={classes.table} verticalSpacing={4} horizontalSpacing={8} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{commissionTexts.columns.gameName}</Table.Th>
            <Table.Th ta="right">{commissionTexts.columns.commissionAmount}</Table.Th>
            <Table.Th ta="right">{commissionTexts.columns.totalPoints}</Table.Th>
            <Table.Th ta="right">{commissionTexts.columns.totalWinPoints}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {games.map((each) => (
            <Table.Tr key={each.gameId}>
              <Table.Td>{each.gameName}</Table.Td>
              <Table.Td ta="right">
                <Points value={each.commissionAmount} />
              </Table.Td>
              <Table.Td ta="right">
                <Points value={each.totalPoints} />
              </Table.Td>
              <Table.Td ta="right">
                <Points value={each.totalWinPoints} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

const SUMS = ['commissionAmount', 'totalPoints', 'totalWinPoints'] as const;

type Sums = Pick<AdminCommissionRow, (typeof SUMS)[number]>;
type GameSums = Sums & Pick<AdminCommissionRow, 'gameId' | 'gameName'>;

const NOTHING: Sums = { commissionAmount: 0, totalPoints: 0, totalWinPoints: 0 };

function added<S extends Sums>(sums: S, row: Sums): S {
  return { ...sums, ...Object.fromEntries(SUMS.map((name) => [name, addPoints(sums[name], row[name])])) };
}

function summaryByGame(rows: readonly AdminCommissionRow[]): { games: readonly GameSums[]; totals: Sums } {
  const games = new Map<string, GameSums>();
  for (const row of rows) {
    const { gameId, gameName } = row;
    games.set(gameId, added(games.get(gameId) ?? { gameId, gameName, ...NOTHING }, row));
  }
  return {
    games: [...games.values()].sort((a, b) => b.totalPoints - a.totalPoints),
    totals: rows.reduce((sums, row) => added(sums, row), NOTHING),
  };
}
