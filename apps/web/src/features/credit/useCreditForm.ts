import type { Account } from '@drawhouse/contract/accounts';
import { useForm } from '@mantine/form';
import type { UseFormReturnType } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { parsePoints } from '../../lib/points.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useBalance, useLeftToday } from '../../lib/useBalance.ts';
import { useFormCall } from '../../lib/useFormCall.ts';
import type { FormCall } from '../../lib/useFormCall.ts';
import { useUser } from '../../lib/useSession.ts';
import { MESSAGE_MS } from '../../firstMessages.ts';
import { doubtText, leftAfter } from './creditDone.ts';
import type { MovedCredit } from './creditDone.ts';
import { creditErrors, creditPreview, creditShortfall, EMPTY_CREDIT_FORM } from './creditForm.ts';
import type { CreditFormValues, CreditPreview } from './creditForm.ts';
import type { CreditKind } from './creditTitle.ts';
import { moveCredit } from './moveCredit.ts';
import type { CreditAnswer } from './moveCredit.ts';

/** The server's names of the amount. */
const OWN_NAMES = { transferAmount: 'amount', adjustAmount: 'amount' } as const;

/** What a credit form has done. */
export interface CreditDone {
  moved: MovedCredit;
  answer: CreditAnswer;
  /** It had been done before, by a request whose answer never came; nothing was moved now. */
  repeated: boolean;
}

/** What a credit form holds and knows. */
export interface CreditForm {
  form: UseFormReturnType<CreditFormValues>;
  call: FormCall;
  /** The caller adjusts its own account. */
  self: boolean;
  /** Both balances before and after what is typed. */
  preview: CreditPreview;
  /** What the caller may still give today; null without a limit. */
  leftToday: number | null;
  /** What is wrong with the amount, or why there is too little credit for it; undefined or null where it can be sent. */
  amountError: ReactNode;
}

/**
 * A form that moves credit between the signed-in account and another: an amount that one of them has not is not sent, what is sent
 * again acts once, and the new balances are shown wherever they stand. `onMoved` hears of what was done.
 */
export function useCreditForm(
  kind: CreditKind,
  target: Account,
  onMoved: (done: CreditDone, form: UseFormReturnType<CreditFormValues>) => void,
): CreditForm {
  const user = useUser();
  const queries = useQueryClient();
  const hierarchy = useBalance() ?? user.walletBalance;
  const leftToday = useLeftToday();
  const self = target._id === user._id;
  const previewOf = (values: CreditFormValues) => creditPreview(values, target.walletBalance, self ? null : hierarchy);
  const form = useForm<CreditFormValues>({
    mode: 'controlled',
    initialValues: EMPTY_CREDIT_FORM,
    validateInputOnBlur: ['amount', 'password'],
    validate: (values) => {
      const missing = creditShortfall(previewOf(values), target.username, leftToday);
      return { ...(missing !== null && { amount: missing }), ...creditErrors(kind, values) };
    },
  });
  const reload = () =>
    Promise.all([queryKeys.credit, queryKeys.accounts].map((part) => queries.invalidateQueries({ queryKey: [part] })));
  /** The figures for the next one are those of the answer; what is loaded again afterwards only confirms them. */
  const showMoved = (moved: MovedCredit, answer: CreditAnswer) => {
    const [account] = answer.data;
    queries.setQueryData([queryKeys.accounts, target.role, 'one', target._id], { success: true, data: account });
    queries.setQueryData([queryKeys.credit, user._id], {
      success: true,
      data: [{ _id: user._id, walletBalance: answer.senderWallet, leftToday: leftAfter(leftToday, moved) }],
    });
  };
  const call = useFormCall(form, {
    send: (values) => moveCredit(kind, target, values),
    onDone: ({ answer, repeated }, { amount, transactionType }) => {
      const moved = { amount: parsePoints(amount) ?? 0, transactionType, username: target.username, self };
      if (!repeated) showMoved(moved, answer);
      onMoved({ moved, answer, repeated }, form);
      return reload();
    },
    // Another tab, or somebody else, may have moved credit since: the refusal may be about balances that are not shown.
    onRefused: () => void reload(),
    ownNames: OWN_NAMES,
    doubtText,
    clearAfterMs: MESSAGE_MS.credit,
  });
  const preview = previewOf(form.values);
  const amountError = form.errors['amount'] ?? creditShortfall(preview, target.username, leftToday);
  return { form, call, self, preview, leftToday, amountError };
}
