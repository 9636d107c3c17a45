import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useConfirmCall } from '../../lib/form/useConfirmCall.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { type ConfirmedAction, questionOf, useDescendantCounts, reloadAccounts } from './accountActions.ts';

interface AccountActionDialogProps {
  target: ConfirmedAction | null;
  onClose: () => void;
  onRemoved?: () => void;
}

export function AccountActionDialog({ target, onClose, onRemoved }: AccountActionDialogProps) {
  const { shown, dialog } = useConfirmCall(target, {
    send: (what) => questionOf(what, null).act(),
    onDone: (message, { action, account }) => {
      notifications.show(action === 'toggle' ? { title: message, message: account.username } : { message });
      if (action === 'remove') onRemoved?.();
      void reloadAccounts(action === 'remove' ? account._id : undefined);
    },
    onClose,
  });
  const putsOut = target?.action === 'toggle' && target.account.userStatus;
  const below = useDescendantCounts(putsOut ? [target.account] : []);
  const question = shown && questionOf(shown, below);

  return (
    <ConfirmDialog {...dialog} title={question?.title ?? ''} danger={question?.danger} confirms={question?.route}>
      {question?.text}
      {question?.consequence && <Text mt="xs">{question.consequence}</Text>}
    </ConfirmDialog>
  );
}
