import { commissionOf, DELETED } from '@drawhouse/contract/accounts/accounts';
import type { Account, createBody, updateBody } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/core/primitives';
import type * as z from 'zod/mini';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call } from '../../platform/http/handler.ts';
import { findAccount } from '../accounts.sql.ts';
import type { Actor } from '../authority.ts';
import { grantsCommissions, readHighestChain } from '../commission-rules.ts';
import { createAccount } from './create-account.ts';
import type { AssignGames } from './create-account.ts';
import { deleteAccount } from './delete-account.ts';
import type { DeletionHooks } from './delete-account.ts';
import type { TargetName, EndApiKeys, EndSessionsBelow } from './lock-target.ts';
import { passwordOwner } from '../read/own-account.ts';
import type { PasswordContext } from '../read/own-account.ts';
import { updateAccount } from './update-account.ts';
import type { UpdateHooks } from './update-account.ts';
import { runCommand, runCommandDuringRestore } from '../../activity/run-command.ts';
import { accountChanges } from './change-subject.ts';
import { lockTarget, endAdminKeys } from './lock-target.ts';
import { sql } from '../../platform/db/sql/sql.ts';

export interface AccountHooks extends UpdateHooks, DeletionHooks {
  /** Throws a CallError naming `password`. */
  readonly hashNewPassword: (password: string, owner: PasswordContext, byId: string) => Promise<string>;
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
  remove(call: Call<Actor>, name: TargetName): Promise<{ message: string }>;
}

export function accountActions(services: Services, hooks: AccountHooks): AccountActions {
  const { db, clock } = services;
  return {
    async create(call, role, body, refId = body.refId) {
      const passwordHash = await hooks.hashNewPassword(body.password, { username: body.username }, call.actor.id);
      const { username, note, userStatus: active, games, commissionCeiling } = body;
      const commission = commissionOf(body);
      const account = { role, username, passwordHash, commission, commissionCeiling, note, active, refId, games };
      return {
        message: 'User created successfully!',
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
        message: 'User updated successfully!',
        data: await updateAccount(services, call, name, { ...change, passwordHash }, hooks),
      };
    },
    async toggle(call, name, action) {
      const data = await toggleAccount(services, call, { ...name, active: action === 'activate' }, hooks);
      return { message: `User ${data.uniqueId} has been successfully ${action}d.`, data };
    },
    async remove(call, name) {
      await deleteAccount(services, call, name, hooks);
      return { message: DELETED[name.role] };
    },
  };
}

/**
 * Activates or deactivates an account below the actor. Deactivation ends all sessions of its subtree in the same
 * transaction, plus API keys of an admin.
 */
export async function toggleAccount(
  services: Services,
  call: Call<Actor>,
  target: TargetName & { active: boolean },
  { endSessionsBelow, endApiKeys }: { readonly endSessionsBelow: EndSessionsBelow; readonly endApiKeys: EndApiKeys },
): Promise<Account> {
  const run = target.active ? runCommand : runCommandDuringRestore;
  return run(services, call, async (tx, at) => {
    const locked = await lockTarget(tx, call.actor, target);
    const { id, username } = locked;
    const before = (await findAccount(tx, call.actor, at, { id }))!;
    await tx.query(sql`update accounts set active = ${target.active} where id = ${id}`);
    if (!target.active) await endSessionsBelow(tx, id, 'subtree');
    const more = target.active ? [] : await endAdminKeys(tx, locked, target, at, endApiKeys);
    const after = (await findAccount(tx, call.actor, at, { id }))!;
    return {
      result: after,
      subject: `${target.active ? 'Activated' : 'Deactivated'} ${target.role} ${username}`,
      detail: { accountId: id },
      changes: accountChanges(before, after),
      more,
    };
  });
}
