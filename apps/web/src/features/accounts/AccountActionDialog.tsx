import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../lib/api.ts';
import { useOneAtATime } from '../../lib/useOneAtATime.ts';
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
  // The last question stays on the dialog while it fades out, and while what it changed is loaded again.
  const [shown, setShown] = useState<Asked | null>(null);
  if (asked && asked !== shown) setShown(asked);
  const putsOut = asked?.action === 'toggle' && asked.account.userStatus;
  const below = useBelow(putsOut ? [asked.account] : []);
  const question = shown && questionOf(shown, below);

  const act = useMutation({
    mutationFn: (what: Asked) => questionOf(what, null).act(),
    onSuccess: (message, { action, account }) => {
      notifications.show({ message });
      close();
      if (action !== 'remove') return changed();
      onRemoved?.();
      return changed(account._id);
    },
  });
  const send = useOneAtATime(act);

  function close() {
    act.reset();
    onClose();
  }

  return (
    <ConfirmDialog
      opened={asked !== null}
      title={question?.title ?? ''}
      confirmLabel={question?.confirmLabel ?? ''}
      danger={question?.danger}
      busy={act.isPending}
      error={act.error && errorMessage(act.error)}
      onConfirm={() => asked && shown && send(shown)}
      onClose={close}
    >
      {question?.text}
      {question?.consequence && <Text mt="xs">{question.consequence}</Text>}
    </ConfirmDialog>
  );
}
