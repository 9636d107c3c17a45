import { excludePlayer, setPlayerLimit, type ShownLimit } from '@drawhouse/contract/players/protection';
import { EXCLUSIONS, PROTECTION_LIMITS } from '@drawhouse/contract/players/player-limits';
import { Checkbox, NativeSelect, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { call } from '../../lib/server/api.ts';
import { queryClient, reload } from '../../lib/server/queryClient.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { DialogForm } from '../../ui/dialog/DialogForm.tsx';
import { limitErrors, type LimitForm, limitText, typedLimit } from './limitForm.ts';
import { protectionTexts } from './protectionTexts.ts';

export interface DialogPlayer {
  readonly id: string;
  readonly username: string;
}

interface LimitDialogProps {
  player: DialogPlayer;
  limit: ShownLimit | null;
  onClose: () => void;
}

/** Applies beside the player's own limit. */
export function LimitDialog({ player, limit, onClose }: LimitDialogProps) {
  const [shown, setShown] = useState(limit);
  if (limit && limit.limit !== shown?.limit) setShown(limit);
  return (
    <Dialog
      opened={limit !== null}
      onClose={onClose}
      title={shown ? `${PROTECTION_LIMITS[shown.limit]} of ${player.username}` : ''}
      size="sm"
    >
      {limit && <LimitFields key={limit.limit} player={player} limit={limit} onClose={onClose} />}
    </Dialog>
  );
}

function LimitFields({ player, limit: shown, onClose }: LimitDialogProps & { limit: ShownLimit }) {
  const { limit, own, managers } = shown;
  const form = useForm<LimitForm>({
    initialValues: { value: managers === null ? '' : String(managers), reason: '' },
    validate: (values) => limitErrors(limit, values),
  });
  const set = useFormCall(form, {
    send: ({ value, reason }) =>
      call(setPlayerLimit, { params: { playerId: player.id, limit }, body: { value: typedLimit(value), reason } }),
    onDone: ({ message }) => {
      notifications.show({ title: `${PROTECTION_LIMITS[limit]} of ${player.username}`, message });
      onClose();
      return reload(['protection', player.id]);
    },
  });
  return (
    <DialogForm
      label={protectionTexts.setLimitOf(PROTECTION_LIMITS[limit])}
      call={set}
      confirms={setPlayerLimit}
      submit={protectionTexts.setLimit}
      onCancel={onClose}
    >
      <TextInput
        label={limit === 'minutesPerDay' ? protectionTexts.minutes : protectionTexts.points}
        description={
          own === null ? protectionTexts.playerHasNoLimit : protectionTexts.playersOwnLimitIs(limitText(limit, own))
        }
        inputMode="decimal"
        data-autofocus
        {...form.getInputProps('value')}
      />
      <TextInput
        label={protectionTexts.reason}
        description={protectionTexts.shownInHistoryThose}
        maxLength={200}
        {...form.getInputProps('reason')}
      />
    </DialogForm>
  );
}

interface ExcludeDialogProps {
  player: DialogPlayer;
  opened: boolean;
  onClose: () => void;
}

/** An exclusion cannot be ended after 24 hours. */
export function ExcludeDialog({ player, opened, onClose }: ExcludeDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={protectionTexts.excludePlayer(player.username)} size="sm">
      <ExclusionFields player={player} onClose={onClose} />
    </Dialog>
  );
}

function ExclusionFields({ player: { id, username }, onClose }: Omit<ExcludeDialogProps, 'opened'>) {
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
