import type { Account } from '@drawhouse/contract/accounts/accounts';
import { pointsOf } from '@drawhouse/contract/frame/primitives';
import type { Hundredths } from '@drawhouse/contract/frame/primitives';
import { findAccount } from '../accounts/accounts.sql.ts';
import type { Actor } from '../accounts/authority.ts';
import { runCommand } from '../activity/run-command.ts';
import type { LoggedPart } from '../activity/run-command.ts';
import { requirePassword } from '../auth/passwords/require-password.ts';
import type { Services } from '../platform/services.ts';
import type { Call } from '../platform/http/handler.ts';
import { once } from '../activity/idempotency.ts';
import { payoutLog, payOutCommissions } from './commission-payouts.ts';

export interface PayoutOrder {
  readonly targetId: string;
  readonly amount: Hundredths | undefined;
  readonly password: string;
  readonly note: string | undefined;
}

/** In points. */
export interface PayoutResult {
  readonly paid: number;
  readonly receiverWallet: number;
  readonly commissionPoint: number;
  readonly transferId: string;
  readonly data: Account[];
}

/**
 * Pays commission to an account below, once per Idempotency-Key. Asks for the password. Throws RULE_REFUSED if nothing
 * is pending, INSUFFICIENT_CREDIT above the pending amount.
 */
export async function payCommission(services: Services, call: Call<Actor>, order: PayoutOrder): Promise<PayoutResult> {
  await requirePassword(services, call, order.password);
  const { actor } = call;
  const { targetId, amount, note } = order;
  return runCommand(services, call, async (tx, at) => {
    const request = ['payout', targetId, String(amount ?? 'all'), note ?? null];
    let logged: LoggedPart | undefined;
    const { answer } = await once(tx, call, at, request, async () => {
      const [outcome] = await payOutCommissions(tx, services, actor, [{ targetId, amount }], note);
      if (!outcome || 'refusal' in outcome) throw outcome!.refusal;
      logged = payoutLog(outcome, note);
      return {
        paid: pointsOf(outcome.amount),
        receiverWallet: pointsOf(outcome.credit),
        commissionPoint: pointsOf(outcome.pending),
        transferId: outcome.transferId,
        data: [(await findAccount(tx, actor, at, { id: targetId }))!],
      };
    });
    return { result: answer, subject: null, ...logged };
  });
}
