import type { PayoutResult } from '@drawhouse/contract/credit/payouts';
import { pointsOf, sumPoints, type Hundredths } from '@drawhouse/contract/core/primitives';
import type { Actor } from '../accounts/authority.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { runCommand, type LoggedPart } from '../activity/run-command.ts';
import { requirePassword } from '../auth/passwords/confirm-password.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import { CallError, databaseError } from '../platform/http/http-errors.ts';
import type { Call, GuardedAct } from '../platform/http/handler.ts';
import { once, runOnceAcrossNetworks, type InParts, type OncePart } from '../activity/idempotency.ts';
import { DatabaseUnavailable } from '../platform/db/connection/unavailable.ts';
import { inSubtree } from '../platform/db/visibility-predicate.ts';
import {
  guardedPayouts,
  notBelowToPay,
  payoutLog,
  payOutCommissions,
  type Paid,
  type Payout,
  type Refused,
} from './commission-payouts.ts';
import { sql } from '../platform/db/sql/sql.ts';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import { findAccount } from '../accounts/accounts.sql.ts';
import { CREDIT_TEXTS } from './credit-texts.ts';

export interface PayoutsOrder {
  readonly payouts: readonly Payout[];
  readonly password: string;
  readonly note: string | undefined;
}

/** In points. */
export interface PayoutsResult {
  readonly paid: number;
  readonly results: PayoutResult[];
}

export type FailedPart = (error: unknown) => void;

/**
 * A repeat with the same Idempotency-Key returns the first results, refusals included. One transaction per network: a
 * failed network is refused and can be retried with the same request.
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
  const pay: PayPart = (some, keep, isOnly = true) =>
    runCommand(services, call, async (tx, at) => {
      let paid: Paid[] = [];
      const result = await keep(tx, at, async () => {
        const outcomes = await payOutCommissions(tx, services, actor, some, note);
        paid = outcomes.filter((outcome): outcome is Paid => 'transferId' in outcome);
        return together(outcomes.map(resultOf));
      });
      const pinned = some.map(({ targetId }) => paid.find((each) => each.targetId === targetId) ?? { targetId });
      const pins = { payouts: pinned.map(payoutOf) };
      const apart = isOnly ? undefined : { field: 'payouts', message: CREDIT_TEXTS.payApart };
      const guarded = guardedPayouts(actor, paid).map((act) => ({ ...act, pins, apart }));
      return { result, subject: null, more: paid.map((each) => payoutLog(each, note)), guarded };
    });
  if (actor.networkId !== ROOT_NETWORK)
    return pay(payouts, async (tx, at, act) => (await once(tx, call, at, request, act)).answer);
  return runOnceAcrossNetworks(services, call, request, (part) =>
    payByNetwork(services.db, actor, payouts, pay, part, failed),
  );
}

type PayPart = (
  payouts: readonly Payout[],
  keep: (tx: Tx, at: Date, act: () => Promise<PayoutsResult>) => Promise<PayoutsResult>,
  isOnly?: boolean,
) => Promise<PayoutsResult>;

/** Pays in network order. */
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
      const paid = await pay(some, (tx, at, act) => part(tx, networkId, at, act), networks.size === 1);
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
  return { answer: together(inOrder), isComplete: errors.length === 0 };
}

async function accountsBelow(
  on: Queryable,
  actor: Actor,
  payouts: readonly Payout[],
): Promise<ReadonlyMap<string, { readonly username: string; readonly networkId: number }>> {
  const found = await on.query<{ id: string; username: string; networkId: number }>(
    sql`select a.id, a.username, a.network_id as "networkId" from accounts a
      where a.id = any(${payouts.map(({ targetId }) => targetId)}::uuid[]) and a.id <> ${actor.id} and ${inSubtree('a', actor)}`,
  );
  return new Map(found.map((account) => [account.id, account]));
}

function refusalOf(error: unknown): CallError {
  if (error instanceof CallError) return error;
  if (!(error instanceof DatabaseUnavailable))
    return new CallError('INTERNAL', { message: CREDIT_TEXTS.paymentFailed });
  const refusal = databaseError(error);
  return refusal.code === 'NOT_READY' ? new CallError('NOT_READY', { message: CREDIT_TEXTS.paymentFailed }) : refusal;
}

/** Has the form of a call, so an approved payout pays the approved amount. */
function payoutOf({ targetId: toUserId, ...paid }: Paid | Pick<Paid, 'targetId'>) {
  return { toUserId, ...('amount' in paid && { amount: pointsOf(paid.amount) }) };
}

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

interface PayoutOrder {
  readonly targetId: string;
  readonly amount: Hundredths | undefined;
  readonly password: string;
  readonly note: string | undefined;
}

/** In points. */
export interface CommissionPayout {
  readonly paid: number;
  readonly receiverWallet: number;
  readonly commissionPoint: number;
  readonly transferId: string;
  readonly data: Account[];
}

/** Once per Idempotency-Key. Asks for the password. */
export async function payCommission(
  services: Services,
  call: Call<Actor>,
  order: PayoutOrder,
): Promise<CommissionPayout> {
  await requirePassword(services, call, order.password);
  const { actor } = call;
  const { targetId, amount, note } = order;
  return runCommand(services, call, async (tx, at) => {
    const request = ['payout', targetId, String(amount ?? 'all'), note ?? null];
    let logged: LoggedPart | undefined;
    let guarded: GuardedAct[] = [];
    const { answer } = await once(tx, call, at, request, async () => {
      const [outcome] = await payOutCommissions(tx, services, actor, [{ targetId, amount }], note);
      if (!outcome || 'refusal' in outcome) throw outcome!.refusal;
      logged = payoutLog(outcome, note);
      const pins = { amount: pointsOf(outcome.amount) };
      guarded = guardedPayouts(actor, [outcome]).map((act) => ({ ...act, pins }));
      return {
        paid: pointsOf(outcome.amount),
        receiverWallet: pointsOf(outcome.credit),
        commissionPoint: pointsOf(outcome.pending),
        transferId: outcome.transferId,
        data: [(await findAccount(tx, actor, at, { id: targetId }))!],
      };
    });
    return { result: answer, subject: null, ...logged, guarded };
  });
}
