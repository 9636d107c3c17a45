import type { PayoutResult } from '@drawhouse/contract/credit/payouts';
import type { PendingCommission } from '@drawhouse/contract/reports/commission';
import { sumPoints } from '@drawhouse/contract/core/primitives';
import { Button, Group, PasswordInput, Text } from '@mantine/core';
import { formatPoints } from '../../../lib/format/format.ts';
import { FailureText } from '../../../lib/RequestId.tsx';
import { commonTexts } from '../../../commonTexts.ts';
import { CallForm, SubmitButton, focusOnArrival } from '../../../ui/form/CallForm.tsx';
import { ChoiceButton } from '../../../ui/form/Choices.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { DialogList, RefusedRow } from '../../../ui/dialog/DialogForm.tsx';
import { StatusBadge } from '../../../ui/mark/StatusBadge.tsx';
import { pendingTexts } from './commissionTexts.ts';
import { usePayment, type PayTarget, type Payment } from './usePayment.ts';
import classes from './commission.module.css';
import { reload } from '../../../lib/server/queryClient.ts';

interface PayDialogProps {
  target: PayTarget;
  opened: boolean;
  onClose: () => void;
}

export function PayDialog({ target, opened, onClose }: PayDialogProps) {
  const payment = usePayment(target);
  const { rows, results, repeated, call } = payment;

  function close() {
    if (call.busy) return;
    onClose();
    // Earlier, paid rows would vanish beneath the results.
    if (results.size > 0) void reload(['reports'], ['accounts'], ['credit']);
  }

  const [only] = target.rows;
  const title =
    target.rows.length === 1 && !target.rest && only ? pendingTexts.payOne(only.username) : pendingTexts.payShown;
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      {repeated === null ? (
        <Question target={target} payment={payment} />
      ) : (
        <Answer results={[...results.values()]} repeated={repeated} />
      )}
      <PayList rows={rows ?? []} results={results} busy={call.busy} />
      {repeated === null ? (
        <PasswordForm label={title} payment={payment} onCancel={close} />
      ) : (
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button ref={focusOnArrival} onClick={close}>
            {pendingTexts.close}
          </Button>
        </Group>
      )}
    </Dialog>
  );
}

function Answer({ results, repeated }: { results: readonly PayoutResult[]; repeated: boolean }) {
  const paid = results.filter(({ refused }) => refused === null);
  return (
    <>
      <Text component="output" display="block" fw={600}>
        {pendingTexts.summary(paid.length, results.length, sumPoints(paid.map((result) => result.paid)))}
      </Text>
      {repeated && <Text mt="xs">{pendingTexts.repeated}</Text>}
    </>
  );
}

function Question({ target: { rows: shown, rest }, payment }: { target: PayTarget; payment: Payment }) {
  const { scope, setScope, rows, sum, problem, call, results } = payment;
  return (
    <>
      <Text fw={600}>{rows ? pendingTexts.question(rows.length, sum) : pendingTexts.loading}</Text>
      <Text mt="xs">{pendingTexts.consequence}</Text>
      {rest && (
        <fieldset className={classes.scope} aria-label={pendingTexts.scope} disabled={call.busy || results.size > 0}>
          <ChoiceButton type="button" chosen={scope === 'page'} onClick={() => setScope('page')}>
            {pendingTexts.onPage(shown.length)}
          </ChoiceButton>
          <ChoiceButton type="button" chosen={scope === 'all'} onClick={() => setScope('all')}>
            {pendingTexts.allThatMatch(rest.total)}
          </ChoiceButton>
        </fieldset>
      )}
      {problem && (
        <Text role="alert">
          <FailureText message={problem.message} />
        </Text>
      )}
    </>
  );
}

interface PasswordFormProps {
  label: string;
  payment: Payment;
  onCancel: () => void;
}

function PasswordForm({ label, payment: { rows, sum, form, call }, onCancel }: PasswordFormProps) {
  return (
    <CallForm
      className={classes.form}
      label={label}
      call={call}
      guarded={false}
      foot={
        <Group gap="xs">
          <SubmitButton disabled={call.busy || !rows?.length}>
            {call.busy ? pendingTexts.paying : pendingTexts.confirm(sum)}
          </SubmitButton>
          <Button variant="default" onClick={onCancel} disabled={call.busy}>
            {pendingTexts.cancel}
          </Button>
        </Group>
      }
    >
      <PasswordInput
        label={commonTexts.credit.password}
        description={commonTexts.credit.passwordHint}
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('password')}
      />
    </CallForm>
  );
}

interface PayListProps {
  rows: readonly PendingCommission[];
  results: ReadonlyMap<string, PayoutResult>;
  busy: boolean;
}

function PayList({ rows, results, busy }: PayListProps) {
  return (
    <DialogList label={pendingTexts.accounts}>
      {rows.map((row) => (
        <li key={row._id}>
          <span>{row.username}</span>
          <Outcome row={row} result={results.get(row._id)} busy={busy} />
        </li>
      ))}
    </DialogList>
  );
}

function Outcome({ row, result, busy }: { row: PendingCommission; result: PayoutResult | undefined; busy: boolean }) {
  if (result?.refused) return <RefusedRow>{result.refused.message}</RefusedRow>;
  if (result) return <StatusBadge tone="good">{pendingTexts.paid(result.paid)}</StatusBadge>;
  return <span className={classes.amount}>{busy ? pendingTexts.working : formatPoints(row.totalCommission)}</span>;
}
