import { Button, Checkbox, CheckboxGroup, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { errorMessage } from '../../../lib/server/api.ts';
import { formatCount } from '../../../lib/format/format.ts';
import { FailureText } from '../../../lib/RequestId.tsx';
import classes from '../accounts.module.css';
import { GAMES } from '../accountActions.ts';
import { chosenFirst } from './accountForm.ts';
import { accountFormTexts } from './accountFormTexts.ts';

interface GamesChecklistProps {
  value: string[];
  onChange: (ids: string[]) => void;
  error?: ReactNode;
}

export function GamesChecklist({ value, onChange, error }: GamesChecklistProps) {
  const [search, setSearch] = useState('');
  const query = useQuery(GAMES);
  // As chosen when the list appeared: a tick must not move its row.
  const [first, setFirst] = useState<ReadonlySet<string>>(new Set());
  if (first.size === 0 && value.length > 0) setFirst(new Set(value));
  const games = chosenFirst(query.data?.data ?? [], first);
  const text = search.trim().toLowerCase();
  const found = games.filter((game) => game.gameName.toLowerCase().includes(text));
  const ids = found.map((game) => game._id);
  const chosen = new Set(value);
  const allChosen = ids.every((id) => chosen.has(id));
  const noneChosen = !ids.some((id) => chosen.has(id));
  const which = text === '' || !query.data ? '' : accountFormTexts.found(formatCount(found.length));

  return (
    <CheckboxGroup label={accountFormTexts.fields.games} value={value} onChange={onChange} error={error}>
      <div className={classes.tools}>
        <TextInput
          type="search"
          size="xs"
          aria-label={accountFormTexts.searchGames}
          placeholder={accountFormTexts.searchGames}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Enter filters the list and must not submit the form.
            if (event.key === 'Enter') event.preventDefault();
          }}
        />
        <Button
          size="xs"
          variant="default"
          disabled={found.length === 0 || allChosen}
          onClick={() => onChange([...new Set([...value, ...ids])])}
        >
          {accountFormTexts.selectAll(which)}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={noneChosen}
          onClick={() => onChange(value.filter((id) => !ids.includes(id)))}
        >
          {which ? accountFormTexts.selectNoneOf(which) : accountFormTexts.selectNone}
        </Button>
      </div>
      <section
        className={classes.list}
        data-wrong={Boolean(error) || undefined}
        aria-label={accountFormTexts.gamesChoose}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <Stack gap={8}>
          {query.isPending && <Skeleton height={80} />}
          {query.error && (
            <Text role="alert">
              <FailureText message={errorMessage(query.error)} />
            </Text>
          )}
          {query.data && games.length === 0 && <Text c="dimmed">{accountFormTexts.catalogueHasNoGames}</Text>}
          {games.length > 0 && found.length === 0 && <Text c="dimmed">{accountFormTexts.noGamesMatch}</Text>}
          {found.map((game) => (
            <Checkbox key={game._id} value={game._id} label={game.gameName} />
          ))}
        </Stack>
      </section>
      {query.data && (
        <Text component="output" className={classes.count}>
          {accountFormTexts.chosen(
            formatCount(games.filter((game) => chosen.has(game._id)).length),
            formatCount(games.length),
          )}
        </Text>
      )}
    </CheckboxGroup>
  );
}
