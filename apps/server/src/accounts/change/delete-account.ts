import { pointsOf, pointsText } from '@drawhouse/contract/core/primitives';
import { ROOT_NETWORK, WALLET_KINDS, walletKindOf } from '@drawhouse/rules/records/ledger-kinds';
import { changeOf } from '../../activity/append-activity.ts';
import { runCommand } from '../../activity/run-command.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call } from '../../platform/http/handler.ts';
import { requireOpenBooks } from '../../activity/network-work/closed-books.ts';
import { lockWallets, move, type Posting } from '../../ledger/post.ts';
import { inKinds, sql } from '../../platform/db/sql/sql.ts';
import type { WalletName } from '../../ledger/wallets.ts';
import { accountChanges } from './change-subject.ts';
import { findAccount } from '../accounts.sql.ts';
import type { Actor } from '../authority.ts';
import {
  endKeysOf,
  lockTarget,
  type EndApiKeys,
  type EndSessionsBelow,
  type Target,
  type TargetName,
} from './lock-target.ts';
import { ACCOUNT_SUBJECTS } from '../accounts-texts.ts';

export interface DeletionHooks {
  readonly endSessionsBelow: EndSessionsBelow;
  readonly endApiKeys: EndApiKeys;
  readonly hasOpenTickets: (tx: Tx, target: Target) => Promise<boolean>;
}

/** Keeps row and username, and returns the credit to the parent. */
export async function deleteAccount(
  services: Services,
  call: Call<Actor>,
  name: TargetName,
  hooks: DeletionHooks,
): Promise<void> {
  await runCommand(services, call, async (tx, began) => {
    const target = await lockTarget(tx, call.actor, name);
    await requireOpenBooks(tx, target.network_id);
    const [child] = await tx.query(
      sql`select from accounts where parent_id = ${target.id} and deleted_at is null limit 1`,
    );
    if (child) throw new CallError('HAS_CHILDREN');
    const before = (await findAccount(tx, call.actor, began, { id: target.id }))!;
    await hooks.endSessionsBelow(tx, target.id, 'subtree');
    const more = await endKeysOf(tx, target, began, hooks.endApiKeys);
    const { returned, at } = await returnCredit(services, tx, call.actor.id, { ...target, role: name.role });
    // Every bet locks the wallet first.
    if (await hooks.hasOpenTickets(tx, target)) throw new CallError('HAS_OPEN_TICKETS');
    await tx.query(sql`update accounts set deleted_at = ${at} where id = ${target.id}`);
    return {
      result: undefined,
      subject: ACCOUNT_SUBJECTS.deleted(name.role, target.username),
      detail: { accountId: target.id, returned: pointsOf(returned) },
      changes: [
        ...accountChanges(before, null),
        ...changeOf('Credit returned', null, pointsText(returned), before.refId!.username),
      ],
      more,
      guarded: returned > 0n ? [{ kind: 'credit', networkId: target.network_id, amount: returned }] : [],
    };
  });
}

/** Moves all wallets into the parent's credit. A restore calls it without an author. */
export async function returnCredit(
  services: Services,
  tx: Tx,
  actorId: string | null,
  target: Target & Pick<TargetName, 'role'>,
): Promise<{ returned: bigint; at: Date }> {
  const networkId = target.network_id;
  const isAdmin = target.role === 'admin';
  const credit: WalletName = `credit:${target.id}`;
  const parentCredit: WalletName = `credit:${target.parent_id!}`;
  const border: WalletName = `boundary:${target.id}`;
  // Lock order: root wallets first.
  const outside = isAdmin ? await lockWallets(tx, ROOT_NETWORK, [border, parentCredit]) : undefined;
  const emptied = await tx.query<{ kind: number; owner_id: string }>(
    sql`select kind, owner_id from wallets where network_id = ${networkId}
       and (owner_id = ${target.id} and kind in ${inKinds(WALLET_KINDS, 'commission', 'winnings')} or ${isAdmin}
         and kind = ${sql.lit(WALLET_KINDS.table)})`,
  );
  const own = emptied.map(({ kind, owner_id }): WalletName => `${walletKindOf(kind)}:${owner_id}`);
  const destination = isAdmin ? border : parentCredit;
  const wallets = await lockWallets(tx, networkId, [credit, destination, ...own]);
  const at = services.clock.now();
  const { newId, events } = services;
  const stamp = { at, newId, events };
  const posting = (from: WalletName, to: WalletName, amount: bigint): Posting => ({
    from,
    to,
    amount,
    kind: 'return',
    actorId,
    reference: target.id,
  });
  const balance = (name: WalletName): bigint => wallets.get(name)!.balance;
  // Positive balances first, so they can cover tables below zero.
  const gathering = own.flatMap((name) => (balance(name) > 0n ? [posting(name, credit, balance(name))] : []));
  const covering = own.flatMap((name) => (balance(name) < 0n ? [posting(credit, name, -balance(name))] : []));
  await move(tx, networkId, stamp, wallets, [...gathering, ...covering]);
  const left = balance(credit);
  if (left === 0n) return { returned: left, at };
  await move(tx, networkId, stamp, wallets, [posting(credit, destination, left)]);
  if (outside) await move(tx, ROOT_NETWORK, stamp, outside, [posting(border, parentCredit, left)]);
  return { returned: left, at };
}
