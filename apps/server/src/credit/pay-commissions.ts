import type { PayoutResult } from '@drawhouse/contract/commission';
import { pointsOf } from '@drawhouse/contract/primitives';
import type { Actor } from '../accounts/authority.ts';
import { runCommand } from '../activity/run-command.ts';
import { requirePassword } from '../auth/require-password.ts';
import type { Services } from '../db/services.ts';
import type { Call } from '../http/handler.ts';
import { once } from '../ledger/idempotency.ts';
import { payoutLog, payOutCommissions } from './commission-payouts.ts';
import type { Paid, Payout, Refused } from './commission-payouts.ts';

/** Pay-outs that are ordered together. */
export interface PayoutsOrder {
  readonly payouts: readonly Payout[];
  readonly password: string;
  readonly note: string | undefined;
}

/** What was paid together, in points, and what became of each. */
export interface PayoutsResult {
  readonly paid: number;
  readonly results: PayoutResult[];
}

/**
 * Pays the commission of accounts below the actor, all that can be paid in one transaction and once per Idempotency-Key: the same request
 * again answers the first results, refusals included. Asks for the actor's password once. Each pay-out is a row of the log.
 */
export async function payCommissions(
  services: Services,
  call: Call<Actor>,
  order: PayoutsOrder,
): Promise<PayoutsResult> {
  await requirePassword(services, call, order.password);
  const { payouts, note } = order;
  return runCommand(services, call, async (tx, at) => {
    const request = [
      'payouts',
      payouts.map(({ targetId, amount }) => [targetId, String(amount ?? 'all')]),
      note ?? null,
    ];
    let paid: Paid[] = [];
    const { answer } = await once(tx, call, at, request, async () => {
      const outcomes = await payOutCommissions(tx, services, call.actor, payouts, note);
      paid = outcomes.filter((outcome): outcome is Paid => 'transferId' in outcome);
      const total = paid.reduce((sum, { amount }) => sum + amount, 0n);
      return { paid: pointsOf(total), results: outcomes.map(resultOf) };
    });
    return { result: answer, subject: null, more: paid.map((each) => payoutLog(each, note)) };
  });
}

function resultOf(outcome: Paid | Refused): PayoutResult {
  const { targetId: toUserId, username } = outcome;
  if ('refusal' in outcome) {
    const { code, message } = outcome.refusal;
    const nothing = { commissionPoint: null, receiverWallet: null, transferId: null };
    return { toUserId, username, paid: 0, ...nothing, refused: { code, message } };
  }
  const { amount, pending, credit, transferId } = outcome;
  return {
    toUserId,
    username,
    paid: pointsOf(amount),
    commissionPoint: pointsOf(pending),
    receiverWallet: pointsOf(credit),
    transferId,
    refused: null,
  };
}
