import { accountRoutes, type creditAnswer } from '@drawhouse/contract/accounts/accounts';
import type { infer as Infer } from 'zod/mini';
import { ApiError } from '@drawhouse/session/api-client';
import { call } from '../../lib/server/api.ts';
import { forgetKey, keyOfRequest } from '../../lib/form/idempotencyKey.ts';
import { parsePoints, addPoints, formatPoints } from '../../lib/format/format.ts';
import { getSession } from '../../lib/session/session.ts';
import type { CreditFormValues, CreditTarget } from './creditFormValues.ts';
import { creditTexts, type CreditKind } from './creditTexts.ts';

const texts = creditTexts;

export type CreditAnswer = Infer<typeof creditAnswer>;

/** `repeated`: answer of an earlier request; nothing moved now. */
export interface CreditResult {
  answer: CreditAnswer;
  repeated: boolean;
}

/** Gives equal text for equal movements; excludes the password. */
export function requestOf(kind: CreditKind, userId: string, targetId: string, values: CreditFormValues): string {
  const note = values.note.trim() || undefined;
  return JSON.stringify([kind, userId, targetId, parsePoints(values.amount), values.transactionType, note]);
}

/** A resend before the answer returns the first result. `isWaiting`: the form still warns about this request. */
export async function moveCredit(
  kind: CreditKind,
  target: Pick<CreditTarget, '_id' | 'role'>,
  values: CreditFormValues,
  isWaiting: boolean,
): Promise<CreditResult> {
  const userId = getSession()?.user?._id;
  if (userId === undefined) throw new ApiError('NOT_SIGNED_IN', texts.notSignedIn);
  const amount = parsePoints(values.amount);
  if (amount === null) {
    throw new ApiError('INVALID_INPUT', kind === 'transfer' ? texts.invalidTransfer : texts.invalidAdjust);
  }
  if (values.password.trim() === '') {
    throw new ApiError('INVALID_INPUT', kind === 'transfer' ? texts.transferPassword : texts.adjustPassword);
  }
  const { password, transactionType } = values;
  const note = values.note.trim() || undefined;
  const shared = { toUserId: target._id, password, userId, note };
  const request = requestOf(kind, userId, target._id, values);
  const idempotencyKey = keyOfRequest(request, isWaiting);
  const routes = accountRoutes[target.role];
  let repeated = false;
  const options = { idempotencyKey, onRepeated: () => void (repeated = true) };
  const answer = await (kind === 'transfer'
    ? call(
        routes.creditTransfer,
        { body: { ...shared, transferAmount: amount } },
        { ...options, fallback: texts.transferFailed },
      )
    : call(
        routes.creditAdjust,
        { body: { ...shared, adjustAmount: amount, transactionType } },
        { ...options, fallback: texts.adjustFailed },
      ));
  forgetKey(request);
  return { answer, repeated };
}

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
  if (self)
    return `${gives ? creditTexts.issued(amount) : creditTexts.retired(amount)} ${creditTexts.youNowHave(yours)}`;
  if (answer.receiverWallet === null) return `${answer.message ?? ''} ${creditTexts.youNowHave(yours)}`;
  const what = gives ? creditTexts.gave(amount, username) : creditTexts.tookBack(amount, username);
  return `${what} ${creditTexts.nowHave(username, formatPoints(answer.receiverWallet), yours)}`;
}

export function leftAfter(left: number | null, { amount, transactionType, self }: MovedCredit): number | null {
  if (left === null || self || transactionType === 'debit') return left;
  return Math.max(0, addPoints(left, -amount));
}
