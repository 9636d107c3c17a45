import { endPlayerExclusion } from '@drawhouse/contract/players/protection';
import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useFormCall } from '../../lib/useFormCall.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogForm } from '../../ui/DialogForm.tsx';
import type { DialogPlayer } from './LimitDialog.tsx';

interface EndExclusionDialogProps {
  player: DialogPlayer;
  opened: boolean;
  onClose: () => void;
}

/** Asks for the reason why an exclusion that a manager began is ended. */
export function EndExclusionDialog({ player, opened, onClose }: EndExclusionDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={`End the exclusion of ${player.username}`} centered size="sm">
      <Fields player={player} onClose={onClose} />
    </Dialog>
  );
}

function Fields({ player: { id, username }, onClose }: Omit<EndExclusionDialogProps, 'opened'>) {
  const queries = useQueryClient();
  const form = useForm({ initialValues: { reason: '' } });
  const end = useFormCall(form, {
    send: ({ reason }) => call(endPlayerExclusion, { params: { playerId: id }, body: { reason } }),
    onDone: ({ message }) => {
      notifications.show({ title: username, message });
      onClose();
      return queries.invalidateQueries({
        predicate: ({ queryKey: [first] }) => first === queryKeys.protection || first === queryKeys.accounts,
      });
    },
  });
  return (
    <DialogForm label={`End the exclusion of ${username}`} call={end} submit="End exclusion" onCancel={onClose}>
      <Text>{`${username} can sign in and bet again at once.`}</Text>
      <TextInput
        label="Reason"
        description="Stands in the history, for those above the player."
        autoComplete="off"
        maxLength={200}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </DialogForm>
  );
}
