import { loadGames, loadUsers } from '@drawhouse/contract/reports/bet-list';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/server/api.ts';
import { queryKeys } from '../../../lib/server/queryKeys.ts';
import type { ListView } from '../../../lib/list/useList.ts';
import { betListTexts } from '../reportTexts.ts';
import { betPageTexts } from './betPageTexts.ts';

const SETTLE_MS = 250;
const SHOWN = '50';

interface BetListFiltersProps {
  view: Pick<ListView<never>, 'state' | 'change'>;
  username: string | undefined;
}

/** Player search runs on the server, since there may be 100,000. */
export function BetListFilters({ view, username }: BetListFiltersProps) {
  const { state, change } = view;
  const games = useQuery({
    queryKey: [queryKeys.games, 'history'],
    queryFn: ({ signal }) => call(loadGames, { query: {} }, { signal }),
  });
  return (
    <>
      <Select
        aria-label={betPageTexts.game}
        placeholder={betListTexts.allGames}
        size="sm"
        w={170}
        data={games.data?.data.map(({ gameId, gameName }) => ({ value: gameId, label: gameName })) ?? []}
        value={state['gameId'] ?? null}
        onChange={(gameId) => change({ gameId: gameId ?? undefined })}
        searchable
        clearable
        nothingFoundMessage={games.data ? betPageTexts.noSuchGame : betPageTexts.loading}
        comboboxProps={{ transitionProps: { duration: 120 } }}
      />
      <PlayerSelect
        value={state['userId'] ?? null}
        name={username}
        onChange={(userId) => change({ userId: userId ?? undefined })}
      />
    </>
  );
}

function PlayerSelect({
  value,
  name,
  onChange,
}: {
  value: string | null;
  name: string | undefined;
  onChange: (id: string | null) => void;
}) {
  const [text, setText] = useState('');
  const [picked, setPicked] = useState<{ value: string; label: string } | null>(null);
  const chosen =
    value === null
      ? null
      : { value, label: picked?.value === value ? picked.label : (name ?? betPageTexts.thisAccount) };
  const typed = text === chosen?.label ? '' : text.trim();
  const [settled] = useDebouncedValue(typed, SETTLE_MS);
  const query = useQuery({
    queryKey: [queryKeys.accounts, 'history', settled],
    queryFn: ({ signal }) => call(loadUsers, { query: { search: settled, pageSize: SHOWN } }, { signal }),
    placeholderData: keepPreviousData,
  });
  const found = query.data?.data.map(({ _id, username }) => ({ value: _id, label: username })) ?? [];
  const choices = chosen && !found.some((each) => each.value === chosen.value) ? [chosen, ...found] : found;
  return (
    <Select
      aria-label={betPageTexts.user}
      placeholder={betListTexts.allPlayers}
      size="sm"
      w={170}
      data={choices}
      value={value}
      onChange={(id) => {
        setPicked(choices.find((each) => each.value === id) ?? null);
        onChange(id);
      }}
      searchable
      clearable
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage={query.isFetching ? betPageTexts.searching : betPageTexts.noSuchPlayer}
      comboboxProps={{ transitionProps: { duration: 120 } }}
    />
  );
}
