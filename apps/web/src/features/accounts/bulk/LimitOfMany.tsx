import { bulkDailyLimit } from '@drawhouse/contract/accounts/bulk-accounts';
import { bulkPlayerLimit } from '@drawhouse/contract/players/protection';
import { PROTECTION_LIMITS, type ProtectionLimit } from '@drawhouse/contract/players/protection-names';
import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import { schemaErrors } from '../../../lib/form/schemaErrors.ts';
import { call } from '../../../lib/server/api.ts';
import { formatPoints } from '../../../lib/format/format.ts';
import { DialogForm, DialogList, RefusedRow } from '../../../ui/dialog/DialogForm.tsx';
import type { BulkFormProps } from './bulkValues.ts';
import { bulkTexts } from './bulkTexts.ts';

interface LimitForm {
  limit: ProtectionLimit;
  value: string;
  reason: string;
  /** Key of errors about rows: `ids.3`. */
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

/** Players get a limit of their managers; staff the most they may give per day. */
export function LimitOfMany(props: BulkFormProps) {
  const { level, accounts, onClose } = props;
  const { form, send } = useLimitOfMany(props);
  const ofPlayers = level === 'user';
  const { limit, value } = form.values;
  const typed = typedLimit(value);
  const unit = ofPlayers && limit === 'minutesPerDay' ? bulkTexts.minutes : bulkTexts.points;
  const shown = (points: number | null): string => {
    if (points === null || Number.isNaN(points)) return bulkTexts.noLimit;
    return unit === 'Minutes' ? bulkTexts.min(points) : formatPoints(points);
  };
  return (
    <DialogForm
      label={bulkTexts.setLimit}
      call={send}
      confirms={ofPlayers ? bulkPlayerLimit : bulkDailyLimit}
      submit={typed === null ? bulkTexts.removeLimit : bulkTexts.setLimit}
      onCancel={() => send.busy || onClose()}
    >
      {ofPlayers && (
        <NativeSelect
          label={bulkTexts.limit}
          data={Object.entries(PROTECTION_LIMITS).map(([name, label]) => ({ value: name, label }))}
          {...form.getInputProps('limit')}
        />
      )}
      <TextInput
        label={ofPlayers ? unit : bulkTexts.pointsPerDay}
        description={ofPlayers ? bulkTexts.appliesImmediatelyLowerIt : bulkTexts.pointsEachMayGive}
        inputMode="decimal"
        data-autofocus
        {...form.getInputProps('value')}
      />
      {ofPlayers && (
        <TextInput
          label={bulkTexts.reason}
          description={bulkTexts.shownInHistoryThose}
          maxLength={200}
          {...form.getInputProps('reason')}
        />
      )}
      <DialogList label={bulkTexts.accounts}>
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
