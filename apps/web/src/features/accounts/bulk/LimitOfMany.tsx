import { bulkDailyLimit } from '@drawhouse/contract/accounts/bulk-accounts';
import { bulkPlayerLimit } from '@drawhouse/contract/players/protection';
import { PROTECTION_LIMITS } from '@drawhouse/contract/players/protection-names';
import type { ProtectionLimit } from '@drawhouse/contract/players/protection-names';
import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import { schemaErrors } from '../../../lib/form/schemaErrors.ts';
import { call } from '../../../lib/server/api.ts';
import { formatPoints } from '../../../lib/format/format.ts';
import { DialogForm, DialogList, RefusedRow } from '../../../ui/form/DialogForm.tsx';
import type { BulkFormProps } from './bulkValues.ts';

interface LimitForm {
  limit: ProtectionLimit;
  value: string;
  reason: string;
  /** Place of the server's errors about rows: `ids.3`. */
  ids: string;
}

/** Empty: no limit. NaN if invalid. */
function typedLimit(text: string): number | null {
  const digits = text.trim().replaceAll(',', '');
  if (digits === '') return null;
  return /^\d+(\.\d+)?$/.test(digits) ? Number(digits) : Number.NaN;
}

function useLimitOfMany({ level, accounts, setBusy, onDone }: BulkFormProps) {
  const ofPlayers = level === 'user';
  const ids = accounts.map(({ _id }) => _id);
  const bodyOf = ({ limit, value, reason }: LimitForm) => ({ ids, limit, value: typedLimit(value), reason });
  const form = useForm<LimitForm>({
    mode: 'controlled',
    initialValues: { limit: 'stakePerDay', value: '', reason: '', ids: '' },
    validate: (values) => {
      if (ofPlayers) return schemaErrors(bulkPlayerLimit.body!, bodyOf(values));
      const { dailyLimit } = schemaErrors(bulkDailyLimit.body!, { ids, dailyLimit: typedLimit(values.value) });
      return dailyLimit === undefined ? {} : { value: dailyLimit };
    },
  });
  const send = useFormCall(form, {
    send: (values) => {
      setBusy(true);
      return ofPlayers
        ? call(bulkPlayerLimit, { body: bodyOf(values) })
        : call(bulkDailyLimit, { body: { ids, dailyLimit: typedLimit(values.value) } });
    },
    onDone: ({ message }) => {
      setBusy(false);
      notifications.show({ message });
      onDone();
    },
    onRefused: () => setBusy(false),
    ownNames: { dailyLimit: 'value' },
  });
  return { form, send };
}

/** Players get a limit of their managers; staff accounts the most they may give per day. */
export function LimitOfMany(props: BulkFormProps) {
  const { level, accounts, onClose } = props;
  const { form, send } = useLimitOfMany(props);
  const ofPlayers = level === 'user';
  const { limit, value } = form.values;
  const typed = typedLimit(value);
  const unit = ofPlayers && limit === 'minutesPerDay' ? 'Minutes' : 'Points';
  const shown = (points: number | null): string => {
    if (points === null || Number.isNaN(points)) return 'No limit';
    return unit === 'Minutes' ? `${points} min` : formatPoints(points);
  };
  return (
    <DialogForm
      label="Set limit"
      call={send}
      submit={typed === null ? 'Remove limit' : 'Set limit'}
      onCancel={() => send.busy || onClose()}
    >
      {ofPlayers && (
        <NativeSelect
          label="Limit"
          data={Object.entries(PROTECTION_LIMITS).map(([name, label]) => ({ value: name, label }))}
          {...form.getInputProps('limit')}
        />
      )}
      <TextInput
        label={ofPlayers ? unit : 'Points per day'}
        description={
          ofPlayers
            ? 'Applies immediately. The lower of it and the player’s own limit counts. Leave empty for none.'
            : 'Points each may give per day. Leave empty for no limit.'
        }
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('value')}
      />
      {ofPlayers && (
        <TextInput
          label="Reason"
          description="Shown in the history to those above the player."
          autoComplete="off"
          maxLength={200}
          {...form.getInputProps('reason')}
        />
      )}
      <DialogList label="Accounts">
        {accounts.map(({ _id, username, dailyLimit }, nth) => (
          <li key={_id}>
            <span>{username}</span>
            {form.errors[`ids.${nth}`] ? (
              <RefusedRow>{form.errors[`ids.${nth}`]}</RefusedRow>
            ) : (
              <span>{ofPlayers ? shown(typed) : `${shown(dailyLimit)} → ${shown(typed)}`}</span>
            )}
          </li>
        ))}
      </DialogList>
    </DialogForm>
  );
}
