import { gameList } from '@drawhouse/contract/games/game-catalogue';
import type { Game } from '@drawhouse/contract/games/games';
import { Alert, Button, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  formatOneIn,
  formatReturn,
  gamesPaidTooHigh,
  RETURN_MARKS,
  returnSentence,
} from '../../../lib/format/returns.ts';
import classes from './GameReturns.module.css';
import { gameTexts } from '../gameTexts.ts';
import { callQuery } from '../../../lib/server/api.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';

export interface ReturnRow extends Pick<Game['returns'][number], 'bet' | 'pay' | 'probability' | 'return' | 'mark'> {
  readonly label: string;
}

export function returnsOf({ returns, pays }: Pick<Game, 'returns' | 'pays'>): ReturnRow[] {
  return returns.map((row) => ({ ...row, label: pays.find(({ head }) => head === row.bet)?.label ?? row.bet }));
}

/** Shows returns before the booster. `of` names the game among several. */
export function GameReturns({ rows, of }: { rows: readonly ReturnRow[]; of?: string }) {
  const most = Math.max(1, ...rows.map((row) => row.return));
  return (
    <>
      <Marked rows={rows} mark="above" />
      <Marked rows={rows} mark="below" />
      <Table
        className={classes.table}
        verticalSpacing={4}
        horizontalSpacing={8}
        aria-label={of === undefined ? gameTexts.theoreticalReturns : gameTexts.theoreticalReturnsOf(of)}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{gameTexts.bet}</Table.Th>
            <Table.Th ta="right">{gameTexts.pays}</Table.Th>
            <Table.Th ta="right">{gameTexts.chance}</Table.Th>
            <Table.Th ta="right">{gameTexts.returnLabel}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.bet} data-mark={row.mark}>
              <Table.Td>{row.label}</Table.Td>
              <Table.Td ta="right">{row.pay}</Table.Td>
              <Table.Td ta="right">{formatOneIn(row.probability)}</Table.Td>
              <Table.Td ta="right">
                {row.mark && (
                  <IconAlertTriangle className={classes.mark} size={14} aria-label={RETURN_MARKS[row.mark].name} />
                )}
                {formatReturn(row.return)}
                <ReturnBar value={row.return} most={most} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed" mt={4}>
        {returnSentence({ returns: rows })}
      </Text>
    </>
  );
}

function ReturnBar({ value, most }: { value: number; most: number }) {
  return (
    <span className={classes.bar} aria-hidden>
      <span style={{ inlineSize: `${(value / most) * 100}%` }} />
      <i style={{ insetInlineStart: `calc(${(1 / most) * 100}% - 2px)` }} />
    </span>
  );
}

function Marked({ rows, mark }: { rows: readonly ReturnRow[]; mark: 'above' | 'below' }) {
  const marked = rows.filter((row) => row.mark === mark);
  if (marked.length === 0) return null;
  const names = marked.map((row) => `${row.label} ${formatReturn(row.return)}`).join(', ');
  return (
    <Alert
      color={mark === 'above' ? 'red' : 'yellow'}
      variant="light"
      icon={<IconAlertTriangle size={18} aria-hidden />}
    >
      {mark === 'above'
        ? gameTexts.paysOut(marked.length, names)
        : gameTexts.givesLittle(marked.length, RETURN_MARKS.below.name, names)}
    </Alert>
  );
}

/** Games on the tables shown, without test networks. */
export function GamesReturns({ used }: { used: ReadonlySet<string> }) {
  const [opened, setOpened] = useState(false);
  const { data } = useQuery(callQuery(['games', 'catalogue'], gameList.route, {}));
  if (!data || data.data.length === 0) return null;
  const withMark = (mark: keyof typeof RETURN_MARKS) =>
    data.data.filter(({ returns }) => returns.some((row) => row.mark === mark));
  const tooHigh = gamesPaidTooHigh(data.data, used);
  const games = [...new Set([...tooHigh, ...withMark('above'), ...withMark('below'), ...data.data])];
  return (
    <>
      <Button
        variant={tooHigh.length > 0 ? 'light' : 'default'}
        {...(tooHigh.length > 0 && { color: 'red', leftSection: <IconAlertTriangle size={16} aria-hidden /> })}
        onClick={() => setOpened(true)}
      >
        {tooHigh.length > 0 ? `Returns: ${tooHigh.length} ${RETURN_MARKS.above.name}` : gameTexts.returns}
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title={gameTexts.gameReturns} centered={false}>
        <Text c="dimmed" mb="md">
          {gameTexts.theoreticalReturnEachBet}
        </Text>
        <Stack gap="lg">
          {games.map((game) => (
            <section key={game._id}>
              <h3 className={classes.game}>{game.gameName}</h3>
              <GameReturns rows={returnsOf(game)} of={game.gameName} />
            </section>
          ))}
        </Stack>
      </Dialog>
    </>
  );
}
