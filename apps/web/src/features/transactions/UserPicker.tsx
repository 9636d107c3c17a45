import { findAllUsers } from '@drawhouse/contract/transactions';
import type { ReportUser } from '@drawhouse/contract/transactions';
import { ROLE_NAMES } from '@drawhouse/contract/role-names';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { TRANSACTIONS } from './transactionTexts.ts';

const SHOWN = 50;
const SETTLE_MS = 250;

interface UserPickerProps {
  /** Who is chosen now; null for everybody. */
  user: ReportUser | null;
  onChange: (id: string | undefined) => void;
}

/** Chooses an account at or below the signed-in one by its name; searches at the server. */
export function UserPicker({ user, onChange }: UserPickerProps) {
  const [text, setText] = useState('');
  const typed = text === user?.username ? '' : text.trim();
  const [search] = useDebouncedValue(typed, SETTLE_MS);
  const { data, isFetching } = useQuery({
    queryKey: [queryKeys.accounts, 'report-users', search],
    queryFn: ({ signal }) =>
      call(
        findAllUsers.route,
        { query: { page: '1', pageSize: String(SHOWN), search: search || undefined } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  const found = data?.data ?? [];
  const all = user && !found.some(({ _id }) => _id === user._id) ? [user, ...found] : found;
  const roles = new Map(all.map(({ _id, role }) => [_id, ROLE_NAMES[role]]));
  return (
    <Select
      aria-label={TRANSACTIONS.user}
      placeholder={TRANSACTIONS.anyUser}
      size="sm"
      w={180}
      data={all.map(({ _id, username }) => ({ value: _id, label: username }))}
      value={user?._id ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      searchable
      clearable
      clearButtonProps={{ 'aria-hidden': false, tabIndex: 0, 'aria-label': TRANSACTIONS.clearUser }}
      searchValue={text}
      onSearchChange={setText}
      // The server has searched.
      filter={({ options }) => options}
      nothingFoundMessage={isFetching || search !== typed ? TRANSACTIONS.searching : TRANSACTIONS.nobody}
      renderOption={({ option }) => (
        <span>
          {option.label} <small>{roles.get(option.value)}</small>
        </span>
      )}
      withCheckIcon={false}
      comboboxProps={{ withinPortal: false, transitionProps: { duration: 120 } }}
    />
  );
}
