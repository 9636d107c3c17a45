import { excludePlayer } from '@drawhouse/contract/players/protection';
import { EXCLUSIONS } from '@drawhouse/contract/players/protection-names';
import { Checkbox, NativeSelect, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { queryKeys } from '../../lib/server/queryKeys.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { Dialog } from '../../ui/page/Dialog.tsx';
import { DialogForm } from '../../ui/form/DialogForm.tsx';
import type { DialogPlayer } from './LimitDialog.tsx';

interface ExcludeDialogProps {
  player: DialogPlayer;
  opened: boolean;
  onClose: () => void;
}

/** Requires an explicit acknowledgment, because an exclusion cannot be ended after 24 hours. */
export function ExcludeDialog({ player, opened, onClose }: ExcludeDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={`Exclude ${player.username}`} centered size="sm">
      <Fields player={player} onClose={onClose} />
    </Dialog>
  );
}

function Fields({ player: { id, username }, onClose }: Omit<ExcludeDialogProps, 'opened'>) {
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { length: EXCLUSIONS[0] as (typeof EXCLUSIONS)[number], reason: '', isMeant: false },
    validate: { isMeant: (isMeant) => (isMeant ? null : 'Tick this first: after 24 hours no one can end it') },
  });
  const exclude = useFormCall(form, {
    send: ({ length, reason }) => call(excludePlayer, { params: { playerId: id }, body: { length, reason } }),
    onDone: ({ message }) => {
      notifications.show({ title: username, message });
      onClose();
      return queries.invalidateQueries({
        predicate: ({ queryKey: [first] }) => first === queryKeys.protection || first === queryKeys.accounts,
      });
    },
  });
  return (
    <DialogForm label={`Exclude ${username}`} call={exclude} submit="Exclude" danger onCancel={onClose}>
      <Text>
        {`${username} is signed out everywhere, and can neither sign in nor bet until the exclusion ends. ` +
          'Open tickets run to their end and wins are paid; unclaimed wins move to its credit immediately. For ' +
          '24 hours you, or anyone above you, can end the exclusion.'}
      </Text>
      <NativeSelect label="For" data={[...EXCLUSIONS]} data-autofocus {...form.getInputProps('length')} />
      <TextInput
        label="Reason"
        description="Shown in the history to those above the player."
        autoComplete="off"
        maxLength={200}
        {...form.getInputProps('reason')}
      />
      <Checkbox
        label="I know that after 24 hours no one can end it early"
        {...form.getInputProps('isMeant', { type: 'checkbox' })}
      />
    </DialogForm>
  );
}
