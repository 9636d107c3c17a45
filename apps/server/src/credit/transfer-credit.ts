import type { Account } from '@drawhouse/contract/accounts/accounts';
import { MAX_HUNDREDTHS, pointsOf, pointsText } from '@drawhouse/contract/core/primitives';
import type { Hundredths, Role } from '@drawhouse/contract/core/primitives';
import { findAccount } from '../accounts/accounts.sql.ts';
import { effectivelyActive } from '../accounts/authority.ts';
import type { Actor } from '../accounts/authority.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { balanceChange, changeOf } from '../activity/append-activity.ts';
import { runCommand } from '../activity/run-command.ts';
import type { LoggedPart } from '../activity/run-command.ts';
import { requirePassword } from '../auth/passwords/confirm-password.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Call } from '../platform/http/handler.ts';
import { once } from '../activity/idempotency.ts';
import { lockWallets, move, post } from '../ledger/post.ts';
import type { Posting } from '../ledger/post.ts';
import { balanceOf, ISSUANCE, isPlaceholder } from '../ledger/wallets.ts';
import type { WalletName } from '../ledger/wallets.ts';
import { inSubtree } from '../platform/db/predicate.ts';
import { requireWithinDailyLimit } from './daily-limit.ts';
import { sql } from '../platform/db/sql/sql.ts';

export interface CreditOrder {
  readonly targetId: string;
  readonly targetRole: Role;
  /** If given, the target must be its direct child. */
  readonly parentId?: string;
  readonly amount: Hundredths;
  readonly direction: 'give' | 'takeBack';
  /** True for adjustments: naming oneself issues or retires credit. */
  readonly mayIssue: boolean;
  readonly password: string;
  readonly note: string | undefined;
}

/** In points. */
export interface CreditResult {
  readonly receiverWallet: number;
  readonly senderWallet: number;
  readonly transferId: string;
  readonly data: Account[];
}

interface Target {
  id: string;
  network_id: number;
  username: string;
  chain: string[];
}

/**
 * Moves credit to or from an account below, once per Idempotency-Key. A superadmin naming itself issues or retires
 * credit, the only source. Asks for the password.
 */
export async function transferCredit(services: Services, call: Call<Actor>, order: CreditOrder): Promise<CreditResult> {
  await requirePassword(services, call, order.password);
  const { actor } = call;
  const { targetId, targetRole, direction, note } = order;
  return runCommand(services, call, async (tx, at) => {
    const request = ['credit', targetId, targetRole, String(order.amount), direction, note ?? null];
    let logged: LoggedPart | undefined;
    // First: a repeat gets its answer whatever changed since.
    const { answer } = await once(tx, call, at, request, async () => {
      const moved = await moveCredit(services, tx, at, actor, order);
      ({ logged } = moved);
      return moved.result;
    });
    return { result: answer, subject: null, more: logged ? [logged] : [] };
  });
}

/** Moves credit within a larger command, which checks the password and logs `logged`. */
export async function moveCredit(
  services: Services,
  tx: Tx,
  at: Date,
  actor: Actor,
  order: Omit<CreditOrder, 'password'>,
): Promise<{ readonly result: CreditResult; readonly logged: LoggedPart }> {
  const { direction, note } = order;
  const target = await requireTarget(tx, actor, order);
  const active = await effectivelyActive(tx, [actor.id, target.id]);
  // Deactivation may have happened during password hashing.
  if (!active.has(actor.id)) throw new CallError('SESSION_ENDED');
  if (direction === 'give' && !active.has(target.id)) throw new CallError('TARGET_INACTIVE');
  const transferId = await postOrder(services, tx, actor, target, order);
  const receiver = await balanceOf(tx, target.network_id, `credit:${target.id}`);
  const sender = await balanceOf(tx, actor.networkId, `credit:${actor.id}`);
  const moved = direction === 'give' ? order.amount : -order.amount;
  return {
    result: {
      receiverWallet: pointsOf(receiver),
      senderWallet: pointsOf(sender),
      transferId,
      data: [(await findAccount(tx, actor, at, { id: target.id }))!],
    },
    logged: {
      subject: subjectOf(actor, target, order),
      detail: { transferId, targetId: target.id, amount: pointsOf(order.amount), direction, note },
      changes: [
        ...balanceChange(`Credit of ${target.username}`, receiver, moved),
        ...(target.id === actor.id ? [] : balanceChange(`Credit of ${actor.username}`, sender, -moved)),
        ...changeOf('Note', null, note || null),
      ],
    },
  };
}

function subjectOf(
  actor: Actor,
  target: Target,
  { amount, direction }: Pick<CreditOrder, 'amount' | 'direction'>,
): string {
  const points = pointsText(amount);
  if (target.id === actor.id) return `${direction === 'give' ? 'Issued' : 'Retired'} ${points} points`;
  return direction === 'give'
    ? `Gave ${points} points to ${target.username}`
    : `Took ${points} points back from ${target.username}`;
}

async function requireTarget(
  tx: Tx,
  actor: Actor,
  { targetId, targetRole, parentId, mayIssue }: Omit<CreditOrder, 'password'>,
): Promise<Target> {
  const [target] = await tx.query<Target>(
    sql`select a.id, a.network_id, a.username, a.chain from accounts a
      where a.id = ${targetId} and a.role = ${targetRole}
      and (${parentId ?? null}::uuid is null or a.parent_id = ${parentId ?? null}) and ${inSubtree('a', actor)} for share`,
  );
  if (!target) throw new CallError('NOT_FOUND', { fields: { toUserId: `Choose a ${targetRole} below you` } });
  if (target.id === actor.id && !(mayIssue && actor.role === 'superadmin'))
    throw new CallError('NOT_ALLOWED', { message: "You can't move credit from an account to itself." });
  return target;
}

/** Issues or retires credit, or moves it between actor and target. */
async function postOrder(
  services: Services,
  tx: Tx,
  actor: Actor,
  target: Target,
  { amount, direction, note }: Omit<CreditOrder, 'password'>,
): Promise<string> {
  if (target.id !== actor.id) {
    const isLimited = direction === 'give' && target.network_id === actor.networkId;
    const beforeMove = async (): Promise<void> => {
      if (isLimited) await requireWithinDailyLimit(services, tx, actor, amount, services.clock.now());
    };
    const lower = { id: target.id, networkId: target.network_id, chain: target.chain };
    return postBetween(services, tx, { upper: actor, lower, amount, direction, note, actorId: actor.id, beforeMove });
  }
  const own: WalletName = `credit:${actor.id}`;
  const [sides, kind] =
    direction === 'give'
      ? ([{ from: ISSUANCE, to: own }, 'issue'] as const)
      : ([{ from: own, to: ISSUANCE }, 'retire'] as const);
  const posting: Posting = { ...sides, amount, kind, actorId: actor.id, reference: null, note };
  const { wallets, transferIds } = await post(tx, ROOT_NETWORK, services, [posting]);
  // Beyond 2^53 hundredths balances are not exact in JSON.
  if (-wallets.get(ISSUANCE)!.balance > MAX_HUNDREDTHS)
    throw new CallError('INVALID_INPUT', {
      fields: { adjustAmount: `At most ${pointsText(MAX_HUNDREDTHS)} points can be in circulation` },
    });
  return transferIds[0]!;
}

interface BetweenTwo {
  readonly upper: Pick<Actor, 'id' | 'networkId'>;
  readonly lower: Pick<Actor, 'id' | 'networkId' | 'chain'>;
  readonly amount: Hundredths;
  readonly direction: 'give' | 'takeBack';
  readonly note: string | undefined;
  readonly actorId: string;
  /** Transfer that this one reverses. */
  readonly reverses?: string;
  /** Runs under the lock of both wallets. */
  readonly beforeMove: () => Promise<void>;
}

/**
 * Moves credit between an account and one below it. Across a border, posts two transfers with one reference, the root's
 * first. Returns the id of the transfer in the lower account's network.
 */
export async function postBetween(
  services: Services,
  tx: Tx,
  { upper, lower, amount, direction, note, actorId, reverses, beforeMove }: BetweenTwo,
): Promise<string> {
  const { clock, newId, events } = services;
  const own: WalletName = `credit:${upper.id}`;
  const others: WalletName = `credit:${lower.id}`;
  const between = (above: WalletName, below: WalletName, reference: string | null): Posting => ({
    ...(direction === 'give' ? { from: above, to: below } : { from: below, to: above }),
    amount,
    kind: direction,
    actorId,
    reference,
    note,
  });
  if (lower.networkId === upper.networkId) {
    const wallets = await lockWallets(tx, upper.networkId, [own, others]);
    const at = clock.now();
    await beforeMove();
    const posting = between(own, others, reverses ?? null);
    return (await move(tx, upper.networkId, { at, newId, events }, wallets, [posting]))[0]!;
  }
  // Admin directly below the superadmin.
  const admin = lower.chain[1]!;
  if (await isPlaceholder(tx, admin))
    throw new CallError('TARGET_INACTIVE', {
      message: "This admin's network is being moved here. Wait until the move is complete.",
    });
  const border: WalletName = `boundary:${admin}`;
  const reference = reverses ?? newId();
  const outside = await lockWallets(tx, ROOT_NETWORK, [own, border]);
  const inside = await lockWallets(tx, lower.networkId, [border, others]);
  const stamp = { at: clock.now(), newId, events };
  await beforeMove();
  await move(tx, ROOT_NETWORK, stamp, outside, [between(own, border, reference)]);
  return (await move(tx, lower.networkId, stamp, inside, [between(border, others, reference)]))[0]!;
}
