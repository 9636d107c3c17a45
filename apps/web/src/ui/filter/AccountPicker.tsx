import type { Role } from '@drawhouse/contract/core/primitives';
import { ROLE_NAMES } from '@drawhouse/contract/core/roles';
import { Select } from '@mantine/core';
import { useState } from 'react';
import { useAccountSearch } from '../../lib/server/accountLookup.ts';
import { filterTexts } from '../listTexts.ts';

interface AccountPickerProps {
  label: string;
  /** Null: everybody. Change `key` along with the account. */
  user: { readonly _id: string; readonly username: string; readonly role?: Role } | null;
  onChange: (id: string | undefined) => void;
}

export function AccountPicker({ label, user, onChange }: AccountPickerProps) {
  const [text, setText] = useState('');
  const { found, searching } = useAccountSearch(text === user?.username ? '' : text.trim());
  const all = user && !found.some(({ _id }) => _id === user._id) ? [user, ...found] : found;
  const roles = new Map(all.map(({ _id, role }) => [_id, role && ROLE_NAMES[role]]));
  return (
    <Select
      aria-label={label}
      placeholder={filterTexts.allUsers}
      size="sm"
      w={180}
      data={all.map(({ _id, username }) => ({ value: _id, label: username }))}
      value={user?._id ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      searchable
      clearable
      clearButtonProps={{ 'aria-hidden': false, tabIndex: 0, 'aria-label': filterTexts.showAllUsers }}
      searchValue={text}
      onSearchChange={setText}
      // The server has already filtered.
      filter={({ options }) => options}
      nothingFoundMessage={searching ? filterTexts.searching : filterTexts.noOneWithThis}
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
