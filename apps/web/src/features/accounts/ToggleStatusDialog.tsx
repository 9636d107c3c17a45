import { accountRoutes } from '@drawhouse/contract/accounts';
import type { Account } from '@drawhouse/contract/accounts';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, errorMessage } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useOneAtATime } from '../../lib/useOneAtATime.ts';
import { messages } from '../../messages.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';

const texts = messages.accounts;

interface ToggleStatusDialogProps {
  /** The account in question, or null while nothing is asked. */
  account: Account | null;
  onClose: () => void;
}

/** Asks before it activates or deactivates an account, then reloads what shows it. */
export function ToggleStatusDialog({ account, onClose }: ToggleStatusDialogProps) {
  const queries = useQueryClient();
  // The last account stays on the dialog while it fades out.
  const [shown, setShown] = useState<Account | null>(account);
  if (account && account !== shown) setShown(account);
  const action = shown?.userStatus ? 'deactivate' : 'activate';

  const toggle = useMutation({
    mutationFn: (target: Account) =>
      call(accountRoutes[target.role].toggleStatus, { params: { userId: target._id, action } }),
    onSuccess: (answer, target) => {
      notifications.show({ message: answer.message ?? texts.toggled(action, target._id) });
      close();
      return queries.invalidateQueries({ queryKey: [queryKeys.accounts] });
    },
  });

  const send = useOneAtATime(toggle);

  function close() {
    toggle.reset();
    onClose();
  }

  return (
    <ConfirmDialog
      opened={account !== null}
      title={texts.toggle[action].title}
      confirmLabel={texts.toggle[action].confirm}
      danger={action === 'deactivate'}
      busy={toggle.isPending}
      error={toggle.error && errorMessage(toggle.error)}
      onConfirm={() => account && send(account)}
      onClose={close}
    >
      <p>{texts.confirmToggle(action, shown?.username ?? '')}</p>
      {action === 'deactivate' && (
        <p>
          It is signed out at once, with everyone below it, and nobody there can sign in or bet until it is active
          again.
        </p>
      )}
    </ConfirmDialog>
  );
}
