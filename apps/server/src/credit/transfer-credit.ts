import type { Account } from '@drawhouse/contract/accounts/accounts';
import { MAX_HUNDREDTHS, pointsOf, pointsText } from '@drawhouse/contract/core/primitives';
import type { Hundredths, Role } from '@drawhouse/contract/core/primitives';
import { findAccount } from '../accounts/accounts.sql.ts';
import { effectivelyActive } from '../accounts/authority.ts';
import type { Actor } from '../accounts/authority.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Change } from '@drawhouse/contract/activity/activity';
import { balanceChange, changeOf } from '../activity/append-activity.ts';
import { runCommand } from '../activity/run-command.ts';
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
    let subject: string | null = null;
    let changes: Change[] = [];
    // First: a repeat gets its answer whatever changed since.
    const { answer } = await once(tx, call, at, request, async () => {
      const target = await requireTarget(tx, actor, order);
      const active = await effectivelyActive(tx, [actor.id, target.id]);
      // Deactivation may have happened during password hashing.
      if (!active.has(actor.id)) throw new CallError('SESSION_ENDED');
      if (direction === 'give' && !active.has(target.id)) throw new CallError('TARGET_INACTIVE');
      const transferId = await postOrder(services, tx, actor, target, order);
      subject = subjectOf(actor, target, order);
      const receiver = await balanceOf(tx, target.network_id, `credit:${target.id}`);
      const sender = await balanceOf(tx, actor.networkId, `credit:${actor.id}`);
      const moved = direction === 'give' ? order.amount : -order.amount;
      changes = [
        ...balanceChange(`Credit of ${target.username}`, receiver, moved),
        ...(target.id === actor.id ? [] : balanceChange(`Credit of ${actor.username}`, sender, -moved)),
        ...changeOf('Note', null, note || null),
      ];
      return {
        receiverWallet: pointsOf(receiver),
        senderWallet: pointsOf(sender),
        transferId,
        data: [(await findAccount(tx, actor, at, { id: target.id }))!],
      };
    });
    return {
      result: answer,
      subject,
      detail: { transferId: answer.transferId, targetId, amount: pointsOf(order.amount), direction, note },
      changes,
    };
  });
}

function subjectOf(actor: Actor, target: Target, { amount, direction }: CreditOrder): string {
  const points = pointsText(amount);
  if (target.id === actor.id) return `${direction === 'give' ? 'Issued' : 'Retired'} ${points} points`;
  return direction === 'give'
    ? `Gave ${points} points to ${target.username}`
    : `Took ${points} points back from ${target.username}`;
}

async function requireTarget(
  tx: Tx,
  actor: Actor,
  { targetId, targetRole, parentId, mayIssue }: CreditOrder,
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

/** Cross-border orders post two transfers with one reference, the root's first. */
async function postOrder(
  services: Services,
  tx: Tx,
  actor: Actor,
  target: Target,
  { amount, direction, note }: CreditOrder,
): Promise<string> {
  const { clock, newId, events } = services;
  const own: WalletName = `credit:${actor.id}`;
  const others: WalletName = `credit:${target.id}`;
  const between = (upper: WalletName, lower: WalletName, kind: Posting['kind'], reference: string | null): Posting => ({
    ...(direction === 'give' ? { from: upper, to: lower } : { from: lower, to: upper }),
    amount,
    kind,
    actorId: actor.id,
    reference,
    note,
  });
  if (target.id === actor.id) {
    const kind = direction === 'give' ? 'issue' : 'retire';
    const { wallets, transferIds } = await post(tx, ROOT_NETWORK, services, [between(ISSUANCE, own, kind, null)]);
    // Beyond 2^53 hundredths balances are not exact in JSON.
    if (-wallets.get(ISSUANCE)!.balance > MAX_HUNDREDTHS)
      throw new CallError('INVALID_INPUT', {
        fields: { adjustAmount: `At most ${pointsText(MAX_HUNDREDTHS)} points can be in circulation` },
      });
    return transferIds[0]!;
  }
  if (target.network_id === actor.networkId) {
    const posting = between(own, others, direction, null);
    const wallets = await lockWallets(tx, actor.networkId, [own, others]);
    const at = clock.now();
    if (direction === 'give') await requireWithinDailyLimit(services, tx, actor, amount, at);
    return (await move(tx, actor.networkId, { at, newId, events }, wallets, [posting]))[0]!;
  }
  // Admin directly below the superadmin.
  const admin = target.chain[1]!;
  if (await isPlaceholder(tx, admin))
    throw new CallError('TARGET_INACTIVE', {
      message: "This admin's network is being moved here. Wait until the move is complete.",
    });
  const border: WalletName = `boundary:${admin}`;
  const reference = newId();
  const outside = await lockWallets(tx, ROOT_NETWORK, [own, border]);
  const inside = await lockWallets(tx, target.network_id, [border, others]);
  const stamp = { at: clock.now(), newId, events };
  await move(tx, ROOT_NETWORK, stamp, outside, [between(own, border, direction, reference)]);
  const posting = between(border, others, direction, reference);
  return (await move(tx, target.network_id, stamp, inside, [posting]))[0]!;
}
