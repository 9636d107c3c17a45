import { gameList } from '@drawhouse/contract/games/game-catalogue';
import { Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callQuery } from '../../../lib/server/api.ts';
import { gamesPaidTooHigh, RETURN_MARKS } from '../../../lib/format/returns.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { GameReturns, returnsOf } from './GameReturns.tsx';
import classes from './GameReturns.module.css';
import { gameTexts } from '../gameTexts.ts';

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
