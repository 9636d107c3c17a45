import { commissionOf, type Account, type createBody, type updateBody } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/core/primitives';
import type * as z from 'zod/mini';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call } from '../../platform/http/handler.ts';
import { findAccount, findAccounts } from '../accounts.sql.ts';
import type { Actor } from '../authority.ts';
import { grantsCommissions, readHighestChain } from '../commission-rules.ts';
import { createAccount, type AssignGames } from './create-account.ts';
import { deleteAccount, type DeletionHooks } from './delete-account.ts';
import { passwordOwner, type PasswordContext } from '../read/own-account.ts';
import { setDailyLimits, updateAccount, type UpdateHooks } from './update-account.ts';
import { runCommand, runCommandDuringRestore, type LoggedPart } from '../../activity/run-command.ts';
import { accountChanges } from './change-subject.ts';
import { lockTarget, lockTargets, endKeysOf, type Target, type TargetName } from './lock-target.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { DELETED } from '@drawhouse/contract/accounts/account-texts';
import { ACCOUNT_TEXTS } from '../accounts-texts.ts';

export interface AccountHooks extends UpdateHooks, DeletionHooks {
  readonly hashNewPassword: (password: string, owner: PasswordContext, byId: string) => Promise<string>;
  /** The check within `hashNewPassword`, with the same error. */
  readonly requireGoodPassword: (password: string, owner: PasswordContext) => Promise<void>;
  readonly hashGoodPassword: (password: string, byId: string) => Promise<string>;
  readonly assignGames: AssignGames;
}

export interface AccountActions {
  create(
    call: Call<Actor>,
    role: Role,
    body: z.output<ReturnType<typeof createBody>>,
    refId?: string,
  ): Promise<{ message: string; data: Account }>;
  get(actor: Actor, name: { id: string; role?: Role; parentId?: string }): Promise<Account>;
  update(
    call: Call<Actor>,
    name: TargetName,
    body: z.output<typeof updateBody>,
  ): Promise<{ message: string; data: Account }>;
  toggle(
    call: Call<Actor>,
    name: TargetName,
    action: 'activate' | 'deactivate',
  ): Promise<{ message: string; data: Account }>;
  toggleMany(
    call: Call<Actor>,
    ids: readonly string[],
    action: 'activate' | 'deactivate',
  ): Promise<{ message: string; changed: number }>;
  setDailyLimits(
    call: Call<Actor>,
    ids: readonly string[],
    dailyLimit: number | null,
  ): Promise<{ message: string; changed: number }>;
  remove(call: Call<Actor>, name: TargetName): Promise<{ message: string }>;
}

const counted = (count: number): string => `${count} account${count === 1 ? '' : 's'}`;

export function accountActions(services: Services, hooks: AccountHooks): AccountActions {
  const { db, clock } = services;
  return {
    async create(call, role, body, refId = body.refId) {
      const passwordHash = await hooks.hashNewPassword(body.password, { username: body.username }, call.actor.id);
      const { username, note, userStatus: active, games, commissionCeiling } = body;
      const commission = commissionOf(body);
      const account = { role, username, passwordHash, commission, commissionCeiling, note, active, refId, games };
      return {
        message: ACCOUNT_TEXTS.created,
        data: await createAccount(services, call, account, hooks.assignGames),
      };
    },
    async get(actor, name) {
      const account = await findAccount(db, actor, clock.now(), name);
      if (!account) throw new CallError('NOT_FOUND');
      if (!grantsCommissions(actor.role) || account.role === 'superadmin') return account;
      return { ...account, highestChain: await readHighestChain(db, account._id) };
    },
    async update(call, name, body) {
      const { password, ...change } = body;
      const passwordHash =
        password === undefined
          ? undefined
          : await hooks.hashNewPassword(password, await passwordOwner(db, call.actor.id, name), call.actor.id);
      return {
        message: ACCOUNT_TEXTS.updated,
        data: await updateAccount(services, call, name, { ...change, passwordHash }, hooks),
      };
    },
    async toggle(call, name, action) {
      const lock = async (tx: Tx) => [await lockTarget(tx, call.actor, name)];
      const { accounts } = await toggleAccounts(services, call, action === 'activate', lock, hooks);
      const data = accounts[0]!;
      return { message: ACCOUNT_TEXTS.toggled(data.uniqueId, action), data };
    },
    async toggleMany(call, ids, action) {
      const lock = (tx: Tx) => lockTargets(tx, call.actor, ids);
      const { changed } = await toggleAccounts(services, call, action === 'activate', lock, hooks);
      return { message: `${counted(ids.length)} ${action}d.`, changed };
    },
    async setDailyLimits(call, ids, dailyLimit) {
      const changed = await setDailyLimits(services, call, ids, dailyLimit, hooks);
      return { message: ACCOUNT_TEXTS.dailyLimitSet(counted(ids.length)), changed };
    },
    async remove(call, name) {
      await deleteAccount(services, call, name, hooks);
      return { message: DELETED[name.role] };
    },
  };
}

/** Changes all accounts or none, and logs each. Deactivation also ends all sessions of the subtrees and API keys of admins. */
export async function toggleAccounts(
  services: Services,
  call: Call<Actor>,
  active: boolean,
  lock: (tx: Tx) => Promise<readonly Target[]>,
  { endSessionsBelow, endApiKeys }: Pick<AccountHooks, 'endSessionsBelow' | 'endApiKeys'>,
): Promise<{ readonly accounts: Account[]; readonly changed: number }> {
  const run = active ? runCommand : runCommandDuringRestore;
  return run(services, call, async (tx, at) => {
    const targets = await lock(tx);
    const ids = targets.map(({ id }) => id);
    const before = await findAccounts(tx, call.actor, at, ids);
    await tx.query(sql`update accounts set active = ${active} where id = any(${ids}::uuid[])`);
    const ended: LoggedPart[] = [];
    for (const target of active ? [] : targets) {
      await endSessionsBelow(tx, target.id, 'subtree');
      ended.push(...(await endKeysOf(tx, target, at, endApiKeys)));
    }
    const after = await findAccounts(tx, call.actor, at, ids);
    const toggled = targets.map(({ id, role, username }) => ({
      subject: `${active ? 'Activated' : 'Deactivated'} ${role} ${username}`,
      detail: { accountId: id },
      changes: accountChanges(before.get(id)!, after.get(id)!),
    }));
    const accounts = ids.map((id) => after.get(id)!);
    const changed = ids.filter((id) => before.get(id)!.userStatus !== active).length;
    return { result: { accounts, changed }, subject: null, more: [...toggled, ...ended] };
  });
}
