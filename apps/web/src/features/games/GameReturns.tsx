import type { Game } from '@drawhouse/contract/games/games';
import { Alert, Table } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { formatReturn } from '../../lib/percentageFormat.ts';
import { formatOneIn } from './returnFormat.ts';
import classes from './GameReturns.module.css';

/** The theory of a kind of bet, with its name for people. */
export interface ReturnRow extends Pick<
  Game['returns'][number],
  'bet' | 'pay' | 'probability' | 'return' | 'above100'
> {
  readonly label: string;
}

/** The returns of a game as the server answers it. */
export function returnsOf({ returns, pays }: Pick<Game, 'returns' | 'pays'>): ReturnRow[] {
  return returns.map((row) => ({ ...row, label: pays.find(({ head }) => head === row.bet)?.label ?? row.bet }));
}

/** What each bet of a game pays back in theory, before the booster; bets above 100 % stand out, and a sentence says what that means. `of` names the game where there are several. */
export function GameReturns({ rows, of }: { rows: readonly ReturnRow[]; of?: string }) {
  return (
    <>
      <AboveWarning rows={rows} />
      <Table
        className={classes.table}
        verticalSpacing={4}
        horizontalSpacing={8}
        aria-label={of === undefined ? 'Theoretical returns' : `Theoretical returns of ${of}`}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Bet</Table.Th>
            <Table.Th ta="right">Pays</Table.Th>
            <Table.Th ta="right">Chance</Table.Th>
            <Table.Th ta="right">Return</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.bet} data-above={row.above100}>
              <Table.Td>{row.label}</Table.Td>
              <Table.Td ta="right">{row.pay}</Table.Td>
              <Table.Td ta="right">{formatOneIn(row.probability)}</Table.Td>
              <Table.Td ta="right">
                {row.above100 && <IconAlertTriangle className={classes.mark} size={14} aria-label="Above 100 %" />}
                {formatReturn(row.return)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

/** Says which bets pay out more than is laid on them; nothing where none does. */
function AboveWarning({ rows }: { rows: readonly ReturnRow[] }) {
  const above = rows.filter((row) => row.above100);
  if (above.length === 0) return null;
  const names = above.map((row) => `${row.label} ${formatReturn(row.return)}`).join(', ');
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
      {`${above.length === 1 ? 'One bet pays' : `${above.length} bets pay`} out more than is laid on ${above.length === 1 ? 'it' : 'them'}: ${names}. In the long run the players win and the house loses.`}
    </Alert>
  );
}
