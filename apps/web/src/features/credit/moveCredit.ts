import { accountRoutes } from '@drawhouse/contract/accounts';
import type { Account, creditAnswer } from '@drawhouse/contract/accounts';
import type { infer as Infer } from 'zod/mini';
import { ApiError, call } from '../../lib/api.ts';
import { parsePoints } from '../../lib/points.ts';
import { getSession } from '../../lib/session.ts';
import { messages } from '../../messages.ts';
import type { CreditFormValues } from './creditForm.ts';
import type { CreditKind } from './creditTitle.ts';

const texts = messages.credit;

/** Sends a credit form. The key makes a repeated send answer the first result again. */
export async function moveCredit(
  kind: CreditKind,
  target: Account,
  values: CreditFormValues,
  idempotencyKey: string,
): Promise<Infer<typeof creditAnswer>> {
  const userId = getSession()?.user?._id;
  if (userId === undefined) throw new ApiError('NOT_SIGNED_IN', texts.notSignedIn, 0);
  const amount = parsePoints(values.amount);
  if (amount === null) {
    throw new ApiError('INVALID_INPUT', kind === 'transfer' ? texts.invalidTransfer : texts.invalidAdjust, 0);
  }
  const shared = { toUserId: target._id, password: values.password, userId };
  const routes = accountRoutes[target.role];
  if (kind === 'transfer') {
    return call(
      routes.creditTransfer,
      { body: { ...shared, transferAmount: amount } },
      { idempotencyKey, fallback: texts.transferFailed },
    );
  }
  const { transactionType } = values;
  return call(
    routes.creditAdjust,
    { body: { ...shared, adjustAmount: amount, transactionType } },
    { idempotencyKey, fallback: texts.adjustFailed },
  );
}
