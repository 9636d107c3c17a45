import type { Account } from '@drawhouse/contract/accounts/accounts';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { discardPendingChanges } from '../../activity/append-activity.ts';
import { runCommand, underRules, type LoggedPart } from '../../activity/run-command.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call, GuardedAct } from '../../platform/http/handler.ts';
import { requireOpenBooks } from '../../activity/network-work/closed-books.ts';
import { ISSUANCE, openNetwork, openWallets } from '../../ledger/wallets.ts';
import { accountChanges } from './change-subject.ts';
import { findAccount } from '../accounts.sql.ts';
import { effectivelyActive, type Actor } from '../authority.ts';
import { checkCommissions, grantsCommissions, setCommissionCeiling } from '../commission-rules.ts';
import { firstPassword, insertAccount, requireParent, type NewAccount, type Parent } from './insert-account.ts';
import { setTestNetwork } from '../test-network.ts';
import { requireDistinctName } from './misleading-names.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { ACCOUNT_SUBJECTS, ACCOUNT_TEXTS } from '../accounts-texts.ts';

export type AssignGames = (tx: Tx, networkId: number, games: readonly string[], at: Date) => Promise<void>;

interface AccountOrder extends NewAccount {
  readonly refId: string | undefined;
  readonly games?: readonly string[] | undefined;
  /** In percent. */
  readonly commissionCeiling?: number | undefined;
  readonly testNetwork?: boolean;
}

/** Also opens wallets, and a network for an admin. */
export function createAccount(
  services: Services,
  call: Call<Actor>,
  account: AccountOrder,
  assignGames: AssignGames,
): Promise<Account> {
  return runCommand(services, call, async (tx, at) => {
    const { created, logged, guarded } = await addAccount(services, tx, at, call.actor, account, assignGames);
    return { result: created, ...logged, guarded };
  });
}

/** Part of a larger command, which logs `logged`. */
export async function addAccount(
  services: Services,
  tx: Tx,
  at: Date,
  actor: Actor,
  account: AccountOrder,
  assignGames: AssignGames,
): Promise<{ readonly created: Account; readonly logged: LoggedPart; readonly guarded: readonly GuardedAct[] }> {
  const parent = await requireParent(tx, actor, account.role, account.refId);
  if (!(await effectivelyActive(tx, [actor.id])).has(actor.id)) throw new CallError('SESSION_ENDED');
  if (account.role !== 'admin') await requireOpenBooks(tx, parent.network_id);
  await requireDistinctName(tx, account.username, parent);
  const id = services.newId();
  const networkId = account.role === 'admin' ? await openNetwork(tx, id) : parent.network_id;
  await insertAccount(
    tx,
    {
      ...account,
      id,
      networkId,
      parentId: parent.id,
      chain: [...parent.chain, id],
      isCommissionGranted: grantsCommissions(actor.role),
      ...firstPassword(actor, account.role, at),
      at,
    },
    services.directory,
  );
  if (account.commissionCeiling !== undefined)
    await setCommissionCeiling(tx, { id, role: account.role }, account.commissionCeiling);
  if (account.testNetwork === true) await setTestNetwork(tx, id, true);
  await checkCommissions(tx, actor, { id, networkId }, 'commission');
  if (account.role === 'admin') await assignGames(tx, networkId, account.games ?? [], at);
  const created = (await findAccount(tx, actor, at, { id }))!;
  const guarded = guardedGrants(actor, { networkId: parent.network_id, commissions: [account.commission] });
  return { created, logged: creationLog(account, parent, created), guarded };
}

/** Calls that set passwords cannot wait for approval. A new network has no rules yet. */
export function guardedGrants(
  actor: Actor,
  { networkId, commissions }: { readonly networkId: number; readonly commissions: readonly number[] },
): GuardedAct[] {
  if (commissions.every((commission) => commission === 0)) return [];
  const apart = { field: 'commission', message: ACCOUNT_TEXTS.commissionApart };
  return underRules(actor, { kind: 'commission', networkId, apart });
}

export function creationLog(
  account: Omit<AccountOrder, 'passwordHash' | 'refId'>,
  parent: Pick<Parent, 'id'>,
  created: Account,
): LoggedPart {
  return {
    subject: ACCOUNT_SUBJECTS.created(account.role, account.username),
    detail: {
      accountId: created._id,
      parentId: parent.id,
      commission: account.commission,
      commissionCeiling: account.commissionCeiling,
      testNetwork: account.testNetwork,
      active: account.active,
      games: account.games,
    },
    changes: accountChanges(null, created),
  };
}

/** Returns false if one exists. */
export async function createFirstSuperadmin(
  services: Services,
  username: string,
  hash: () => Promise<string>,
): Promise<boolean> {
  const exists = (on: Queryable) => on.query(sql`select from accounts where role = 'superadmin' limit 1`);
  if ((await exists(services.db)).length > 0) return false;
  const passwordHash = await hash();
  return services.db.transaction(async (tx) => {
    await tx.query(sql`lock table accounts in share row exclusive mode`);
    if ((await exists(tx)).length > 0) return false;
    const id = services.newId();
    await openWallets(tx, ROOT_NETWORK, [ISSUANCE]);
    await insertAccount(
      tx,
      {
        role: 'superadmin',
        username,
        passwordHash,
        commission: 0,
        isCommissionGranted: false,
        note: 'add notes',
        active: true,
        id,
        networkId: ROOT_NETWORK,
        parentId: null,
        chain: [id],
        at: services.clock.now(),
      },
      services.directory,
    );
    await discardPendingChanges(tx);
    return true;
  });
}
