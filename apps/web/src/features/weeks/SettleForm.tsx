import { closeWeeks } from '@drawhouse/contract/weeks/close-weeks';
import type { CreditAction } from '@drawhouse/contract/weeks/close-weeks';
import type { PaymentMethod } from '@drawhouse/contract/weeks/week-payments';
import { sumPoints } from '@drawhouse/contract/core/primitives';
import { NativeSelect, PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { commonTexts } from '../../commonTexts.ts';
import { MESSAGE_MS } from '../../firstTexts.ts';
import { uncertainOutcomeText } from '../../lib/form/formErrors.ts';
import { forgetKey, keyOfRequest } from '../../lib/form/idempotencyKey.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { parsePoints } from '../../lib/format/format.ts';
import { call } from '../../lib/server/api.ts';
import { queryKeys } from '../../lib/server/queryKeys.ts';
import { useUser } from '../../lib/session/session.ts';
import { CallForm, SubmitButton } from '../../ui/form/CallForm.tsx';
import { amountOf, lineOf } from './settleLines.ts';
import type { SettleLine } from './settleLines.ts';
import classes from './weeks.module.css';
import { paymentTexts, settleTexts as texts } from './weeksTexts.ts';

interface SettleFormProps {
  day: string;
  lines: readonly SettleLine[];
}

interface SettleValues {
  method: PaymentMethod;
  credit: CreditAction;
  refillTo: string;
  note: string;
  password: string;
}

export function SettleForm({ day, lines }: SettleFormProps) {
  const { form, closing } = useClosing(day, lines);
  const paid = (isIn: boolean) =>
    sumPoints(lines.filter(({ row }) => row.balance >= 0 === isIn).map((line) => amountOf(line) ?? 0));
  return (
    <CallForm
      className={classes.form}
      label={texts.title}
      call={closing}
      foot={
        <SubmitButton loading={closing.busy} disabled={lines.length === 0}>
          {texts.close(lines.length)}
        </SubmitButton>
      }
    >
      <Text fw={600}>{texts.summary(lines.length, paid(true), paid(false))}</Text>
      <NativeSelect
        label={texts.method}
        data={Object.entries(paymentTexts.methods).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('method')}
      />
      <NativeSelect label={texts.credit} data={texts.credits} {...form.getInputProps('credit')} />
      {form.values.credit === 'refill' && (
        <TextInput label={texts.refillTo} inputMode="decimal" {...form.getInputProps('refillTo')} />
      )}
      <TextInput label={texts.note} {...form.getInputProps('note')} />
      <PasswordInput
        label={commonTexts.credit.password}
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
    </CallForm>
  );
}

function useClosing(day: string, lines: readonly SettleLine[]) {
  const queries = useQueryClient();
  const { _id: userId } = useUser();
  const form = useForm<SettleValues>({
    initialValues: { method: 'cash', credit: 'stay', refillTo: '', note: '', password: '' },
    validate: {
      password: (value) => (value === '' ? commonTexts.credit.passwordRequired : null),
      refillTo: (value, { credit }) => (credit === 'refill' && !parsePoints(value) ? texts.wrongAmount : null),
    },
  });
  const closing = useFormCall(form, {
    send: async ({ method, credit, refillTo, note, password }) => {
      const body = {
        day,
        lines: lines.map((line) => lineOf(line, method)),
        credit,
        ...(credit === 'refill' && { refillTo: parsePoints(refillTo)! }),
        note: note.trim() || undefined,
        userId,
      };
      const request = JSON.stringify(['close weeks', body]);
      const answer = await call(closeWeeks, { body: { ...body, password } }, { idempotencyKey: keyOfRequest(request) });
      forgetKey(request);
      return answer;
    },
    onDone: ({ message }) => {
      notifications.show({ message, autoClose: MESSAGE_MS.credit });
      form.reset();
      for (const part of [queryKeys.reports, queryKeys.accounts, queryKeys.credit])
        void queries.invalidateQueries({ queryKey: [part] });
    },
    beforeSend: (_values, proceed) => {
      if (lines.every((line) => amountOf(line) !== null)) proceed();
    },
    doubtText: (error) => uncertainOutcomeText(error, commonTexts.credit),
  });
  return { form, closing };
}
