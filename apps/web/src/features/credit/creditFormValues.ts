import type { Account } from '@drawhouse/contract/accounts/accounts';
import { formatPoints, addPoints, parsePoints } from '../../lib/format/format.ts';
import { isOfFirstCell } from '../../lib/session/rights.ts';
import { creditTexts, type CreditKind } from './creditTexts.ts';

const texts = creditTexts;
const SMALLEST_ADJUSTMENT = 1;

export interface CreditFormValues {
  amount: string;
  note: string;
  password: string;
  transactionType: 'credit' | 'debit';
}

/** Refused outside the first cell, unlike retiring. */
export const ISSUING = { inFirstCell: true } as const;

export const emptyCreditForm = (self: boolean): CreditFormValues => ({
  amount: '',
  note: '',
  password: '',
  transactionType: self && isOfFirstCell(ISSUING) ? 'debit' : 'credit',
});

export function creditErrors(kind: CreditKind, values: CreditFormValues): Record<string, string> {
  const errors: Record<string, string> = {};
  const amount = parsePoints(values.amount);
  if (values.amount.trim() === '') errors['amount'] = texts.amountRequired;
  else if (amount === null) errors['amount'] = kind === 'transfer' ? texts.invalidTransfer : texts.invalidAdjust;
  else if (kind === 'transfer' && amount <= 0) errors['amount'] = texts.invalidTransfer;
  else if (kind === 'adjust' && amount < SMALLEST_ADJUSTMENT) errors['amount'] = texts.amountTooSmall;
  if (values.password === '') errors['password'] = texts.passwordRequired;
  return errors;
}

export type CreditTarget = Pick<Account, '_id' | 'username' | 'role' | 'userStatus' | 'inactiveAbove'> & {
  walletBalance: number | null;
};

export interface BalanceChange {
  before: number;
  after: number;
}

/** Individual Credit of the target, Hierarchy Credit of the caller. */
export interface CreditPreview {
  /** Null while another cell, which knows it, does not answer. */
  individual: BalanceChange | null;
  hierarchy?: BalanceChange;
}

export function creditPreview(
  values: CreditFormValues,
  individual: number | null,
  hierarchy: number | null,
): CreditPreview {
  const amount = parsePoints(values.amount) ?? 0;
  const signed = values.transactionType === 'debit' ? -amount : amount;
  const preview: CreditPreview = {
    individual: individual === null ? null : { before: individual, after: addPoints(individual, signed) },
  };
  if (hierarchy !== null) preview.hierarchy = { before: hierarchy, after: addPoints(hierarchy, -signed) };
  return preview;
}

/** Reports a negative balance or an exceeded daily limit. Null if credit suffices. */
export function creditShortfall(
  { individual, hierarchy }: CreditPreview,
  target: string,
  leftToday: number | null,
): string | null {
  if (individual && individual.after < 0) {
    const balance = formatPoints(individual.before);
    return hierarchy ? texts.tooMuchToTake(target, balance) : texts.tooMuchToRetire(balance);
  }
  const passedOn = hierarchy ? addPoints(hierarchy.before, -hierarchy.after) : 0;
  if (leftToday !== null && passedOn > leftToday) return texts.dailyLimitLeft(formatPoints(leftToday));
  if (hierarchy && hierarchy.after < 0) return texts.tooMuchToGive(formatPoints(hierarchy.before));
  return null;
}
