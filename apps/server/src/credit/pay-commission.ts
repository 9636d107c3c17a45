import type { Account } from '@drawhouse/contract/accounts';
import { pointsOf } from '@drawhouse/contract/primitives';
import type { Hundredths } from '@drawhouse/contract/primitives';
import { findAccount } from '../accounts/accounts.sql.ts';
import { effectivelyActive, inSubtree } from '../accounts/authority.ts';
import type { Actor } from '../accounts/authority.ts';
import type { Change } from '@drawhouse/contract/activity';
import { balanceChange, changeOf } from '../activity/changes.ts';
import { runCommand } from '../activity/run-command.ts';
import { requirePassword } from '../auth/require-password.ts';
import type { Services } from '../db/services.ts';
import { CallError } from '../http/errors.ts';
import type { Call } from '../http/handler.ts';
import { once } from '../ledger/idempotency.ts';
import { lockWallets, move } from '../ledger/post.ts';
import type { WalletName } from '../ledger/wallets.ts';

/** A pay-out of commission; without an amount all of it. */
export interface PayoutOrder {
  readonly targetId: string;
  readonly amount: Hundredths | undefined;
  readonly password: string;
  readonly note: string | undefined;
}

/** What was paid and the balances after it, in points. */
export interface PayoutResult {
  readonly paid: number;
  readonly receiverWallet: number;
  readonly commissionPoint: number;
  readonly transferId: string;
  readonly data: Account[];
}

/**
 * Pays the commission of an account below the actor: from its commission wallet into its credit wallet, once per
 * Idempotency-Key. Asks for the actor's password again. Throws RULE_REFUSED where nothing is pending, INSUFFICIENT_CREDIT above it.
 */
export async function payCommission(services: Services, call: Call<Actor>, order: PayoutOrder): Promise<PayoutResult> {
  await requirePassword(services, call, order.password);
  const { actor } = call;
  const { targetId, amount, note } = order;
  return runCommand(services, call, async (tx, at) => {
    let changes: Change[] = [];
    const { answer, repeated } = await once(
      tx,
      call,
      at,
      ['payout', targetId, String(amount ?? 'all'), note ?? null],
      async () => {
        const [target] = await tx.query<{ id: string; network_id: number; username: string }>(
          `select a.id, a.network_id, a.username from accounts a where a.id = $2 and a.id <> $1 and ${inSubtree('a', '$1')} for share`,
          [actor.id, targetId],
        );
        if (!target) throw new CallError('NOT_FOUND', { fields: { toUserId: 'Choose an account below you' } });
        const active = await effectivelyActive(tx, [actor.id, target.id]);
        if (!active.has(actor.id)) throw new CallError('SESSION_ENDED');
        if (!active.has(target.id)) throw new CallError('TARGET_INACTIVE');
        const networkId = target.network_id;
        const commission: WalletName = `commission:${target.id}`;
        const credit: WalletName = `credit:${target.id}`;
        const wallets = await lockWallets(tx, networkId, [commission, credit]);
        const pending = wallets.get(commission)!;
        const paid = amount ?? pending.balance;
        if (paid === 0n) throw new CallError('RULE_REFUSED', { message: 'There is no commission to pay out.' });
        const posting = { from: commission, to: credit, amount: paid, kind: 'payout', reference: null } as const;
        const stamp = { at: services.clock.now(), newId: services.newId };
        const [transferId] = await move(tx, networkId, stamp, wallets, [{ ...posting, actorId: actor.id, note }]);
        changes = [
          ...balanceChange(`Commission of ${target.username}`, pending.balance, -paid),
          ...balanceChange(`Credit of ${target.username}`, wallets.get(credit)!.balance, paid),
          ...changeOf('Note', null, note || null),
        ];
        return {
          paid: pointsOf(paid),
          receiverWallet: pointsOf(wallets.get(credit)!.balance),
          commissionPoint: pointsOf(pending.balance),
          transferId: transferId!,
          data: [(await findAccount(tx, actor.id, at, { id: target.id }))!],
        };
      },
    );
    return {
      result: answer,
      subject: repeated ? null : `Paid out ${answer.paid} points of commission to ${answer.data[0]!.username}`,
      detail: { transferId: answer.transferId, targetId, amount: answer.paid, note },
      changes,
    };
  });
}
