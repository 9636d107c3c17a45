import { loadGames, loadUsers } from '@drawhouse/contract/reports/bet-list';
import { Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callQuery } from '../../../lib/server/api.ts';
import type { ListView } from '../../../lib/list/useList.ts';
import { minuteCursor, minuteIn, minuteOf, readMinute } from '../../../lib/list/minuteCursor.ts';
import { ownTimeZone } from '../../../lib/format/format.ts';
import { betListTexts, betPageTexts } from '../reportTexts.ts';
import classes from './betList.module.css';

const SETTLE_MS = 250;
const SHOWN = '50';

interface BetListFiltersProps {
  view: Pick<ListView<never>, 'state' | 'change' | 'period'>;
  username: string | undefined;
}

/** There may be 100,000 players, so the server searches. */
export function BetListFilters({ view, username }: BetListFiltersProps) {
  const { state, change } = view;
  const games = useQuery(callQuery(['games', 'history'], loadGames, { query: {} }));
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
      <TimeField view={view} />
    </>
  );
}

/** Uses the last day of the period: complaints name a time. */
function TimeField({ view: { state, change, period } }: { view: BetListFiltersProps['view'] }) {
  const { before = '' } = state;
  const shown = minuteOf(before, ownTimeZone()) ?? '';
  const [typed, setTyped] = useState({ text: shown, before });
  const [isWrong, setIsWrong] = useState(false);
  // Another page of the list ends the minute.
  const text = typed.before === before ? typed.text : shown;
  function show() {
    const minute = readMinute(text);
    setIsWrong(minute === null && text.trim() !== '');
    if (minute !== null && minute !== shown)
      change({ before: minuteCursor(minuteIn(period.range.to, minute, ownTimeZone())), sort: undefined });
    else if (text.trim() === '' && shown !== '') change({});
  }
  return (
    <TextInput
      aria-label={betPageTexts.untilTime}
      placeholder={betPageTexts.timeExample}
      size="sm"
      w={170}
      className={classes.minute}
      value={text}
      error={isWrong && betPageTexts.wrongTime}
      onChange={(event) => setTyped({ text: event.currentTarget.value, before })}
      onBlur={show}
      onKeyDown={(event) => event.key === 'Enter' && show()}
    />
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
    ...callQuery(['accounts', 'history', settled], loadUsers, { query: { search: settled, pageSize: SHOWN } }),
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
