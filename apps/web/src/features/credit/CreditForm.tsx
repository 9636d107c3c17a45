import type { Account } from '@drawhouse/contract/accounts';
import { Alert, Group, PasswordInput, Radio, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, formErrorMessage } from '../../lib/api.ts';
import { readingMs } from '../../lib/readingTime.ts';
import { formatPoints } from '../../lib/format.ts';
import { homePath, listPath } from '../../lib/paths.ts';
import { parsePoints } from '../../lib/points.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useBalance, useLeftToday } from '../../lib/useBalance.ts';
import { useGo } from '../../lib/useGo.ts';
import { useOneAtATime } from '../../lib/useOneAtATime.ts';
import { useUser } from '../../lib/useSession.ts';
import { MESSAGE_MS } from '../../firstMessages.ts';
import { messages } from '../../messages.ts';
import { focusFirstError } from '../../ui/focusFirstError.ts';
import { FormPage } from '../../ui/FormPage.tsx';
import { CreditFacts } from './CreditFacts.tsx';
import { creditDone, doubtText, leftAfter } from './creditDone.ts';
import type { MovedCredit } from './creditDone.ts';
import { creditErrors, creditPreview, creditShortfall, EMPTY_CREDIT_FORM } from './creditForm.ts';
import type { CreditFormValues } from './creditForm.ts';
import { creditTitle } from './creditTitle.ts';
import type { CreditKind } from './creditTitle.ts';
import { moveCredit } from './moveCredit.ts';
import type { CreditAnswer } from './moveCredit.ts';

const texts = messages.credit;
const NOTE_MAX = 500;
/** The server's fields that this form shows beneath its own. */
const SERVER_FIELDS = ['transferAmount', 'adjustAmount', 'note', 'password'];

interface CreditFormProps {
  kind: CreditKind;
  target: Account;
}

/** The form of a transfer or an adjustment. A balance that would be below zero is not sent. */
export function CreditForm({ kind, target }: CreditFormProps) {
  const user = useUser();
  const go = useGo();
  const queries = useQueryClient();
  const hierarchy = useBalance() ?? user.walletBalance;
  const self = target._id === user._id;
  const leftToday = useLeftToday();
  const words = typeWords(self);
  const form = useForm<CreditFormValues>({
    mode: 'controlled',
    initialValues: EMPTY_CREDIT_FORM,
    validateInputOnBlur: ['amount', 'password'],
    validate: (values) => {
      const missing = creditShortfall(previewOf(values), target.username, leftToday);
      return { ...(missing !== null && { amount: missing }), ...creditErrors(kind, values) };
    },
  });
  const previewOf = (values: CreditFormValues) => creditPreview(values, target.walletBalance, self ? null : hierarchy);
  const preview = previewOf(form.values);
  const reload = () =>
    Promise.all([queryKeys.credit, queryKeys.accounts].map((part) => queries.invalidateQueries({ queryKey: [part] })));
  const move = useMutation({
    mutationFn: (values: CreditFormValues) => moveCredit(kind, target, values),
    onSuccess: ({ answer, repeated }, values) => {
      const done = answer.message ?? (kind === 'transfer' ? texts.transferred : texts.adjusted);
      // Whoever saw the new balance and meant the same once more must learn that it was not done.
      if (repeated) notifications.show({ message: texts.alreadyMoved, color: 'yellow', autoClose: false });
      else {
        const moved = movedOf(values);
        const text = creditDone(moved, answer);
        notifications.show({ title: done, message: text, autoClose: readingMs(done + text, MESSAGE_MS.credit) });
        showMoved(moved, answer);
      }
      // Before the reset, which takes away what leaving the password finds wrong with it.
      form.getInputNode('amount')?.focus();
      form.reset();
      return reload();
    },
    onError: (error) => {
      const fields = error instanceof ApiError ? fieldErrors(error) : {};
      form.setErrors(fields);
      focusFirstError(form, fields);
      // Another tab, or somebody else, may have moved credit since: the refusal may be about balances that are not shown.
      void reload();
    },
  });
  const send = useOneAtATime(move);
  const doubt = doubtText(move.error);
  const movedOf = ({ amount, transactionType }: CreditFormValues): MovedCredit => ({
    amount: parsePoints(amount) ?? 0,
    transactionType,
    username: target.username,
    self,
  });
  /** The figures for the next one are those of the answer; what is loaded again afterwards only confirms them. */
  const showMoved = (moved: MovedCredit, answer: CreditAnswer) => {
    const [account] = answer.data;
    queries.setQueryData([queryKeys.accounts, target.role, 'one', target._id], { success: true, data: account });
    queries.setQueryData([queryKeys.credit, user._id], {
      success: true,
      data: [{ _id: user._id, walletBalance: answer.senderWallet, leftToday: leftAfter(leftToday, moved) }],
    });
  };
  const verb = self ? words[form.values.transactionType] : texts[kind];

  return (
    <FormPage
      title={creditTitle(kind, target.role)}
      of={target.username}
      submitLabel={verb}
      busyLabel={messages.accounts.submitting}
      cancelLabel={texts.cancel}
      busy={move.isPending}
      dirty={form.isDirty()}
      error={doubt ?? formErrorMessage(move.error, SERVER_FIELDS)}
      attempt={move.submittedAt}
      clearAfterMs={doubt === null ? MESSAGE_MS.credit : null}
      onCancel={() => go.back(self ? homePath(user.role) : listPath(user.role, target.role))}
      onSubmit={form.onSubmit(
        (values) => send(values),
        (errors) => focusFirstError(form, errors),
      )}
    >
      {(!target.userStatus || target.inactiveAbove) && (
        <Alert color="yellow" variant="light">
          {target.inactiveAbove ? texts.inactiveAbove(target.inactiveAbove.username) : texts.inactive}
        </Alert>
      )}
      <CreditFacts target={target} self={self} caller={user.username} preview={preview} />
      {leftToday !== null && form.values.transactionType === 'credit' && (
        <Text size="sm">{texts.leftToday(formatPoints(leftToday))}</Text>
      )}
      {kind === 'adjust' && (
        <Radio.Group label={texts.transactionType} {...form.getInputProps('transactionType')}>
          <Group gap="lg" mt={6}>
            <Radio value="credit" label={words.credit} />
            <Radio value="debit" label={words.debit} />
          </Group>
        </Radio.Group>
      )}
      <TextInput
        label={texts.amount}
        inputMode="decimal"
        autoComplete="off"
        {...form.getInputProps('amount')}
        error={form.errors['amount'] ?? creditShortfall(preview, target.username, leftToday)}
      />
      <TextInput
        label={texts.note}
        description={texts.noteHint}
        autoComplete="off"
        maxLength={NOTE_MAX}
        {...form.getInputProps('note')}
      />
      <PasswordInput
        label={texts.password}
        description={texts.passwordHint}
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
    </FormPage>
  );
}

function typeWords(self: boolean): { credit: string; debit: string } {
  return self
    ? { credit: 'Issue credit', debit: 'Retire credit' }
    : { credit: 'Credit (give)', debit: 'Debit (take back)' };
}

/** The server's fields under the names of this form. */
function fieldErrors(error: ApiError): Record<string, string> {
  const fields = error.fields ?? {};
  const errors: Record<string, string> = {};
  const amount = fields['transferAmount'] ?? fields['adjustAmount'];
  if (amount !== undefined) errors['amount'] = amount;
  for (const name of ['note', 'password']) if (fields[name] !== undefined) errors[name] = fields[name];
  return errors;
}
