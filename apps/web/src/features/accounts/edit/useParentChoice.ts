import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/core/primitives';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isElsewhere } from '../../../lib/server/accountLookup.ts';
import { callQuery } from '../../../lib/server/api.ts';
import { queryClient } from '../../../lib/server/queryClient.ts';
import { useUser } from '../../../lib/session/session.ts';

const SHOWN = 50;
const SETTLE_MS = 250;

function choicesQuery(parents: Role, text: string) {
  return queryOptions(
    callQuery(['accounts', parents, 'choices', text], accountLists[parents].route, {
      query: { page: '1', pageSize: String(SHOWN), search: text || undefined, sort: 'username' },
    }),
  );
}

/** An account of another cell cannot be a parent here. */
function choicesOf(accounts: readonly Account[]): readonly ParentChoice[] {
  return accounts
    .filter((account) => !isElsewhere(account))
    .map((account) => ({ value: account._id, label: account.username }));
}

export interface ParentField {
  /** The only choice, because the caller has this level. */
  own: boolean;
  text: string;
  /** Text typed since the last choice. */
  typed: string;
  choices: readonly ParentChoice[];
  fresh: boolean;
  none: boolean;
  error: Error | null;
  type: (text: string) => void;
  choose: (choice: ParentChoice) => void;
  /** Waits for the server, then takes the best match if `fits` accepts it. */
  chooseTyped: (fits: (choice: ParentChoice) => boolean) => Promise<void>;
}

export function useParentChoice(
  parents: Exclude<Role, 'user'>,
  initial: ParentChoice | null,
  onChange: (id: string) => void,
  onPreselect: (id: string) => void,
): ParentField {
  const user = useUser();
  const own = user.role === parents;
  const [text, setText] = useState(initial?.label ?? '');
  const [chosen, setChosen] = useState(initial);
  const latest = useRef('');
  const typed = text === chosen?.label ? '' : text.trim();
  const [settled] = useDebouncedValue(typed, SETTLE_MS);
  const query = useQuery({ ...choicesQuery(parents, settled), enabled: !own, placeholderData: keepPreviousData });
  const found = own ? [{ value: user._id, label: user.username }] : choicesOf(query.data?.data ?? []);

  /** Rows of other cells are left out after the server limits the list. */
  const isWhole = (query.data?.total ?? 0) <= SHOWN;

  function choose(choice: ParentChoice) {
    latest.current = '';
    setChosen(choice);
    setText(choice.label);
    onChange(choice.value);
  }

  const only =
    initial === null && !own && settled === '' && !query.isPlaceholderData && isWhole
      ? onlyChoice(query.data?.data)
      : null;
  if (only && chosen === null && text === '') {
    setChosen(only);
    setText(only.label);
  }
  const onlyId = only?.value === chosen?.value ? only?.value : undefined;
  const report = useEffectEvent(onPreselect);
  useEffect(() => {
    if (onlyId !== undefined) report(onlyId);
  }, [onlyId]);

  return {
    own,
    text,
    typed,
    choices: shownChoices(found, typed, chosen),
    fresh: settled === typed && !query.isPlaceholderData && query.data !== undefined,
    none: !own && query.data !== undefined && settled === '' && isWhole && found.length === 0,
    error: query.error,
    type(next) {
      setText(next);
      // Typing cancels a pending choice, but clearing the field on blur does not.
      if (next !== '') latest.current = '';
    },
    choose,
    async chooseTyped(fits) {
      latest.current = typed;
      const answer = await queryClient.fetchQuery(choicesQuery(parents, typed)).catch(() => null);
      const best = rankedChoices(choicesOf(answer?.data ?? []), typed)[0];
      if (latest.current === typed && best && fits(best)) choose(best);
    },
  };
}

export function onlyChoice(accounts: readonly Account[] | undefined): ParentChoice | null {
  const choices = choicesOf(accounts ?? []);
  return choices.length === 1 ? choices[0]! : null;
}

export interface ParentChoice {
  value: string;
  label: string;
}

export function isExactly(choice: ParentChoice, typed: string): boolean {
  return choice.label.toLowerCase() === typed.trim().toLowerCase();
}

export function rankedChoices(choices: readonly ParentChoice[], typed: string): readonly ParentChoice[] {
  const text = typed.trim().toLowerCase();
  const rank = ({ label }: ParentChoice): number => {
    const at = label.toLowerCase().indexOf(text);
    if (at < 0) return 3;
    return label.length === text.length ? 0 : Math.min(at, 1) + 1;
  };
  return choices.filter((choice) => rank(choice) < 3).toSorted((a, b) => rank(a) - rank(b));
}

export function shownChoices(
  found: readonly ParentChoice[],
  typed: string,
  chosen: ParentChoice | null,
): readonly ParentChoice[] {
  if (typed !== '') return rankedChoices(found, typed);
  return chosen && !found.some(({ value }) => value === chosen.value) ? [chosen, ...found] : found;
}
