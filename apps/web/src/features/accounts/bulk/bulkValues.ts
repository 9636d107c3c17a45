import type { Level } from '../../../commonTexts.ts';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import { sumPoints } from '@drawhouse/contract/core/primitives';
import { addPoints, formatCount, formatPoints, parsePoints } from '../../../lib/format/format.ts';
import { bulkTexts } from './bulkTexts.ts';

export type BulkAct = 'transfer' | 'takeBack' | 'activate' | 'deactivate' | 'limit';

export interface BulkTarget {
  act: BulkAct;
  accounts: readonly Account[];
}

export interface BulkFormProps extends BulkTarget {
  level: Level;
  setBusy: (busy: boolean) => void;
  onDone: () => void;
  onClose: () => void;
}

/** `all`: everything that each account has. */
export interface BulkCreditForm {
  amount: string;
  take: 'each' | 'all';
  note: string;
  password: string;
  transfers: string;
}

export const EMPTY_BULK_CREDIT: BulkCreditForm = { amount: '', take: 'each', note: '', password: '', transfers: '' };

export interface CreditRow {
  readonly account: Account;
  readonly amount: number;
  readonly before: number;
  readonly after: number;
  /** Why this account can't take part. */
  readonly problem: string | null;
}

export type CreditAct = 'transfer' | 'takeBack';

/** Counts an invalid amount as 0, so balances show unchanged. */
export function creditRows(act: CreditAct, accounts: readonly Account[], form: BulkCreditForm): CreditRow[] {
  const typed = parsePoints(form.amount) ?? 0;
  const takesAll = act === 'takeBack' && form.take === 'all';
  return accounts.map((account) => {
    const before = account.walletBalance;
    const amount = takesAll ? before : typed;
    const after = addPoints(before, act === 'transfer' ? amount : -amount);
    return { account, amount, before, after, problem: problemOf(act, account, { amount, after, takesAll }) };
  });
}

function problemOf(
  act: CreditAct,
  { userStatus, inactiveAbove, walletBalance }: Account,
  { amount, after, takesAll }: { readonly amount: number; readonly after: number; readonly takesAll: boolean },
): string | null {
  if (act === 'transfer') {
    if (!userStatus) return bulkTexts.notActive;
    return inactiveAbove ? bulkTexts.aboveIsNotActive(inactiveAbove.username) : null;
  }
  if (takesAll && amount < 1) return walletBalance === 0 ? bulkTexts.hasNoCredit : bulkTexts.hasLessThan1;
  return after < 0 ? bulkTexts.hasOnly(formatPoints(walletBalance)) : null;
}

export function creditFormErrors(
  act: CreditAct,
  form: BulkCreditForm,
  {
    total,
    balance,
    leftToday,
  }: { readonly total: number; readonly balance: number; readonly leftToday: number | null },
): Record<string, string> {
  const errors: Record<string, string> = {};
  const amount = parsePoints(form.amount);
  const asksAmount = act === 'transfer' || form.take === 'each';
  if (asksAmount && form.amount.trim() === '') errors['amount'] = bulkTexts.amountIsRequired;
  else if (asksAmount && (amount === null || amount <= 0)) errors['amount'] = bulkTexts.invalidTransferAmountPlease;
  else if (act === 'takeBack' && asksAmount && amount! < 1) errors['amount'] = bulkTexts.amountMustBeGreater;
  else if (act === 'transfer' && leftToday !== null && total > leftToday)
    errors['amount'] = bulkTexts.yourDailyLimitLeaves(formatPoints(leftToday));
  else if (act === 'transfer' && total > balance)
    errors['amount'] = bulkTexts.youHaveOnlyPoints(formatPoints(balance), formatPoints(total));
  if (form.password === '') errors['password'] = bulkTexts.passwordIsRequired;
  return errors;
}

export function totalOf(rows: readonly CreditRow[]): number {
  return sumPoints(rows.map(({ amount }) => amount));
}

export function counted(count: number, name: string): string {
  return `${formatCount(count)} ${name}${count === 1 ? '' : 's'}`;
}
