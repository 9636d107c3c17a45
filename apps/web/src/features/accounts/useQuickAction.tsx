import type { Account } from '@drawhouse/contract/accounts/accounts';
import { Suspense, useState } from 'react';
import type { FunctionComponent, ReactNode } from 'react';
import type { RowAction } from '../../ui/RowActions.tsx';

/** Something done with an account where it stands, in a list or on its page, in a dialog over it: given as data. */
export interface QuickAction extends Pick<RowAction, 'id' | 'label' | 'icon'> {
  /** Whether it is offered on this row. */
  appliesTo: (account: Account) => boolean;
  /** Each opening has a new one; it stays while it fades out. */
  Dialog: FunctionComponent<{ account: Account; opened: boolean; onClose: () => void }>;
}

/** A quick action: what is offered for each account, and the dialog, to be rendered once beside them. */
export function useQuickAction(quick: QuickAction | undefined): {
  actionsOf: (account: Account) => readonly RowAction[];
  dialog: ReactNode;
} {
  const [asked, setAsked] = useState<{ account: Account; times: number; opened: boolean } | null>(null);
  if (!quick) return { actionsOf: () => [], dialog: null };
  const { Dialog, id, label, icon } = quick;
  const ask = (account: Account) => setAsked((before) => ({ account, times: (before?.times ?? 0) + 1, opened: true }));
  return {
    actionsOf: (account) =>
      quick.appliesTo(account) ? [{ id, label, icon, prominent: true, onClick: () => ask(account) }] : [],
    dialog: asked && (
      <Suspense>
        <Dialog
          key={asked.times}
          account={asked.account}
          opened={asked.opened}
          onClose={() => setAsked({ ...asked, opened: false })}
        />
      </Suspense>
    ),
  };
}
