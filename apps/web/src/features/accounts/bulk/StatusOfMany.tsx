import { bulkStatus } from '@drawhouse/contract/accounts/bulk-accounts';
import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { commonTexts } from '../../../commonTexts.ts';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import { call } from '../../../lib/server/api.ts';
import { formatCount } from '../../../lib/format/format.ts';
import { DialogForm, DialogList } from '../../../ui/dialog/DialogForm.tsx';
import { StatusBadge } from '../../../ui/mark/StatusBadge.tsx';
import { toggleConsequence, useDescendantCounts, type StatusAction } from '../statusChange.ts';
import type { BulkFormProps } from './bulkValues.ts';
import { bulkTexts } from './bulkTexts.ts';

const texts = commonTexts.accounts;

export function StatusOfMany(props: BulkFormProps & { act: StatusAction }) {
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
