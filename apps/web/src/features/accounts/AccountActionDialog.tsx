import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useConfirmCall } from '../../lib/useConfirmCall.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { questionOf } from './accountActions.ts';
import type { Asked } from './accountActions.ts';
import { useAccountsChanged } from './accountQueries.ts';
import { useBelow } from './useBelow.ts';

interface AccountActionDialogProps {
  /** What is asked, or null while nothing is. */
  asked: Asked | null;
  onClose: () => void;
  /** After a deletion: leaves a page that is about the account. */
  onRemoved?: () => void;
}

/** Asks before an account is activated, deactivated, signed out or deleted, then reloads what shows it. */
export function AccountActionDialog({ asked, onClose, onRemoved }: AccountActionDialogProps) {
  const changed = useAccountsChanged();
  const { shown, dialog } = useConfirmCall(asked, {
    send: (what) => questionOf(what, null).act(),
    onDone: (message, { action, account }) => {
      // The sentence has the unique id alone: the name stands beneath it.
      notifications.show(action === 'toggle' ? { title: message, message: account.username } : { message });
      if (action === 'remove') onRemoved?.();
      void changed(action === 'remove' ? account._id : undefined);
    },
    onClose,
  });
  const putsOut = asked?.action === 'toggle' && asked.account.userStatus;
  const below = useBelow(putsOut ? [asked.account] : []);
  const question = shown && questionOf(shown, below);

  return (
    <ConfirmDialog {...dialog} title={question?.title ?? ''} danger={question?.danger}>
      {question?.text}
      {question?.consequence && <Text mt="xs">{question.consequence}</Text>}
    </ConfirmDialog>
  );
}
