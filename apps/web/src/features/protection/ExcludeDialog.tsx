import { excludePlayer } from '@drawhouse/contract/players/protection';
import { EXCLUSIONS } from '@drawhouse/contract/players/protection-names';
import { Checkbox, NativeSelect, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { call } from '../../lib/server/api.ts';
import { queryClient } from '../../lib/server/queryClient.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { DialogForm } from '../../ui/dialog/DialogForm.tsx';
import type { DialogPlayer } from './LimitDialog.tsx';
import { protectionTexts } from './protectionTexts.ts';

interface ExcludeDialogProps {
  player: DialogPlayer;
  opened: boolean;
  onClose: () => void;
}

/** An exclusion cannot be ended after 24 hours. */
export function ExcludeDialog({ player, opened, onClose }: ExcludeDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={protectionTexts.excludePlayer(player.username)} size="sm">
      <Fields player={player} onClose={onClose} />
    </Dialog>
  );
}

function Fields({ player: { id, username }, onClose }: Omit<ExcludeDialogProps, 'opened'>) {
  const form = useForm({
    initialValues: { length: EXCLUSIONS[0] as (typeof EXCLUSIONS)[number], reason: '', isMeant: false },
    validate: { isMeant: (isMeant) => (isMeant ? null : protectionTexts.tickThisFirstAfter) },
  });
  const exclude = useFormCall(form, {
    send: ({ length, reason }) => call(excludePlayer, { params: { playerId: id }, body: { length, reason } }),
    onDone: ({ message }) => {
      notifications.show({ title: username, message });
      onClose();
      return queryClient.invalidateQueries({
        predicate: ({ queryKey: [first] }) => first === 'protection' || first === 'accounts',
      });
    },
  });
  return (
    <DialogForm
      label={protectionTexts.excludePlayer(username)}
      call={exclude}
      confirms={excludePlayer}
      submit={protectionTexts.exclude}
      danger
      onCancel={onClose}
    >
      <Text>{protectionTexts.isSignedOutEverywhere(username)}</Text>
      <NativeSelect
        label={protectionTexts.forLabel}
        data={[...EXCLUSIONS]}
        data-autofocus
        {...form.getInputProps('length')}
      />
      <TextInput
        label={protectionTexts.reason}
        description={protectionTexts.shownInHistoryThose}
        maxLength={200}
        {...form.getInputProps('reason')}
      />
      <Checkbox label={protectionTexts.iKnowThatAfter} {...form.getInputProps('isMeant', { type: 'checkbox' })} />
    </DialogForm>
  );
}
