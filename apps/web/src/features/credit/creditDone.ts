import { formatPoints } from '../../lib/format.ts';
import { addPoints } from '../../lib/pointsMath.ts';
import type { CreditAnswer } from './moveCredit.ts';
import { creditTexts } from './creditTexts.ts';

const texts = creditTexts;

/** What was moved: how much, in which direction, and between whom. */
export interface MovedCredit {
  readonly amount: number;
  readonly transactionType: 'credit' | 'debit';
  readonly username: string;
  /** The caller adjusted its own account. */
  readonly self: boolean;
}

/** What a movement of credit did, in a sentence or two: how much, to or from whom, and what both have now. */
export function creditDone(moved: MovedCredit, answer: CreditAnswer): string {
  const { transactionType, username, self } = moved;
  const amount = formatPoints(moved.amount);
  const yours = formatPoints(answer.senderWallet);
  const gives = transactionType === 'credit';
  if (self) return `${gives ? texts.issued(amount) : texts.retired(amount)} ${texts.youNowHave(yours)}`;
  const what = gives ? texts.gave(amount, username) : texts.tookBack(amount, username);
  return `${what} ${texts.nowHave(username, formatPoints(answer.receiverWallet), yours)}`;
}

/** What is left to give today after a movement; null without a limit. What is taken back does not count. */
export function leftAfter(left: number | null, { amount, transactionType, self }: MovedCredit): number | null {
  if (left === null || self || transactionType === 'debit') return left;
  return Math.max(0, addPoints(left, -amount));
}
