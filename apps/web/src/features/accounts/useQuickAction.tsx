import type { Account } from '@drawhouse/contract/accounts/accounts';
import { useState, type FunctionComponent, type ReactNode } from 'react';
import type { RowAction } from '../../ui/table/rows/RowActions.tsx';

export interface QuickAction extends Pick<RowAction, 'id' | 'label' | 'icon'> {
  appliesTo: (account: Account) => boolean;
  /** Remounted per opening; mounted while fading out. */
  Dialog: FunctionComponent<{ account: Account; opened: boolean; onClose: () => void }>;
}

export function useQuickAction(quick: QuickAction | undefined): {
  actionsOf: (account: Account) => readonly RowAction[];
  dialog: ReactNode;
} {
  const [target, setTarget] = useState<{ account: Account; times: number; opened: boolean } | null>(null);
  if (!quick) return { actionsOf: () => [], dialog: null };
  const { Dialog, id, label, icon } = quick;
  const ask = (account: Account) => setTarget((before) => ({ account, times: (before?.times ?? 0) + 1, opened: true }));
  return {
    actionsOf: (account) =>
      quick.appliesTo(account) ? [{ id, label, icon, prominent: true, onClick: () => ask(account) }] : [],
    dialog: target && (
      <Dialog
        key={target.times}
        account={target.account}
        opened={target.opened}
        onClose={() => setTarget({ ...target, opened: false })}
      />
    ),
  };
}
