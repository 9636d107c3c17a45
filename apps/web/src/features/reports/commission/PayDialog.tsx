import type { PayoutResult, PendingCommission } from '@drawhouse/contract/reports/commission';
import { sumPoints } from '@drawhouse/contract/frame/primitives';
import { Button, Group, PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { MESSAGE_MS } from '../../../firstMessages.ts';
import { doubtOf } from '../../../lib/doubt.ts';
import { formatPoints } from '../../../lib/format.ts';
import { queryKeys } from '../../../lib/queryKeys.ts';
import { useFormCall } from '../../../lib/useFormCall.ts';
import { messages } from '../../../messages.ts';
import { CallForm } from '../../../ui/CallForm.tsx';
import { ChoiceButton } from '../../../ui/ChoiceButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogList, RefusedRow } from '../../../ui/DialogList.tsx';
import { focusOnArrival } from '../../../ui/focusOnArrival.ts';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { SubmitButton } from '../../../ui/SubmitButton.tsx';
import { PENDING } from './commissionTexts.ts';
import { allPending, payAll } from './payCommission.ts';
import classes from './PayDialog.module.css';

/** Whom to pay: rows as the list showed them when it was asked. */
export interface PayAsked {
  readonly rows: readonly PendingCommission[];
  /** Where the list matches more than these: what it is narrowed by, and how many there are. */
  readonly rest?: { readonly query: Readonly<Record<string, string>>; readonly total: number };
}

interface PayDialogProps {
  asked: PayAsked;
  opened: boolean;
  onClose: () => void;
}

/**
 * Asks once, with the sum and what will happen, before commission is paid out, then shows what came of each account. Give each opening a
 * key of its own.
 */
export function PayDialog({ asked, opened, onClose }: PayDialogProps) {
  const queries = useQueryClient();
  const [scope, setScope] = useState<'page' | 'all'>('page');
  const [results, setResults] = useState<ReadonlyMap<string, PayoutResult>>(new Map());
  const [repeated, setRepeated] = useState<boolean | null>(null);
  const told = useRef(results);
  const { rest } = asked;
  const all = useQuery({
    queryKey: [queryKeys.reports, 'commission', 'all', rest?.query],
    queryFn: ({ signal }) => allPending(rest!.query, signal),
    enabled: scope === 'all' && repeated === null,
    // What is confirmed is what is paid: it does not change under the question.
    staleTime: Infinity,
    gcTime: 0,
  });
  const rows = scope === 'page' ? asked.rows : all.data;
  const sum = rows && sumPoints(rows.map((row) => row.totalCommission));
  const isOver = repeated !== null;

  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value === '' ? messages.credit.passwordRequired : null) },
  });
  const call = useFormCall(form, {
    send: ({ password }) =>
      payAll(
        rows ?? [],
        password,
        (id) => told.current.has(id),
        (news) => {
          told.current = new Map([...told.current, ...news.map((each) => [each.toUserId, each] as const)]);
          setResults(told.current);
        },
      ),
    onDone: (wasDone) => {
      setRepeated(wasDone);
      form.reset();
    },
    doubtText: (error) => doubtOf(error, messages.credit),
    clearAfterMs: MESSAGE_MS.credit,
  });

  function close() {
    if (call.busy) return;
    onClose();
    // Loaded again once it has been read: the rows that are paid would go from beneath the answer.
    if (results.size > 0)
      for (const part of [queryKeys.reports, queryKeys.accounts, queryKeys.credit])
        void queries.invalidateQueries({ queryKey: [part] });
  }

  const [only] = asked.rows;
  const title = asked.rows.length === 1 && !rest && only ? PENDING.payOne(only.username) : PENDING.payShown;
  return (
    <Dialog opened={opened} onClose={close} title={title} centered size="md">
      {isOver ? (
        <>
          <Text component="output" display="block" fw={600}>
            {summaryOf([...results.values()])}
          </Text>
          {repeated && <Text mt="xs">{PENDING.repeated}</Text>}
        </>
      ) : (
        <>
          <Text fw={600}>{rows && sum !== undefined ? PENDING.question(rows.length, sum) : PENDING.loading}</Text>
          <Text mt="xs">{PENDING.consequence}</Text>
          {rest && (
            <fieldset className={classes.scope} aria-label={PENDING.scope} disabled={call.busy || results.size > 0}>
              <ChoiceButton type="button" chosen={scope === 'page'} onClick={() => setScope('page')}>
                {PENDING.onPage(asked.rows.length)}
              </ChoiceButton>
              <ChoiceButton type="button" chosen={scope === 'all'} onClick={() => setScope('all')}>
                {PENDING.allThatMatch(rest.total)}
              </ChoiceButton>
            </fieldset>
          )}
          {all.error && scope === 'all' && <Text role="alert">{all.error.message}</Text>}
        </>
      )}
      <PayList rows={rows ?? []} results={results} busy={call.busy} />
      {isOver ? (
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button ref={focusOnArrival} onClick={close}>
            {PENDING.close}
          </Button>
        </Group>
      ) : (
        <CallForm
          className={classes.form}
          label={title}
          call={call}
          guarded={false}
          foot={
            <Group gap="xs">
              <SubmitButton disabled={call.busy || !rows?.length}>
                {call.busy ? PENDING.paying : PENDING.confirm(sum ?? 0)}
              </SubmitButton>
              <Button variant="default" onClick={close} disabled={call.busy}>
                {PENDING.cancel}
              </Button>
            </Group>
          }
        >
          <PasswordInput
            label={messages.credit.password}
            description={messages.credit.passwordHint}
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('password')}
          />
        </CallForm>
      )}
    </Dialog>
  );
}

interface PayListProps {
  rows: readonly PendingCommission[];
  results: ReadonlyMap<string, PayoutResult>;
  busy: boolean;
}

/** The accounts with what each is to be paid, then with what came of it. */
function PayList({ rows, results, busy }: PayListProps) {
  return (
    <DialogList label={PENDING.accounts}>
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
  if (result) return <StatusBadge tone="good">{PENDING.paid(result.paid)}</StatusBadge>;
  return <span className={classes.amount}>{busy ? PENDING.working : formatPoints(row.totalCommission)}</span>;
}

function summaryOf(results: readonly PayoutResult[]): string {
  const paid = results.filter(({ refused }) => refused === null);
  return PENDING.summary(paid.length, results.length, sumPoints(paid.map((result) => result.paid)));
}
