import { accountRoutes } from '@drawhouse/contract/accounts';
import type { Role } from '@drawhouse/contract/primitives';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { call, errorMessage } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useUser } from '../../lib/useSession.ts';
import { messages } from '../../messages.ts';

/** An account to choose, by its name. */
export interface ReferenceChoice {
  value: string;
  label: string;
}

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

/** Chooses the account that the new one stands under; searches at the server. A caller of that level is the only choice. */
export function ReferenceSelect(props: ReferenceSelectProps) {
  const { parents, initial = null, value, onChange, onBlur, error, dataPath } = props;
  const user = useUser();
  const own = user.role === parents;
  const [text, setText] = useState(initial?.label ?? '');
  const [chosen, setChosen] = useState(initial);
  const [settled] = useDebouncedValue(text === chosen?.label ? '' : text, SETTLE_MS);
  const query = useQuery({
    queryKey: [queryKeys.accounts, parents, 'choices', settled],
    queryFn: ({ signal }) =>
      call(
        accountRoutes[parents].all,
        { query: { page: '1', pageSize: String(SHOWN), search: settled || undefined, sort: 'username' } },
        { signal },
      ),
    enabled: !own,
    placeholderData: keepPreviousData,
  });
  const found = own
    ? [{ value: user._id, label: user.username }]
    : (query.data?.data.map((account) => ({ value: account._id, label: account.username })) ?? []);
  const choices = chosen && !found.some((entry) => entry.value === chosen.value) ? [chosen, ...found] : found;
  const none = !own && query.data !== undefined && settled === '' && found.length === 0;

  return (
    <Select
      label={messages.accounts.fields.reference}
      placeholder={none ? messages.accounts.noParents[parents] : 'Choose an account'}
      description={query.error ? errorMessage(query.error) : undefined}
      data={choices}
      value={value}
      onChange={(id) => {
        setChosen(choices.find((entry) => entry.value === id) ?? null);
        onChange(id);
      }}
      onBlur={onBlur}
      searchable={!own}
      searchValue={own ? undefined : text}
      onSearchChange={own ? undefined : setText}
      filter={own ? undefined : ({ options }) => options}
      nothingFoundMessage={query.isFetching ? 'Searching…' : messages.accounts.noParents[parents]}
      readOnly={own}
      variant={own ? 'filled' : 'default'}
      withCheckIcon={false}
      allowDeselect={false}
      error={error}
      data-path={dataPath}
      comboboxProps={{ withinPortal: false, transitionProps: { duration: 120 } }}
    />
  );
}
