import type { PayoutResult } from '@drawhouse/contract/credit/payouts';
import { pointsOf, sumPoints } from '@drawhouse/contract/frame/primitives';
import type { Actor } from '../accounts/authority.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/ledger-kinds';
import { runCommand } from '../activity/run-command.ts';
import { requirePassword } from '../auth/require-password.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { Services } from '../services.ts';
import { CallError, notReady } from '../http/http-errors.ts';
import type { Call } from '../http/handler.ts';
import { once, onceInParts } from '../ledger/idempotency.ts';
import type { InParts, OncePart } from '../ledger/idempotency.ts';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import { inSubtree } from '../predicate.ts';
import { notBelowToPay, payoutLog, payOutCommissions } from './commission-payouts.ts';
import { pieceOf, sql } from '../db/sql.ts';
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

/** Hears of a network in which nothing could be paid for a reason that is no rule. */
export type FailedPart = (error: unknown) => void;

/**
 * Pays the commission of accounts below the actor, all that can be paid and once per Idempotency-Key: the same request again answers the
 * first results, refusals included. Asks for the actor's password once. Each pay-out is a row of the log. There is one transaction for each
 * network: where one fails the others are paid, its accounts are refused, and the same request again pays them.
 */
export async function payCommissions(
  services: Services,
  call: Call<Actor>,
  { payouts, password, note }: PayoutsOrder,
  failed: FailedPart,
): Promise<PayoutsResult> {
  await requirePassword(services, call, password);
  const { actor } = call;
  const request = ['payouts', payouts.map(({ targetId, amount }) => [targetId, String(amount ?? 'all')]), note ?? null];
  const pay: PayPart = (some, keep) =>
    runCommand(services, call, async (tx, at) => {
      let paid: Paid[] = [];
      const result = await keep(tx, at, async () => {
        const outcomes = await payOutCommissions(tx, services, actor, some, note);
        paid = outcomes.filter((outcome): outcome is Paid => 'transferId' in outcome);
        return together(outcomes.map(resultOf));
      });
      return { result, subject: null, more: paid.map((each) => payoutLog(each, note)) };
    });
  if (actor.networkId !== ROOT_NETWORK)
    return pay(payouts, async (tx, at, act) => (await once(tx, call, at, request, act)).answer);
  return onceInParts(services, call, request, (part) => payByNetwork(services.db, actor, payouts, pay, part, failed));
}

/** Pays some accounts of one network in one transaction; `keep` makes that happen once. */
type PayPart = (
  payouts: readonly Payout[],
  keep: (tx: Tx, at: Date, act: () => Promise<PayoutsResult>) => Promise<PayoutsResult>,
) => Promise<PayoutsResult>;

/** Network by network, in the order of their numbers. Throws what went wrong where it did in all of them: then nothing was paid. */
async function payByNetwork(
  on: Queryable,
  actor: Actor,
  payouts: readonly Payout[],
  pay: PayPart,
  part: OncePart,
  failed: FailedPart,
): Promise<InParts<PayoutsResult>> {
  const accounts = await accountsBelow(on, actor, payouts);
  const networks = Map.groupBy(
    payouts.filter(({ targetId }) => accounts.has(targetId)),
    ({ targetId }) => accounts.get(targetId)!.networkId,
  );
  const results = new Map<string, PayoutResult>();
  const errors: unknown[] = [];
  for (const [networkId, some] of [...networks].sort(([a], [b]) => a - b))
    try {
      const paid = await pay(some, (tx, at, act) => part(tx, networkId, at, act));
      for (const result of paid.results) results.set(result.toUserId, result);
    } catch (error) {
      errors.push(error);
      const refusal = refusalOf(error);
      for (const { targetId } of some)
        results.set(targetId, resultOf({ targetId, username: accounts.get(targetId)!.username, refusal }));
    }
  if (errors.length > 0 && errors.length === networks.size) throw errors[0];
  for (const error of errors) failed(error);
  const inOrder = payouts.map(
    ({ targetId }) => results.get(targetId) ?? resultOf({ targetId, username: null, refusal: notBelowToPay() }),
  );
  return { answer: together(inOrder), isWhole: errors.length === 0 };
}

/** Of the accounts to be paid those below the actor, by their ids. */
async function accountsBelow(
  on: Queryable,
  actor: Actor,
  payouts: readonly Payout[],
): Promise<ReadonlyMap<string, { readonly username: string; readonly networkId: number }>> {
  const found = await on.query<{ id: string; username: string; networkId: number }>(
    sql`select a.id, a.username, a.network_id as "networkId" from accounts a where a.id = any(${payouts.map(({ targetId }) => targetId)}::uuid[]) and a.id <> ${actor.id} and ${pieceOf(inSubtree('a', '$1'), actor.id)}`,
  );
  return new Map(found.map((account) => [account.id, account]));
}

/** Why the accounts of a network were not paid whose transaction failed. */
function refusalOf(error: unknown): CallError {
  if (error instanceof CallError) return error;
  if (!(error instanceof DatabaseUnavailable)) return new CallError('INTERNAL', { message: NOTHING_PAID });
  const refusal = notReady(error);
  return refusal.code === 'NOT_READY' ? new CallError('NOT_READY', { message: NOTHING_PAID }) : refusal;
}
const NOTHING_PAID = 'Something went wrong in this network, and nothing was paid there. Please try again.';

function together(results: PayoutResult[]): PayoutsResult {
  return { paid: sumPoints(results.map(({ paid }) => paid)), results };
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
