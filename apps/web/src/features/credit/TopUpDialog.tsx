import type { Account } from '@drawhouse/contract/accounts/accounts';
import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount, formatPoints, parsePoints } from '../../lib/format/format.ts';
import { useUser } from '../../lib/session/session.ts';
import { commonTexts } from '../../commonTexts.ts';
import { CallForm, SubmitButton, focusOnArrival } from '../../ui/form/CallForm.tsx';
import { ChoiceButton } from '../../ui/form/Choices.tsx';
import { creditDone, type CreditAnswer } from './moveCredit.ts';
import { CreditFacts, InactiveTarget } from './CreditFacts.tsx';
import { accountQuery } from '../../lib/server/accountLookup.ts';
import classes from './credit.module.css';
import { useCreditForm, type CreditForm } from './useCreditForm.ts';
import { creditTexts } from './creditTexts.ts';

const texts = creditTexts;
/** In points. */
const AMOUNTS = [100, 500, 1000, 5000];

interface TopUpDialogProps {
  account: Account;
  opened: boolean;
  onClose: () => void;
}

export function TopUpDialog({ account, opened, onClose }: TopUpDialogProps) {
  const { data } = useQuery({
    ...accountQuery(account.role, account._id),
    placeholderData: { success: true, data: account },
  });
  const target = data?.data ?? account;
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const credit = useCreditForm('transfer', target, ({ moved, answer, repeated }, { reset }) => {
    setReceipt({
      head: headOf(answer, repeated),
      text: creditDone(moved, answer),
    });
    reset();
  });
  const { form, call } = credit;
  // It is mounted open, so the dialog's own focus return fails.
  const [cameFrom] = useState(() => document.activeElement);

  return (
    <Modal
      opened={opened}
      onClose={() => call.busy || onClose()}
      onExitTransitionEnd={() => {
        form.reset();
        if (cameFrom instanceof HTMLElement) cameFrom.focus();
      }}
      title={texts.topUpOf(account.username)}
      styles={{ title: { fontWeight: 600, overflowWrap: 'anywhere' } }}
      size="sm"
      withCloseButton={receipt === null}
    >
      {receipt ? (
        <ReceiptView {...receipt} onClose={onClose} />
      ) : (
        <TopUpForm target={target} credit={credit} onCancel={onClose} />
      )}
    </Modal>
  );
}

function headOf({ inTransit, message }: CreditAnswer, repeated: boolean): string {
  if (repeated) return texts.alreadyMoved;
  return inTransit ? texts.sent : (message ?? texts.transferred);
}

interface TopUpFormProps {
  target: Account;
  credit: CreditForm;
  onCancel: () => void;
}

function TopUpForm({ target, credit, onCancel }: TopUpFormProps) {
  const { username } = useUser();
  const { form, call, leftToday } = credit;
  return (
    <CallForm
      label={texts.topUp}
      call={call}
      foot={
        <Group gap="xs">
          <SubmitButton disabled={call.busy}>{call.busy ? commonTexts.accounts.submitting : texts.topUp}</SubmitButton>
          <Button variant="default" onClick={onCancel} disabled={call.busy}>
            {texts.cancel}
          </Button>
        </Group>
      }
    >
      <InactiveTarget target={target} />
      <CreditFacts target={target} self={false} caller={username} preview={credit.preview} isFrozen={credit.isFrozen} />
      {leftToday !== null && <Text size="sm">{texts.leftToday(formatPoints(leftToday))}</Text>}
      <UsualAmounts
        chosen={parsePoints(form.values.amount)}
        onChoose={(amount) => {
          form.setFieldValue('amount', String(amount));
          form.getInputNode('password')?.focus();
        }}
      />
      <TextInput
        label={texts.amount}
        inputMode="decimal"
        data-autofocus
        {...form.getInputProps('amount')}
        error={credit.amountError}
      />
      <PasswordInput
        label={texts.password}
        description={texts.passwordHint}
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
    </CallForm>
  );
}

interface UsualAmountsProps {
  /** Points; null if invalid. */
  chosen: number | null;
  onChoose: (amount: number) => void;
}

function UsualAmounts({ chosen, onChoose }: UsualAmountsProps) {
  return (
    <fieldset className={classes.amounts} aria-label={texts.usualAmounts}>
      {AMOUNTS.map((usual) => (
        <ChoiceButton key={usual} type="button" chosen={chosen === usual} onClick={() => onChoose(usual)}>
          {formatCount(usual)}
        </ChoiceButton>
      ))}
    </fieldset>
  );
}

interface Receipt {
  readonly head: string;
  readonly text: string;
}

function ReceiptView({ head, text, onClose }: Receipt & { onClose: () => void }) {
  return (
    <Stack gap="md">
      <output className={classes.receipt}>
        <Text mb={4}>{head}</Text>
        <Text fw={600}>{text}</Text>
      </output>
      <Group gap="xs">
        <Button ref={focusOnArrival} onClick={onClose}>
          {texts.receiptRead}
        </Button>
      </Group>
    </Stack>
  );
}
