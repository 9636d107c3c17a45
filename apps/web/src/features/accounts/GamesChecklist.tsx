import { listGames } from '@drawhouse/contract/games';
import { Checkbox, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call, errorMessage } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { messages } from '../../messages.ts';
import classes from './GamesChecklist.module.css';

interface GamesChecklistProps {
  value: string[];
  onChange: (ids: string[]) => void;
  error?: ReactNode;
}

/** The games that an admin gets, from the catalogue. */
export function GamesChecklist({ value, onChange, error }: GamesChecklistProps) {
  const query = useQuery({
    queryKey: [queryKeys.games, 'catalogue'],
    queryFn: ({ signal }) => call(listGames, {}, { signal }),
  });
  const games = query.data?.data ?? [];
  return (
    <Checkbox.Group label={messages.accounts.fields.games} value={value} onChange={onChange} error={error}>
      <div className={classes.list}>
        <Stack gap={8}>
          {query.isPending && <Skeleton height={80} />}
          {query.error && <Text role="alert">{errorMessage(query.error)}</Text>}
          {query.data && games.length === 0 && <Text c="dimmed">The catalogue has no games yet.</Text>}
          {games.map((game) => (
            <Checkbox key={game._id} value={game._id} label={game.gameName} />
          ))}
        </Stack>
      </div>
    </Checkbox.Group>
  );
}
