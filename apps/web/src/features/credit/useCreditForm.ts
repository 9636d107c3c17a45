import { useForm, type UseFormReturnType } from '@mantine/form';
import { useRef, useState, type ReactNode } from 'react';
import { ApiError } from '@drawhouse/session/api-client';
import { uncertainOutcomeText, hasUncertainOutcome } from '../../lib/form/formErrors.ts';
import { parsePoints } from '../../lib/format/format.ts';
import { useBalance, useLeftToday } from '../../lib/server/useBalance.ts';
import { useFormCall, type FormCall } from '../../lib/form/useFormCall.ts';
import { useUser } from '../../lib/session/session.ts';
import { MESSAGE_MS } from '../../firstTexts.ts';
import { leftAfter, moveCredit, requestOf, type MovedCredit, type CreditAnswer } from './moveCredit.ts';
import {
  creditErrors,
  creditPreview,
  creditShortfall,
  emptyCreditForm,
  type CreditFormValues,
  type CreditPreview,
  type CreditTarget,
} from './creditFormValues.ts';
import { creditTexts, type CreditKind } from './creditTexts.ts';
import { queryClient, reload } from '../../lib/server/queryClient.ts';

const OWN_NAMES = { transferAmount: 'amount', adjustAmount: 'amount' } as const;

export interface CreditDone {
  moved: MovedCredit;
  answer: CreditAnswer;
  repeated: boolean;
}

interface UncertainMovement {
  readonly requests: readonly string[];
  readonly individual: number | null;
  readonly hierarchy: number;
  readonly leftToday: number | null;
}

export interface CreditForm {
  form: UseFormReturnType<CreditFormValues>;
  call: FormCall;
  self: boolean;
  preview: CreditPreview;
  /** Balances from before an uncertain movement, until its outcome is known. */
  isFrozen: boolean;
  leftToday: number | null;
  amountError: ReactNode;
}

/** After a lost answer, both balances freeze until the outcome is known: refreshing only one would mislead. */
export function useCreditForm(
  kind: CreditKind,
  target: CreditTarget,
  onMoved: (done: CreditDone, form: UseFormReturnType<CreditFormValues>) => void,
  amountToStart = '',
): CreditForm {
  const user = useUser();
  const [doubt, setDoubt] = useState<UncertainMovement | null>(null);
  const balance = useBalance() ?? user.walletBalance;
  const left = useLeftToday();
  const now = { individual: target.walletBalance, hierarchy: balance, leftToday: left };
  const { individual, hierarchy, leftToday } = doubt ?? now;
  const self = target._id === user._id;
  const requestFor = (values: CreditFormValues) => requestOf(kind, user._id, target._id, values);
  const sent = useRef('');
  const previewOf = (values: CreditFormValues) => creditPreview(values, individual, self ? null : hierarchy);
  const form = useForm<CreditFormValues>({
    // A link with an amount never retires it.
    initialValues: { ...emptyCreditForm(self && amountToStart === ''), amount: amountToStart },
    validateInputOnBlur: ['amount', 'password'],
    validate: (values) => {
      const missing = creditShortfall(previewOf(values), target.username, leftToday);
      return { ...(missing !== null && { amount: missing }), ...creditErrors(kind, values) };
    },
  });
  /** The later reload only confirms the answer's balances. */
  const showMoved = (moved: MovedCredit, answer: CreditAnswer) => {
    const [account] = answer.data;
    if (account)
      queryClient.setQueryData(['accounts', target.role, 'one', target._id], { success: true, data: account });
    queryClient.setQueryData(['credit', user._id], {
      success: true,
      data: [{ _id: user._id, walletBalance: answer.senderWallet, leftToday: leftAfter(leftToday, moved) }],
    });
  };
  const call = useFormCall(form, {
    send: (values) => {
      sent.current = requestFor(values);
      return moveCredit(kind, target, values, doubt?.requests.includes(sent.current) ?? false);
    },
    onDone: async ({ answer, repeated }, { amount, transactionType }) => {
      const moved = { amount: parsePoints(amount) ?? 0, transactionType, username: target.username, self };
      if (!repeated) {
        showMoved(moved, answer);
        setDoubt(null);
      }
      onMoved({ moved, answer, repeated }, form);
      await reload(['credit'], ['accounts'], ['counts']);
      setDoubt(null);
    },
    onRefused: (error) => {
      if (hasUncertainOutcome(error)) {
        setDoubt((before) => ({ ...(before ?? now), requests: [...(before?.requests ?? []), sent.current] }));
        return;
      }
      if (doubt && !isSettledBy(error, doubt, sent.current)) return;
      // Other tabs and users move credit too.
      void reload(['credit'], ['accounts']).then(() => setDoubt(null));
    },
    ownNames: OWN_NAMES,
    doubtText: (error) => uncertainOutcomeText(error, creditTexts),
    clearAfterMs: MESSAGE_MS.credit,
  });
  const preview = previewOf(form.values);
  const amountError = form.errors['amount'] ?? creditShortfall(preview, target.username, leftToday);
  return { form, call, self, preview, isFrozen: doubt !== null, leftToday, amountError };
}

/** True if the refusal proves that the uncertain request did not run: else the resend would return its answer. */
function isSettledBy(error: unknown, { requests }: UncertainMovement, sent: string): boolean {
  const isRefused = error instanceof ApiError && error.status === 422;
  return isRefused && requests.every((request) => request === sent);
}
