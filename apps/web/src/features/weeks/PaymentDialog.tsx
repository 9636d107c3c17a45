import { recordPayment, type PaymentDirection, type PaymentMethod } from '@drawhouse/contract/weeks/week-payments';
import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { commonTexts } from '../../commonTexts.ts';
import { uncertainOutcomeText } from '../../lib/form/formErrors.ts';
import { forgetKey, keyOfRequest } from '../../lib/form/idempotencyKey.ts';
import { schemaErrors } from '../../lib/form/schemaErrors.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { formatPoints, parsePoints } from '../../lib/format/format.ts';
import { call } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { useUser } from '../../lib/session/session.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { DialogForm } from '../../ui/dialog/DialogForm.tsx';
import { paymentTexts as texts } from './weeksTexts.ts';

export interface PaymentTarget {
  readonly id: string;
  readonly username: string;
  readonly parent: string;
  /** Points. Above zero, the account owes. */
  readonly balance: number;
}

interface PaymentDialogProps {
  account: PaymentTarget;
  opened: boolean;
  onClose: () => void;
}

interface PaymentForm {
  direction: PaymentDirection;
  sum: string;
  method: PaymentMethod;
  reference: string;
  note: string;
}

export function PaymentDialog({ account, opened, onClose }: PaymentDialogProps) {
  const { form, payment } = usePayment(account, onClose);
  const choice = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).map(([value, label]) => ({ value, label }));
  return (
    <Dialog opened={opened} onClose={() => payment.busy || onClose()} title={texts.title(account.username)} size="sm">
      <DialogForm label={texts.title(account.username)} call={payment} submit={texts.record} onCancel={onClose}>
        <p>{texts.owes(account.username, account.parent, account.balance)}</p>
        <NativeSelect
          label={texts.direction}
          data={choice(texts.directions(account.username, account.parent))}
          {...form.getInputProps('direction')}
        />
        <TextInput label={texts.amount} inputMode="decimal" data-autofocus {...form.getInputProps('sum')} />
        <NativeSelect label={texts.method} data={choice(texts.methods)} {...form.getInputProps('method')} />
        <TextInput label={texts.reference} description={texts.referenceHint} {...form.getInputProps('reference')} />
        <TextInput label={texts.note} {...form.getInputProps('note')} />
      </DialogForm>
    </Dialog>
  );
}

function usePayment({ id: accountId, balance }: PaymentTarget, onDone: () => void) {
  const { _id: userId } = useUser();
  const bodyOf = ({ sum, reference, note, ...rest }: PaymentForm) => ({
    accountId,
    sum: parsePoints(sum) ?? Number.NaN,
    reference: reference.trim() || undefined,
    note: note.trim() || undefined,
    ...rest,
  });
  const form = useForm<PaymentForm>({
    initialValues: {
      direction: balance < 0 ? 'out' : 'in',
      sum: balance === 0 ? '' : formatPoints(Math.abs(balance)),
      method: 'cash',
      reference: '',
      note: '',
    },
    validate: (values) => schemaErrors(recordPayment.body!, bodyOf(values)),
  });
  const payment = useFormCall(form, {
    send: async (values) => {
      const body = bodyOf(values);
      const request = JSON.stringify(['week-payment', userId, body]);
      const answer = await call(recordPayment, { body }, { idempotencyKey: keyOfRequest(request) });
      forgetKey(request);
      return answer;
    },
    onDone: ({ message }) => {
      notifications.show({ message });
      onDone();
      void reload(['reports']);
    },
    doubtText: (error) => uncertainOutcomeText(error, commonTexts.credit),
  });
  return { form, payment };
}
