import { setPlayerLimit } from '@drawhouse/contract/players/protection';
import { PROTECTION_LIMITS } from '@drawhouse/contract/players/protection-names';
import type { ShownLimit } from '@drawhouse/contract/players/protection';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/server/api.ts';
import { queryKeys } from '../../lib/server/queryKeys.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { Dialog } from '../../ui/page/Dialog.tsx';
import { DialogForm } from '../../ui/form/DialogForm.tsx';
import { limitErrors, limitText, typedLimit } from './protectionText.ts';
import type { LimitForm } from './protectionText.ts';

export interface DialogPlayer {
  readonly id: string;
  readonly username: string;
}

interface LimitDialogProps {
  player: DialogPlayer;
  limit: ShownLimit | null;
  onClose: () => void;
}

/** Adds a manager's limit to the player's own. */
export function LimitDialog({ player, limit, onClose }: LimitDialogProps) {
  const [shown, setShown] = useState(limit);
  if (limit && limit.limit !== shown?.limit) setShown(limit);
  return (
    <Dialog
      opened={limit !== null}
      onClose={onClose}
      title={shown ? `${PROTECTION_LIMITS[shown.limit]} of ${player.username}` : ''}
      centered
      size="sm"
    >
      {limit && <Fields key={limit.limit} player={player} limit={limit} onClose={onClose} />}
    </Dialog>
  );
}

function Fields({ player, limit: shown, onClose }: LimitDialogProps & { limit: ShownLimit }) {
  const { limit, own, managers } = shown;
  const queries = useQueryClient();
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
      return queries.invalidateQueries({ queryKey: [queryKeys.protection, player.id] });
    },
  });
  return (
    <DialogForm label={`Set limit: ${PROTECTION_LIMITS[limit]}`} call={set} submit="Set limit" onCancel={onClose}>
      <TextInput
        label={limit === 'minutesPerDay' ? 'Minutes' : 'Points'}
        description={
          own === null
            ? 'The player has no limit of their own. Yours applies immediately; leave empty for none.'
            : `The player’s own limit is ${limitText(limit, own)}; the lower one applies. Leave empty to set none.`
        }
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('value')}
      />
      <TextInput
        label="Reason"
        description="Shown in the history to those above the player."
        autoComplete="off"
        maxLength={200}
        {...form.getInputProps('reason')}
      />
    </DialogForm>
  );
}
