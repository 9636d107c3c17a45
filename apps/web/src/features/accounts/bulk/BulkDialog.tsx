import type { Account } from '@drawhouse/contract/accounts/accounts';
import { bulkDailyLimit, bulkStatus } from '@drawhouse/contract/accounts/bulk-accounts';
import { BULK_MAX } from '@drawhouse/contract/core/primitives';
import { bulkPlayerLimit } from '@drawhouse/contract/players/protection';
import { PROTECTION_LIMITS, type ProtectionLimit } from '@drawhouse/contract/players/player-limits';
import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { commonTexts, type Level } from '../../../commonTexts.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { reloadAccounts, type StatusAction, toggleConsequence, useDescendantCounts } from '../accountActions.ts';
import { type BulkAct, type BulkFormProps, type BulkTarget, counted } from './bulkValues.ts';
import { CreditOfMany } from './CreditOfMany.tsx';
import { bulkTexts } from './bulkTexts.ts';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import { schemaErrors } from '../../../lib/form/schemaErrors.ts';
import { call } from '../../../lib/server/api.ts';
import { formatCount, formatPoints } from '../../../lib/format/format.ts';
import { DialogForm, DialogList, RefusedRow } from '../../../ui/dialog/DialogForm.tsx';
import { StatusBadge } from '../../../ui/mark/StatusBadge.tsx';

interface BulkDialogProps {
  level: Level;
  target: BulkTarget | null;
  onDone: (accounts: readonly Account[]) => void;
  onClose: () => void;
}

const BULK_TITLES: Readonly<Record<BulkAct, string>> = {
  transfer: bulkTexts.transferCredit,
  takeBack: bulkTexts.takeBackCredit,
  activate: commonTexts.accounts.toggle.activate.title,
  deactivate: commonTexts.accounts.toggle.deactivate.title,
  limit: bulkTexts.setLimit,
};

export function BulkDialog({ level, target, onDone, onClose }: BulkDialogProps) {
  const [shown, setShown] = useState<BulkTarget | null>(null);
  const [isBusy, setBusy] = useState(false);
  // Kept while the dialog fades out.
  if (target && target !== shown) setShown(target);
  if (!shown) return null;
  const { act, accounts } = shown;
  const props = {
    ...shown,
    level,
    setBusy,
    onClose,
    onDone: () => {
      onDone(accounts);
      onClose();
      void reloadAccounts();
    },
  };
  const key = `${act} ${accounts.map(({ _id }) => _id).join(' ')}`;
  return (
    <Dialog opened={target !== null} onClose={() => isBusy || onClose()} title={BULK_TITLES[act]} size="lg">
      {accounts.length > BULK_MAX ? (
        <TooMany count={accounts.length} onClose={onClose} />
      ) : act === 'transfer' || act === 'takeBack' ? (
        <CreditOfMany key={key} {...props} act={act} />
      ) : act === 'limit' ? (
        <LimitOfMany key={key} {...props} />
      ) : (
        <StatusOfMany key={key} {...props} act={act} />
      )}
    </Dialog>
  );
}

function TooMany({ count, onClose }: { count: number; onClose: () => void }) {
  return (
    <>
      <Text>{bulkTexts.tooMany(counted(count, 'account'), BULK_MAX)}</Text>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose} data-autofocus>
          {bulkTexts.close}
        </Button>
      </Group>
    </>
  );
}

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
function LimitOfMany(props: BulkFormProps) {
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

const texts = commonTexts.accounts;

function StatusOfMany(props: BulkFormProps & { act: StatusAction }) {
  const { act, level, accounts, setBusy, onDone, onClose } = props;
  const below = useDescendantCounts(act === 'deactivate' ? accounts : []);
  const consequence = toggleConsequence(act, accounts, below);
  const form = useForm({ initialValues: {} });
  const send = useFormCall(form, {
    send: () => {
      setBusy(true);
      return call(
        bulkStatus,
        { body: { ids: accounts.map(({ _id }) => _id), action: act } },
        { fallback: texts.toggleFailed },
      );
    },
    onDone: ({ message }) => {
      setBusy(false);
      notifications.show({ message });
      onDone();
    },
    onRefused: () => setBusy(false),
  });
  const count = formatCount(accounts.length);
  const names = accounts.length === 1 ? texts.titles[level] : commonTexts.dashboard.cards[level];
  const after = act === 'activate';
  return (
    <DialogForm
      label={texts.toggle[act].title}
      call={send}
      confirms={bulkStatus}
      submit={`${texts.toggle[act].label} ${count}`}
      danger={act === 'deactivate'}
      onCancel={() => send.busy || onClose()}
    >
      <Text>{bulkTexts.areYouSureYou(act, count, names.toLowerCase())}</Text>
      {consequence !== null && <Text>{consequence}</Text>}
      <DialogList label={bulkTexts.accounts}>
        {accounts.map(({ _id, username, userStatus }) => (
          <li key={_id}>
            <span>{username}</span>
            <span>
              <StatusBadge tone={userStatus ? 'good' : 'neutral'}>
                {userStatus ? bulkTexts.active : bulkTexts.deactive}
              </StatusBadge>
              {userStatus === after ? null : ` → ${after ? bulkTexts.active : bulkTexts.deactive}`}
            </span>
          </li>
        ))}
      </DialogList>
    </DialogForm>
  );
}
