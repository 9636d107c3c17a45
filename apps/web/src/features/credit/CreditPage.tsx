import { distantAdmin, type DistantAdmin } from '@drawhouse/contract/credit/own-credit';
import type { Role } from '@drawhouse/contract/core/primitives';
import { ApiError } from '@drawhouse/session/api-client';
import { Button, Group, PasswordInput, Radio, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callQuery, errorMessage } from '../../lib/server/api.ts';
import { ErrorState } from '../../ui/page/PageStates.tsx';
import { LoadingOverlay } from '../../ui/page/Loading.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { accountQuery } from '../../lib/server/accountLookup.ts';
import { type CreditKind, creditTexts, creditTitle } from './creditTexts.ts';
import { formatPoints } from '../../lib/format/format.ts';
import { homePath, listPath } from '../../lib/paths.ts';
import { go, useSearch } from '../../lib/navigation.ts';
import { useTimedMessage } from '../../lib/form/timedMessage.ts';
import { usePageNote } from '../../lib/form/usePageNote.ts';
import { useInTransit } from '../../lib/server/useBalance.ts';
import { useUser } from '../../lib/session/session.ts';
import { MESSAGE_MS } from '../../firstTexts.ts';
import { commonTexts } from '../../commonTexts.ts';
import { AsideColumn, FormPage } from '../../ui/form/FormPage.tsx';
import { focusOnArrival } from '../../ui/form/CallForm.tsx';
import { PathLink } from '../../ui/page/PathLink.tsx';
import { creditDone } from './moveCredit.ts';
import { emptyCreditForm, ISSUING, type CreditTarget } from './creditFormValues.ts';
import { CreditFacts, InactiveTarget, SilentCell } from './CreditFacts.tsx';
import classes from './credit.module.css';
import { useCreditForm } from './useCreditForm.ts';

interface CreditPageProps {
  level: Role;
  id: string;
}

export function CreditTransferPage(props: CreditPageProps) {
  return <CreditPage {...props} kind="transfer" />;
}

export function CreditAdjustPage(props: CreditPageProps) {
  return <CreditPage {...props} kind="adjust" />;
}

function CreditPage({ kind, level, id }: CreditPageProps & { kind: CreditKind }) {
  const { data, error, refetch } = useQuery(accountQuery(level, id));
  // A refetch clears the error. The form must not go with it: a new one would have another idempotency key.
  const [silentId, setSilentId] = useState<string>();
  const isSilent = silentId === id;
  if (level === 'admin' && error instanceof ApiError && error.code === 'NOT_READY' && !isSilent) setSilentId(id);
  const distant = useQuery({
    ...callQuery(['accounts', 'distant', id], distantAdmin, { params: { id } }),
    enabled: isSilent,
  });
  if (data) return <CreditForm kind={kind} target={data.data} />;
  if (isSilent && distant.data) {
    const admin = distant.data.data;
    const { _id, username } = admin;
    const unknown = { userStatus: true, inactiveAbove: null, walletBalance: null };
    const target = { _id, username, role: 'admin', ...unknown } as const;
    return <CreditForm kind={kind} target={target} silent={admin} />;
  }
  return (
    <>
      <PageHeader title={creditTitle(kind, level)} />
      {error ? (
        <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <LoadingOverlay visible label={creditTexts.individual} />
      )}
    </>
  );
}

const texts = creditTexts;
const NOTE_MAX = 500;

interface CreditFormProps {
  kind: CreditKind;
  target: CreditTarget;
  silent?: DistantAdmin;
}

function CreditForm({ kind, target, silent }: CreditFormProps) {
  const user = useUser();
  const [receipt, setReceipt] = useState('');
  const [done, showDone] = useTimedMessage(MESSAGE_MS.credit);
  const title = creditTitle(kind, target.role);
  const note = usePageNote(`${title} ${target.username}`);
  // Links such as `top up aarav101 500` fill the form.
  const { amount, next } = useSearch();
  const filled = typeof amount === 'string' ? amount : '';
  const onMoved: Parameters<typeof useCreditForm>[2] = ({ moved, answer, repeated }, form) => {
    const message = answer.message ?? (kind === 'transfer' ? texts.transferred : texts.adjusted);
    // The user may have meant a second movement.
    if (repeated) note.show({ message: texts.alreadyMoved, color: 'yellow', autoClose: false });
    showDone(repeated || answer.inTransit ? null : message);
    setReceipt(repeated ? '' : creditDone(moved, answer));
    // Focus first: leaving the password field would set an error, which the reset clears.
    form.getInputNode('amount')?.focus();
    form.setInitialValues(emptyCreditForm(target._id === user._id));
    form.reset();
  };
  const credit = useCreditForm(kind, target, onMoved, filled);
  const { form, self, preview, leftToday } = credit;
  const inTransit = useInTransit();
  const words = typeWords(self);
  const verb = self ? words[form.values.transactionType] : texts[kind];

  return (
    <FormPage
      title={title}
      of={target.username}
      call={credit.call}
      isBlocked={silent?.canSend === false}
      route={self && form.values.transactionType === 'credit' ? ISSUING : undefined}
      submitLabel={verb}
      busyLabel={commonTexts.accounts.submitting}
      cancelLabel={texts.cancel}
      onCancel={() => go.back(self ? homePath(user.role) : listPath(user.role, target.role))}
    >
      <AsideColumn>
        {silent ? <SilentCell admin={silent} /> : <InactiveTarget target={target} />}
        <CreditFacts target={target} self={self} caller={user.username} preview={preview} isFrozen={credit.isFrozen} />
        {leftToday !== null && form.values.transactionType === 'credit' && (
          <Text size="sm">{texts.leftToday(formatPoints(leftToday))}</Text>
        )}
        {inTransit > 0 && <Text size="sm">{texts.inTransit(formatPoints(inTransit))}</Text>}
      </AsideColumn>
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
        {...form.getInputProps('amount')}
        error={credit.amountError}
      />
      <TextInput label={texts.note} description={texts.noteHint} maxLength={NOTE_MAX} {...form.getInputProps('note')} />
      <PasswordInput
        label={texts.password}
        description={texts.passwordHint}
        autoComplete="current-password"
        {...form.getInputProps('password')}
        ref={filled ? focusOnArrival : undefined}
      />
      <output className={classes.told}>
        {credit.call.status === 'success' && [done, receipt].filter(Boolean).join(' ')}
      </output>
      {next !== undefined && credit.call.status === 'success' && <NextButton />}
    </FormPage>
  );
}

function typeWords(self: boolean): { credit: string; debit: string } {
  return self
    ? { credit: creditTexts.issueCredit, debit: creditTexts.retireCredit }
    : { credit: creditTexts.creditGive, debit: creditTexts.debitTakeBack };
}

function NextButton() {
  const { role } = useUser();
  return (
    <Button
      component={PathLink}
      href={homePath(role)}
      className={classes.next}
      // The field's error would move the button from under the pointer.
      onMouseDown={(event) => event.preventDefault()}
    >
      {creditTexts.next}
    </Button>
  );
}
