import { formatPoints } from '../../lib/format.ts';
import { addPoints } from '../../lib/pointsMath.ts';
import type { CreditAnswer } from './moveCredit.ts';
import { creditTexts } from './creditTexts.ts';

const texts = creditTexts;

export interface MovedCredit {
  readonly amount: number;
  readonly transactionType: 'credit' | 'debit';
  readonly username: string;
  readonly self: boolean;
}

export function creditDone(moved: MovedCredit, answer: CreditAnswer): string {
  const { transactionType, username, self } = moved;
  const amount = formatPoints(moved.amount);
  const yours = formatPoints(answer.senderWallet);
  const gives = transactionType === 'credit';
  if (self) return `${gives ? texts.issued(amount) : texts.retired(amount)} ${texts.youNowHave(yours)}`;
  const what = gives ? texts.gave(amount, username) : texts.tookBack(amount, username);
  return `${what} ${texts.nowHave(username, formatPoints(answer.receiverWallet), yours)}`;
}

/** Remaining daily allowance; null without a limit. Debits do not restore it. */
export function leftAfter(left: number | null, { amount, transactionType, self }: MovedCredit): number | null {
  if (left === null || self || transactionType === 'debit') return left;
  return Math.max(0, addPoints(left, -amount));
}
