import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import { ROLES } from '@drawhouse/contract/frame/primitives';
import type { Role } from '@drawhouse/contract/frame/primitives';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { call, errorMessage } from '../../lib/api.ts';
import { createPath } from '../../lib/paths.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useUser } from '../../lib/useSession.ts';
import { AddLink } from '../../ui/AddLink.tsx';
import classes from './ReferenceSelect.module.css';
import { isExactly, rankedChoices } from './referenceMatch.ts';
import type { ReferenceChoice } from './referenceMatch.ts';
import { accountFormTexts } from './accountFormTexts.ts';

interface ReferenceSelectProps {
  /** The role of the parents to choose from. */
  parents: Exclude<Role, 'user'>;
  /** The choice at the start, with its name. */
  initial?: ReferenceChoice | null;
  value: string | null;
  onChange: (id: string | null) => void;
  onBlur?: () => void;
  error?: ReactNode;
  /** Where the form finds the input again to focus it. */
  dataPath: string;
}

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

/**
 * Chooses the account that the new one stands under; searches at the server. The best match is marked while one types and Enter
 * takes it; a name that was typed whole is taken on leaving too. A caller of that level is the only choice. Where there is none to choose,
 * one can be made.
 */
export function ReferenceSelect(props: ReferenceSelectProps) {
  const { parents, initial = null, value, onChange, onBlur, error, dataPath } = props;
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
  const matching = typed === '' ? found : rankedChoices(found, typed);
  const lacksChosen = typed === '' && chosen && !found.some((entry) => entry.value === chosen.value);
  const choices = lacksChosen ? [chosen, ...matching] : matching;
  const fresh = settled === typed && !query.isPlaceholderData && query.data !== undefined;
  const mayAdd = parents !== 'superadmin' && ROLES.indexOf(user.role) < ROLES.indexOf(parents);
  const none = !own && query.data !== undefined && settled === '' && found.length === 0;

  function choose(choice: ReferenceChoice) {
    latest.current = '';
    setChosen(choice);
    setText(choice.label);
    onChange(choice.value);
  }

  /** Takes what was typed, once the server has said whom it may mean. */
  async function chooseTyped(wanted: string, fits: (choice: ReferenceChoice) => boolean) {
    latest.current = wanted;
    const answer = await queries.fetchQuery(choicesQuery(parents, wanted)).catch(() => null);
    const best = rankedChoices(choicesOf(answer?.data ?? []), wanted)[0];
    if (latest.current === wanted && best && fits(best)) choose(best);
  }

  function takeOnEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter' || own || typed === '') return;
    // What is fresh is marked in the open list, and Enter takes it from there.
    const isOpen = event.target instanceof Element && event.target.ariaExpanded === 'true';
    if (fresh && (isOpen || !choices[0])) return;
    event.preventDefault();
    event.stopPropagation();
    void chooseTyped(typed, () => true);
  }

  return (
    <div>
      <Select
        label={accountFormTexts.fields.reference}
        placeholder={none ? accountFormTexts.noParents[parents] : 'Choose an account'}
        description={query.error ? errorMessage(query.error) : undefined}
        data={choices}
        value={value}
        onChange={(id) => {
          const choice = choices.find((entry) => entry.value === id);
          if (choice) choose(choice);
        }}
        onKeyDownCapture={takeOnEnter}
        onBlur={() => {
          if (typed !== '') void chooseTyped(typed, (choice) => isExactly(choice, typed));
          onBlur?.();
        }}
        selectFirstOptionOnChange={typed !== '' && fresh}
        searchable={!own}
        searchValue={own ? undefined : text}
        onSearchChange={
          own
            ? undefined
            : (next) => {
                setText(next);
                // Typing on is another wish; that the field is emptied on leaving is not.
                if (next !== '') latest.current = '';
              }
        }
        filter={own ? undefined : ({ options }) => options}
        nothingFoundMessage={!fresh ? 'Searching…' : accountFormTexts.noParents[parents]}
        readOnly={own}
        variant={own ? 'filled' : 'default'}
        {...(own && { rightSection: <span /> })}
        withCheckIcon={false}
        allowDeselect={false}
        error={error}
        data-path={dataPath}
        comboboxProps={{ withinPortal: false, transitionProps: { duration: 120 } }}
      />
      {none && mayAdd && (
        <div className={classes.add}>
          <AddLink label={accountFormTexts.add[parents]} href={createPath(user.role, parents)} again />
        </div>
      )}
    </div>
  );
}
