import { Button } from '@mantine/core';
import { messages } from '../../messages.ts';
import type { Level } from '../../messages.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { AddAccount } from './AddAccount.tsx';
import type { AddAccountLink } from './AddAccount.tsx';

interface AccountsEmptyProps {
  level: Level;
  /** A search has left nothing; else there is nothing at all. */
  narrowed: boolean;
  onClear: () => void;
  /** The step that fills the list. */
  add: AddAccountLink;
}

/** What stands in place of a list of accounts without rows, with the step that fills it. */
export function AccountsEmpty({ level, narrowed, onClear, add }: AccountsEmptyProps) {
  const names = messages.dashboard.cards[level].toLowerCase();
  if (!narrowed) {
    return (
      <EmptyState
        title={`No ${names} yet`}
        text="They stand here as soon as the first one is created."
        action={<AddAccount {...add} again />}
      />
    );
  }
  return (
    <EmptyState
      title="Nothing matches"
      text={`No ${names} fit this search.`}
      action={
        <Button variant="default" onClick={onClear}>
          Clear the search
        </Button>
      }
    />
  );
}
