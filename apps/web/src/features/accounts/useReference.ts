import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/frame/primitives';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useUser } from '../../lib/useSession.ts';
import { rankedChoices, shownChoices } from './referenceMatch.ts';
import type { ReferenceChoice } from './referenceMatch.ts';

const SHOWN = 50;
const SETTLE_MS = 250;

/** The accounts of a role whose names hold a text; the first ones of all where it is empty. */
function choicesQuery(parents: Role, text: string) {
  return queryOptions({
    queryKey: [queryKeys.accounts, parents, 'choices', text],
    queryFn: ({ signal }) =>
      call(
        accountLists[parents].route,
        { query: { page: '1', pageSize: String(SHOWN), search: text || undefined, sort: 'username' } },
        { signal },
      ),
  });
}

function choicesOf(accounts: readonly Account[]): readonly ReferenceChoice[] {
  return accounts.map((account) => ({ value: account._id, label: account.username }));
}

/** The accounts that can be chosen by what is typed. */
export interface Reference {
  /** The caller is of that level itself: the only choice. */
  own: boolean;
  /** What stands in the field. */
  text: string;
  /** What is typed beyond what is chosen; empty where nothing is. */
  typed: string;
  choices: readonly ReferenceChoice[];
  /** They are those of what is typed. */
  fresh: boolean;
  /** There is nobody to choose at all. */
  none: boolean;
  error: Error | null;
  /** Hears what stands in the field, as it is typed or emptied. */
  type: (text: string) => void;
  choose: (choice: ReferenceChoice) => void;
  /** Chooses the best match of what is typed where it fits, once the server has said whom it may mean. */
  chooseTyped: (fits: (choice: ReferenceChoice) => boolean) => Promise<void>;
}

/** Searches for the accounts of a level at the server, as one types. `onChange` hears whom was chosen. */
export function useReference(
  parents: Exclude<Role, 'user'>,
  initial: ReferenceChoice | null,
  onChange: (id: string) => void,
): Reference {
  const user = useUser();
  const own = user.role === parents;
  const [text, setText] = useState(initial?.label ?? '');
  const [chosen, setChosen] = useState(initial);
  const queries = useQueryClient();
  const latest = useRef('');
  const typed = text === chosen?.label ? '' : text.trim();
  const [settled] = useDebouncedValue(typed, SETTLE_MS);
  const query = useQuery({ ...choicesQuery(parents, settled), enabled: !own, placeholderData: keepPreviousData });
  const found = own ? [{ value: user._id, label: user.username }] : choicesOf(query.data?.data ?? []);

  function choose(choice: ReferenceChoice) {
    latest.current = '';
    setChosen(choice);
    setText(choice.label);
    onChange(choice.value);
  }

  return {
    own,
    text,
    typed,
    choices: shownChoices(found, typed, chosen),
    fresh: settled === typed && !query.isPlaceholderData && query.data !== undefined,
    none: !own && query.data !== undefined && settled === '' && found.length === 0,
    error: query.error,
    type(next) {
      setText(next);
      // Typing on is another wish; that the field is emptied on leaving is not.
      if (next !== '') latest.current = '';
    },
    choose,
    async chooseTyped(fits) {
      latest.current = typed;
      const answer = await queries.fetchQuery(choicesQuery(parents, typed)).catch(() => null);
      const best = rankedChoices(choicesOf(answer?.data ?? []), typed)[0];
      if (latest.current === typed && best && fits(best)) choose(best);
    },
  };
}
