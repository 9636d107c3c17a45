import type { Account } from '@drawhouse/contract/accounts/accounts';
import {
  FLOOR_MEASURES,
  makeStandingOrder,
  STANDING_ORDER_KINDS,
} from '@drawhouse/contract/standing-orders/standing-orders';
import { weekDays } from '@drawhouse/contract/weeks/week-sheet';
import { Checkbox, Group, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { commonTexts } from '../../commonTexts.ts';
import { MESSAGE_MS } from '../../firstTexts.ts';
import { uncertainOutcomeText } from '../../lib/form/formErrors.ts';
import { forgetKey, keyOfRequest } from '../../lib/form/idempotencyKey.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { call, callQuery } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { useBalance } from '../../lib/server/useBalance.ts';
import { may } from '../../lib/session/rights.ts';
import { useUser } from '../../lib/session/session.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { DialogForm } from '../../ui/dialog/DialogForm.tsx';
import { bodyOf, NEW_ORDER, orderErrors, previewOf, type StandingOrderForm } from './standingOrderForm.ts';
import classes from './standingOrders.module.css';
import { standingOrderTexts as texts } from './standingOrderTexts.ts';

interface StandingOrderDialogProps {
  account: Account;
  opened: boolean;
  onClose: () => void;
}

const choices = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

export function StandingOrderDialog({ account, opened, onClose }: StandingOrderDialogProps) {
  const { form, making } = useMaking(account, onClose);
  const title = texts.titleOf(account.username);
  const { kind } = form.values;
  return (
    <Dialog opened={opened} onClose={() => making.busy || onClose()} title={title}>
      <DialogForm label={title} call={making} submit={texts.make} onCancel={onClose}>
        <NativeSelect label={texts.kind} data={choices(STANDING_ORDER_KINDS)} {...form.getInputProps('kind')} />
        {kind === 'floor' && (
          <NativeSelect label={texts.measure} data={choices(FLOOR_MEASURES)} {...form.getInputProps('measure')} />
        )}
        <TextInput label={texts.sum[kind]} inputMode="decimal" data-autofocus {...form.getInputProps('sum')} />
        {kind === 'temporary' && (
          <TextInput label={texts.takeBackAt} type="datetime-local" {...form.getInputProps('takeBackAt')} />
        )}
        {kind === 'refill' && <RefillTimes form={form} />}
        <Preview account={account} form={form.values} isOpen={opened} />
        <PasswordInput
          label={commonTexts.credit.password}
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
      </DialogForm>
    </Dialog>
  );
}

function RefillTimes({ form }: { form: UseFormReturnType<StandingOrderForm> }) {
  const { timeZone } = useUser();
  return (
    <>
      <TextInput
        label={texts.clock}
        description={texts.clockHint(timeZone)}
        type="time"
        {...form.getInputProps('clock')}
      />
      <Checkbox.Group label={texts.weekdays} {...form.getInputProps('weekdays')}>
        <Group gap="sm" mt={6}>
          {texts.weekdayNames.map((name, weekday) => (
            <Checkbox key={name} value={String(weekday)} label={name} />
          ))}
        </Group>
      </Checkbox.Group>
    </>
  );
}

interface PreviewProps {
  account: Account;
  form: StandingOrderForm;
  isOpen: boolean;
}

function Preview({ account: { _id: id, username, walletBalance }, form, isOpen }: PreviewProps) {
  const { timeZone } = useUser();
  const own = useBalance() ?? 0;
  const [now] = useState(() => new Date());
  const { data } = useQuery({
    ...callQuery(['reports', 'owed', id], weekDays.route, { query: { id } }),
    enabled: isOpen && form.kind === 'floor' && form.measure === 'owed' && may('reports'),
  });
  const lines = previewOf(form, { username, credit: walletBalance, owed: data?.sheet?.balance, own }, now, timeZone);
  return (
    <section className={classes.preview} aria-label={texts.preview} aria-live="polite">
      {lines ? lines.map((line) => <p key={line}>{line}</p>) : <p className={classes.none}>{texts.enter}</p>}
    </section>
  );
}

function useMaking({ _id: accountId }: Account, onDone: () => void) {
  const { _id: userId } = useUser();
  const form = useForm<StandingOrderForm>({
    initialValues: NEW_ORDER,
    validate: (values) => orderErrors(accountId, values),
  });
  const making = useFormCall(form, {
    send: async (values) => {
      const { password, ...order } = bodyOf(accountId, values);
      const request = JSON.stringify(['standing order', userId, order]);
      const answer = await call(
        makeStandingOrder,
        { body: { ...order, password, userId } },
        { idempotencyKey: keyOfRequest(request) },
      );
      forgetKey(request);
      return answer;
    },
    onDone: ({ message }) => {
      notifications.show({ message, autoClose: MESSAGE_MS.credit });
      onDone();
      void reload(['standingOrders'], ['accounts'], ['credit'], ['reports']);
    },
    doubtText: (error) => uncertainOutcomeText(error, commonTexts.credit),
  });
  return { form, making };
}
