import { pointsOf, pointsText, type Hundredths } from '@drawhouse/contract/core/primitives';
import { effectivelyActive, type Actor } from '../accounts/authority.ts';
import { balanceChange, changeOf } from '../activity/append-activity.ts';
import type { LoggedPart } from '../activity/run-command.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { guardedMoves } from './transfer-credit.ts';
import type { GuardedAct } from '../platform/http/handler.ts';
import { lockWallets, move, type Posting } from '../ledger/post.ts';
import type { WalletName } from '../ledger/wallets.ts';
import { inSubtree } from '../platform/db/visibility-predicate.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { CREDIT_TEXTS, CREDIT_SUBJECTS } from './credit-texts.ts';

/** Without an amount: everything pending. */
export interface Payout {
  readonly targetId: string;
  readonly amount: Hundredths | undefined;
}

export interface Paid {
  readonly targetId: string;
  readonly networkId: number;
  readonly username: string;
  readonly amount: Hundredths;
  readonly pending: Hundredths;
  readonly credit: Hundredths;
  readonly transferId: string;
}

export interface Refused {
  readonly targetId: string;
  /** Null if no such account exists below the actor. */
  readonly username: string | null;
  readonly refusal: CallError;
}

interface Target {
  id: string;
  network_id: number;
  username: string;
}

/**
 * Accounts must be unique, below the actor and in one network. A refused payout does not stop the rest. Returns
 * outcomes in order.
 */
export async function payOutCommissions(
  tx: Tx,
  services: Services,
  actor: Actor,
  payouts: readonly Payout[],
  note: string | undefined,
): Promise<(Paid | Refused)[]> {
  const ids = payouts.map(({ targetId }) => targetId);
  const found = await tx.query<Target>(
    sql`select a.id, a.network_id, a.username from accounts a
     where a.id = any(${ids}::uuid[]) and a.id <> ${actor.id} and ${inSubtree('a', actor)} order by a.id for share`,
  );
  const active = await effectivelyActive(tx, [actor.id, ...found.map(({ id }) => id)]);
  if (!active.has(actor.id)) throw new CallError('SESSION_ENDED');

  const outcomes = new Map<string, Paid | Refused>();
  const amounts = new Map(payouts.map(({ targetId, amount }) => [targetId, amount]));
  const payable = found.filter(({ id }) => active.has(id));
  const [networkId, another] = new Set(payable.map((target) => target.network_id));
  if (another !== undefined) throw new Error('All payouts of a transaction must be in one network.');
  if (networkId !== undefined)
    for (const outcome of await payInNetwork(tx, services, actor, networkId, payable, amounts, note))
      outcomes.set(outcome.targetId, outcome);
  const names = new Map(found.map(({ id, username }) => [id, username]));
  return ids.map((targetId) => {
    const outcome = outcomes.get(targetId);
    if (outcome) return outcome;
    const username = names.get(targetId) ?? null;
    const refusal = username === null ? notBelowToPay() : new CallError('TARGET_INACTIVE');
    return { targetId, username, refusal };
  });
}

export function notBelowToPay(): CallError {
  return new CallError('NOT_FOUND', { fields: { toUserId: CREDIT_TEXTS.notBelow } });
}

async function payInNetwork(
  tx: Tx,
  { clock, newId, events }: Services,
  actor: Actor,
  networkId: number,
  targets: readonly Target[],
  amounts: ReadonlyMap<string, Hundredths | undefined>,
  note: string | undefined,
): Promise<(Paid | Refused)[]> {
  const commissionOf = ({ id }: Target): WalletName => `commission:${id}`;
  const creditOf = ({ id }: Target): WalletName => `credit:${id}`;
  const wallets = await lockWallets(
    tx,
    networkId,
    targets.flatMap((target) => [commissionOf(target), creditOf(target)]),
  );
  const judged = targets.map((target) => {
    const pending = wallets.get(commissionOf(target))!.balance;
    const amount = amounts.get(target.id) ?? pending;
    return { target, amount, refusal: refusalOf(amount, pending) };
  });
  const paid = judged.filter(({ refusal }) => refusal === null);
  const postings = paid.map(({ target, amount }): Posting => ({
    from: commissionOf(target),
    to: creditOf(target),
    amount,
    kind: 'payout',
    actorId: actor.id,
    reference: null,
    note,
  }));
  const transferIds = await move(tx, networkId, { at: clock.now(), newId, events }, wallets, postings);
  const transferOf = new Map(paid.map(({ target }, index) => [target.id, transferIds[index]!]));
  return judged.map(({ target, amount, refusal }) => {
    const { id: targetId, username } = target;
    if (refusal) return { targetId, username, refusal };
    const [pending, credit] = [commissionOf(target), creditOf(target)].map((name) => wallets.get(name)!.balance);
    return {
      targetId,
      networkId,
      username,
      amount,
      pending: pending!,
      credit: credit!,
      transferId: transferOf.get(targetId)!,
    };
  });
}

function refusalOf(amount: Hundredths, pending: Hundredths): CallError | null {
  if (pending === 0n) return new CallError('RULE_REFUSED', { message: CREDIT_TEXTS.nothingPending });
  if (amount <= pending) return null;
  return new CallError('INSUFFICIENT_CREDIT', { message: CREDIT_TEXTS.onlyPending(pointsText(pending)) });
}

export function guardedPayouts(actor: Actor, paid: readonly Paid[]): GuardedAct[] {
  if (paid.length === 0) return [];
  const moved = paid.map(({ targetId, networkId, transferId }) => ({
    target: { id: targetId, network_id: networkId },
    transferId,
  }));
  return guardedMoves(
    actor,
    moved,
    paid.reduce((sum, { amount }) => sum + amount, 0n),
  );
}

export function payoutLog(
  { targetId, username, amount, pending, credit, transferId }: Paid,
  note?: string,
): LoggedPart {
  return {
    subject: CREDIT_SUBJECTS.paidOut(pointsText(amount), username),
    detail: {
      transferId,
      targetId,
      amount: pointsOf(amount),
      note,
    },
    changes: [
      ...balanceChange(`Commission of ${username}`, pending, -amount),
      ...balanceChange(`Credit of ${username}`, credit, amount),
      ...changeOf('Note', null, note || null),
    ],
  };
}
