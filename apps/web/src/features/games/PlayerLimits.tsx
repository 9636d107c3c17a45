import { playerGames } from '@drawhouse/contract/games/games';
import type { Limits } from '@drawhouse/contract/games/game-pair';
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { call, errorMessage } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { limitTexts } from './limitTexts.ts';
import classes from './PlayerLimits.module.css';

/** The most that a player may stake, game by game, in plain words; asked for when they are looked at. */
export function PlayerLimits() {
  const [opened, setOpened] = useState(false);
  const id = useId();
  return (
    <div className={classes.holder}>
      <Button
        size="lg"
        variant="default"
        fullWidth
        aria-expanded={opened}
        aria-controls={id}
        onClick={() => setOpened((now) => !now)}
      >
        Limits
      </Button>
      <div id={id}>{opened && <Games />}</div>
    </div>
  );
}

function Games() {
  const { data, error, refetch } = useQuery({
    queryKey: [queryKeys.games, 'player'],
    queryFn: ({ signal }) => call(playerGames, {}, { signal }),
  });
  if (error && !data) return <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={48} mt="md" aria-label="Loading the limits" />;
  if (data.data.length === 0) return <p className={classes.none}>No games available</p>;
  return (
    <dl className={classes.games}>
      {data.data.map(({ _id, gameName, limits }) => (
        <div key={_id}>
          <dt>{gameName}</dt>
          <GameLimits limits={limits} />
        </div>
      ))}
    </dl>
  );
}

function GameLimits({ limits }: { limits: Limits }) {
  const sentences = limitTexts.sentences(limits);
  return sentences.length === 0 ? (
    <dd className={classes.none}>{limitTexts.none}</dd>
  ) : (
    sentences.map((sentence) => <dd key={sentence}>{sentence}</dd>)
  );
}
