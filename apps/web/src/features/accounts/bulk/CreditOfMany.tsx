import type { Account } from '@drawhouse/contract/accounts/accounts';
import { transferToMany } from '@drawhouse/contract/credit/payouts';
import { NOTE_MAX } from '@drawhouse/contract/core/primitives';
import { Alert, Button, PasswordInput, Radio, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useRef, useState } from 'react';
import { commonTexts } from '../../../commonTexts.ts';
import { MESSAGE_MS } from '../../../firstTexts.ts';
import { addPoints, formatCount, formatPoints } from '../../../lib/format/format.ts';
import { forgetKey, keyOfRequest } from '../../../lib/form/idempotencyKey.ts';
import { hasUncertainOutcome, uncertainOutcomeText } from '../../../lib/form/formErrors.ts';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import { call } from '../../../lib/server/api.ts';
import { useBalance, useLeftToday } from '../../../lib/server/useBalance.ts';
import { useUser } from '../../../lib/session/session.ts';
import { DialogForm } from '../../../ui/dialog/DialogForm.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import {
  counted,
  creditFormErrors,
  creditRows,
  EMPTY_BULK_CREDIT,
  totalOf,
  type BulkCreditForm,
  type BulkFormProps,
  type CreditAct,
  type CreditRow,
} from './bulkValues.ts';
import table from '../rowTable.module.css';
import classes from './bulk.module.css';
import { bulkTexts } from './bulkTexts.ts';

const SCROLL = `${table.scroll} ${classes.scroll}`;

const VERBS = { transfer: 'Transfer', takeBack: bulkTexts.takeBack } as const;

/** Moves credit for all accounts or for none. */
export function CreditOfMany(props: BulkFormProps & { act: CreditAct }) {
  const { act, onClose } = props;
  const { form, call: send, rows, total, leaveOut, balance } = useCreditOfMany(props);
  const problems = rows.filter(({ problem }) => problem !== null);
  const amountError = form.errors['amount'];
  return (
    <DialogForm
      label={VERBS[act]}
      call={send}
      submit={total > 0 ? `${VERBS[act]} ${formatPoints(total)}` : VERBS[act]}
      onCancel={() => send.busy || onClose()}
    >
      {act === 'takeBack' && (
        <Radio.Group label={bulkTexts.howMuch} {...form.getInputProps('take')}>
          <Group gap="lg" mt={6}>
            <Radio value="each" label={bulkTexts.sameFromEach} />
            <Radio value="all" label={bulkTexts.allTheirCredit} />
          </Group>
        </Radio.Group>
      )}
      {(act === 'transfer' || form.values.take === 'each') && (
        <TextInput
          label={bulkTexts.amountForEachAccount}
          inputMode="decimal"
          data-autofocus
          {...form.getInputProps('amount')}
          error={amountError}
        />
      )}
      <Blocked count={problems.length} onLeaveOut={() => leaveOut(problems.map(({ account }) => account))} />
      <RowTable rows={rows} errorOf={(nth) => rowError(form.errors, nth)} />
      <p className={classes.totals}>
        {bulkTexts.totals(
          counted(rows.length, 'account'),
          formatPoints(total),
          formatPoints(balance),
          formatPoints(addPoints(balance, act === 'transfer' ? -total : total)),
        )}
      </p>
      <TextInput
        label={bulkTexts.note}
        description={bulkTexts.optionalShownInEach}
        maxLength={NOTE_MAX}
        {...form.getInputProps('note')}
      />
      <PasswordInput
        label={commonTexts.credit.password}
        description={commonTexts.credit.passwordHint}
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
    </DialogForm>
  );
}

function useCreditOfMany({ act, accounts, setBusy, onDone }: BulkFormProps & { act: CreditAct }) {
  const user = useUser();
  const balance = useBalance() ?? user.walletBalance;
  const leftToday = useLeftToday();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [inDoubt, setInDoubt] = useState('');
  const sent = useRef('');
  const taking = accounts.filter(({ _id }) => !left.has(_id));
  const rowsOf = (values: BulkCreditForm) => creditRows(act, taking, values);
  const form = useForm<BulkCreditForm>({
    initialValues: EMPTY_BULK_CREDIT,
    validate: (values) => {
      const rows = rowsOf(values);
      const blocked = rows.findIndex(({ problem }) => problem !== null);
      const errors = creditFormErrors(act, values, { total: totalOf(rows), balance, leftToday });
      return blocked < 0 ? errors : { ...errors, [`transfers.${blocked}`]: rows[blocked]!.problem };
    },
  });
  const send = useFormCall(form, {
    send: async (values) => {
      setBusy(true);
      const { password } = values;
      const note = values.note.trim() || undefined;
      const transfers = rowsOf(values).map(({ account, amount }) => ({ toUserId: account._id, amount }));
      const transactionType = act === 'transfer' ? 'credit' : 'debit';
      const request = JSON.stringify(['bulk', user._id, transactionType, transfers, note]);
      sent.current = request;
      let repeated = false;
      const options = {
        idempotencyKey: keyOfRequest(request, inDoubt === request),
        onRepeated: () => void (repeated = true),
      };
      const body = { transfers, transactionType, password, userId: user._id, note } as const;
      const answer = await call(transferToMany, { body }, options);
      forgetKey(request);
      return { answer, repeated };
    },
    onDone: ({ answer, repeated }) => {
      setBusy(false);
      const count = counted(answer.results.length, 'account');
      const moved = formatPoints(answer.moved);
      const message = repeated
        ? bulkTexts.thisHadAlreadyGone
        : bulkTexts.moved[act](answer.message, moved, count, formatPoints(answer.senderWallet));
      notifications.show({ message, ...(repeated && { color: 'yellow', autoClose: false }) });
      onDone();
    },
    onRefused: (error) => {
      setBusy(false);
      if (hasUncertainOutcome(error)) setInDoubt(sent.current);
    },
    doubtText: (error) => uncertainOutcomeText(error, commonTexts.credit),
    clearAfterMs: MESSAGE_MS.credit,
  });
  const rows = rowsOf(form.values);
  const leaveOut = (those: readonly Account[]) => {
    form.clearErrors();
    setLeft(new Set([...left, ...those.map(({ _id }) => _id)]));
  };
  return { form, call: send, rows, total: totalOf(rows), leaveOut, balance };
}

/** Finds the server's error about a row: `transfers.3.amount`. */
function rowError(errors: Readonly<Record<string, unknown>>, nth: number): string | null {
  const names = [`transfers.${nth}`, `transfers.${nth}.amount`, `transfers.${nth}.toUserId`];
  return names.map((name) => errors[name]).find((error) => typeof error === 'string') ?? null;
}

interface RowTableProps {
  rows: readonly CreditRow[];
  errorOf: (nth: number) => string | null;
}

function RowTable({ rows, errorOf }: RowTableProps) {
  if (rows.length === 0) return <Text c="dimmed">{bulkTexts.noAccountIsLeft}</Text>;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section className={SCROLL} aria-label={`Accounts (${formatCount(rows.length)})`} tabIndex={0}>
      <table className={table.rows}>
        <thead>
          <tr>
            <th scope="col">{bulkTexts.account}</th>
            <th scope="col" data-amount>
              {bulkTexts.before}
            </th>
            <th scope="col" data-amount>
              {bulkTexts.after}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ account, before, after, problem }, nth) => {
            const text = errorOf(nth) ?? problem;
            return (
              <tr key={account._id}>
                <th scope="row">
                  {account.username}
                  {text !== null && <span className={table.problem}>{text}</span>}
                </th>
                <td data-amount>
                  <Points value={before} />
                </td>
                <td data-amount data-changed={before !== after || undefined}>
                  <Points value={after} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

interface BlockedProps {
  count: number;
  onLeaveOut: () => void;
}

/** One such account refuses the whole list. */
function Blocked({ count, onLeaveOut }: BlockedProps) {
  if (count === 0) return null;
  return (
    <Alert color="yellow" variant="light">
      <Group justify="space-between" gap="xs">
        <span>{bulkTexts.blocked(counted(count, 'account'))}</span>
        <Button size="xs" variant="default" onClick={onLeaveOut}>
          {bulkTexts.leaveOut(count)}
        </Button>
      </Group>
    </Alert>
  );
}
