import { closeWeeks, type CreditAction } from '@drawhouse/contract/weeks/close-weeks';
import type { PaymentMethod } from '@drawhouse/contract/weeks/week-payments';
import { sumPoints } from '@drawhouse/contract/core/primitives';
import { NativeSelect, PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import type { Ref } from 'react';
import { commonTexts } from '../../commonTexts.ts';
import { MESSAGE_MS } from '../../firstTexts.ts';
import { uncertainOutcomeText } from '../../lib/form/formErrors.ts';
import { forgetKey, keyOfRequest } from '../../lib/form/idempotencyKey.ts';
import { useFormCall, type FormCall } from '../../lib/form/useFormCall.ts';
import { addPoints, parsePoints } from '../../lib/format/format.ts';
import { call } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { useBalance } from '../../lib/server/useBalance.ts';
import { useUser } from '../../lib/session/session.ts';
import { CallForm, SubmitButton } from '../../ui/form/CallForm.tsx';
import { creditAfter, lineOf, previewOf, type LinePreview, type SettleLine } from './settleLines.ts';
import classes from './weeks.module.css';
import { paymentTexts, settleTexts as texts } from './weeksTexts.ts';

interface SettleValues {
  method: PaymentMethod;
  credit: CreditAction;
  refillTo: string;
  note: string;
  password: string;
}

interface SettleFormProps {
  /** First field. */
  first: Ref<HTMLSelectElement>;
  form: UseFormReturnType<SettleValues>;
  closing: FormCall;
  previews: readonly LinePreview[];
}

export function SettleForm({ first, form, closing, previews }: SettleFormProps) {
  return (
    <CallForm
      className={classes.form}
      label={texts.title}
      call={closing}
      foot={
        <SubmitButton loading={closing.busy} disabled={previews.length === 0}>
          {texts.close(previews.length)}
        </SubmitButton>
      }
    >
      <Summary previews={previews} />
      <NativeSelect
        ref={first}
        label={texts.method}
        data={Object.entries(paymentTexts.methods).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('method')}
      />
      <TextInput label={texts.note} {...form.getInputProps('note')} />
      <PasswordInput
        label={commonTexts.credit.password}
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
    </CallForm>
  );
}

function Summary({ previews }: { previews: readonly LinePreview[] }) {
  const own = useBalance();
  const paid = (isIn: boolean) =>
    sumPoints(previews.filter(({ due }) => due >= 0 === isIn).map((preview) => preview.paid ?? 0));
  const given = sumPoints(previews.map(({ credit }) => credit ?? 0));
  return (
    <div>
      <Text fw={600}>{texts.summary(previews.length, paid(true), paid(false))}</Text>
      {given !== 0 && own !== undefined && (
        <Text c={own < given ? 'var(--dh-loss)' : undefined}>{texts.ownCredit(own, addPoints(own, -given))}</Text>
      )}
    </div>
  );
}

export function useClosing(day: string, lines: readonly SettleLine[]) {
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
        lines: lines.map((line) => lineOf(line, previewOf(line, creditAfter(credit, refillTo)), method)),
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
      void reload(['reports'], ['accounts'], ['credit'], ['notices']);
    },
    beforeSend: ({ credit, refillTo }, proceed) => {
      if (lines.every((line) => previewOf(line, creditAfter(credit, refillTo)).paid !== null)) proceed();
    },
    doubtText: (error) => uncertainOutcomeText(error, commonTexts.credit),
  });
  return { form, closing };
}
