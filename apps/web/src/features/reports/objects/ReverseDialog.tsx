import { reverseTransfer } from '@drawhouse/contract/credit/credit';
import type { TransactionDetails, TransactionPage } from '@drawhouse/contract/reports/transactions';
import { PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { MESSAGE_MS } from '../../../firstTexts.ts';
import { commonTexts } from '../../../commonTexts.ts';
import { uncertainOutcomeText } from '../../../lib/form/formErrors.ts';
import { forgetKey, keyOfRequest } from '../../../lib/form/idempotencyKey.ts';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import { addPoints } from '../../../lib/format/format.ts';
import { call } from '../../../lib/server/api.ts';
import { reload } from '../../../lib/server/queryClient.ts';
import { useUser } from '../../../lib/session/session.ts';
import { DialogForm } from '../../../ui/dialog/DialogForm.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { objectTexts as texts } from './objectTexts.ts';
import classes from './objects.module.css';

interface ReverseDialogProps {
  data: TransactionDetails;
  reversible: NonNullable<TransactionPage['reversible']>;
  opened: boolean;
  onClose: () => void;
}

export function ReverseDialog({ data, reversible: { payer, receiver }, opened, onClose }: ReverseDialogProps) {
  const { form, call: reversal } = useReversal(data._id, onClose);
  return (
    <Dialog opened={opened} onClose={() => reversal.busy || onClose()} title={texts.reverseTitle} size="sm">
      <DialogForm label={texts.reverseTitle} call={reversal} submit={texts.reverse} danger onCancel={onClose}>
        <Text>{texts.reverseQuestion(data.amount, payer.name, receiver.name)}</Text>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{texts.account}</th>
              <th scope="col" data-align="right">
                {texts.before}
              </th>
              <th scope="col" data-align="right">
                {texts.after}
              </th>
            </tr>
          </thead>
          <tbody>
            {[
              { ...payer, after: addPoints(payer.balance, -data.amount) },
              { ...receiver, after: addPoints(receiver.balance, data.amount) },
            ].map(({ name, balance, after }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td data-align="right">
                  <Points value={balance} />
                </td>
                <td data-align="right">
                  <Points value={after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <TextInput label={texts.reason} description={texts.reasonHint} {...form.getInputProps('note')} />
        <PasswordInput
          label={commonTexts.credit.password}
          description={commonTexts.credit.passwordHint}
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
      </DialogForm>
    </Dialog>
  );
}

function useReversal(transferId: string, onDone: () => void) {
  const { _id: userId } = useUser();
  const form = useForm({
    initialValues: { note: '', password: '' },
    validate: { password: (value) => (value === '' ? commonTexts.credit.passwordRequired : null) },
  });
  const reversal = useFormCall(form, {
    send: async ({ note: typed, password }) => {
      const note = typed.trim() || undefined;
      const request = JSON.stringify(['reverse', userId, transferId, note]);
      const body = { transferId, password, userId, note };
      const answer = await call(reverseTransfer, { body }, { idempotencyKey: keyOfRequest(request) });
      forgetKey(request);
      return answer;
    },
    onDone: ({ message }) => {
      notifications.show({ message, autoClose: MESSAGE_MS.credit });
      onDone();
      void reload(['reports'], ['accounts'], ['credit'], ['activity']);
    },
    doubtText: (error) => uncertainOutcomeText(error, commonTexts.credit),
    clearAfterMs: MESSAGE_MS.credit,
  });
  return { form, call: reversal };
}
