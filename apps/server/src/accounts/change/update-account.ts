import type { Account, updateBody } from '@drawhouse/contract/accounts/accounts';
import { hundredthsOf, type Role } from '@drawhouse/contract/core/primitives';
import type * as z from 'zod/mini';
import { changeOf } from '../../activity/append-activity.ts';
import { noticeTo } from '../../activity/own-notices.ts';
import { runCommand, underRules, type LoggedPart } from '../../activity/run-command.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call, GuardedAct } from '../../platform/http/handler.ts';
import { lockCredits } from '../../ledger/stakes.ts';
import { requireOpenBooks } from '../../activity/network-work/closed-books.ts';
import { inSubtree } from '../../platform/db/visibility-predicate.ts';
import { findAccount } from '../accounts.sql.ts';
import type { Actor } from '../authority.ts';
import { accountChanges, changeSubject } from './change-subject.ts';
import {
  checkCommissions,
  lockCommissions,
  setCommission,
  setCommissionCeiling,
  type CommissionField,
} from '../commission-rules.ts';
import { requireParent, temporaryUntil } from './insert-account.ts';
import { setTestNetwork } from '../test-network.ts';
import {
  endKeysOf,
  lockTarget,
  lockTargets,
  type EndApiKeys,
  type EndSessionsBelow,
  type Target,
  type TargetName,
} from './lock-target.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { ACCOUNT_TEXTS } from '../accounts-texts.ts';

export interface AccountChange extends Omit<z.output<typeof updateBody>, 'password'> {
  readonly passwordHash: string | undefined;
}

export interface UpdateHooks {
  readonly endSessionsBelow: EndSessionsBelow;
  readonly endApiKeys: EndApiKeys;
  readonly announceMove: (tx: Tx, accountId: string) => Promise<void>;
  readonly hasPlayed: (tx: Tx, target: Target) => Promise<boolean>;
  readonly setGames: (tx: Tx, networkId: number, games: readonly string[], at: Date) => Promise<void>;
}

/** New passwords and deactivation end sessions. A new reference moves the whole subtree. */
export async function updateAccount(
  services: Services,
  call: Call<Actor>,
  name: TargetName,
  change: AccountChange,
  hooks: UpdateHooks,
): Promise<Account> {
  return runCommand(services, call, (tx, at) => changeAccount(tx, at, call.actor, name, change, hooks));
}

export async function setDailyLimits(
  services: Services,
  call: Call<Actor>,
  ids: readonly string[],
  dailyLimit: number | null,
  hooks: UpdateHooks,
): Promise<number> {
  return runCommand(services, call, async (tx, at) => {
    const more: LoggedPart[] = [];
    const guards: GuardedAct[] = [];
    let result = 0;
    for (const { id, role } of await lockTargets(tx, call.actor, ids)) {
      const change = { dailyLimit, passwordHash: undefined };
      const { subject, detail, changes, guarded } = await changeAccount(
        tx,
        at,
        call.actor,
        { id, role },
        change,
        hooks,
      );
      if (changes.length > 0) result += 1;
      more.push({ subject, detail, changes });
      guards.push(...guarded);
    }
    return { result, subject: null, more, guarded: guards };
  });
}

/** Part of a larger command, which logs the change. */
async function changeAccount(
  tx: Tx,
  at: Date,
  actor: Actor,
  name: TargetName,
  change: AccountChange,
  hooks: UpdateHooks,
) {
  const field = ruledField(change);
  if (field !== undefined) {
    const [found] = await tx.query<{ chain: string[] }>(
      sql`select a.chain from accounts a where a.id = ${name.id} and ${inSubtree('a', actor)}`,
    );
    if (found) await lockCommissions(tx, found.chain);
  }
  const target = await lockTarget(tx, actor, name);
  // Admin edits stay allowed: a restore keeps the superadmin's values.
  if (name.role !== 'admin') await requireOpenBooks(tx, target.network_id);
  const before = (await findAccount(tx, actor, at, { id: target.id }))!;
  if (change.refId !== undefined && change.refId !== target.parent_id)
    await moveAccount(tx, actor, target, { role: name.role, refId: change.refId }, hooks);
  if (change.commission !== undefined) await setCommission(tx, actor, { target, commission: change.commission, at });
  if (change.commissionCeiling !== undefined)
    await setCommissionCeiling(tx, { id: target.id, role: name.role }, change.commissionCeiling);
  if (field !== undefined) await checkCommissions(tx, actor, { id: target.id, networkId: target.network_id }, field);
  await tx.query(
    sql`update accounts set note = coalesce(${change.note ?? null}, note),
      active = coalesce(${change.userStatus ?? null}, active) where id = ${target.id}`,
  );
  if (change.passwordHash !== undefined)
    await tx.query(
      sql`update accounts set password_hash = ${change.passwordHash}, password_set_by = ${actor.id},
        password_set_at = ${at}, temporary_until = ${name.role === 'user' ? null : temporaryUntil(at)} where id = ${target.id}`,
    );
  if (change.dailyLimit !== undefined) await setDailyLimit(tx, target, name.role, change.dailyLimit);
  if (change.tableLine !== undefined) await setTableLine(tx, target, name.role, change.tableLine);
  if (change.tokenSessions !== undefined) await setTokenSessions(tx, target, name.role, change.tokenSessions);
  if (change.factorRoles !== undefined) await setFactorRoles(tx, actor, target, change.factorRoles, hooks);
  if (change.rememberDevices !== undefined) await setRememberDevices(tx, actor, target, change.rememberDevices);
  if (change.passwordFirst !== undefined) await setPasswordFirst(tx, actor, target, change.passwordFirst, hooks);
  if (change.testNetwork !== undefined && change.testNetwork !== (before.testNetwork ?? false))
    await markTestNetwork(tx, target, name.role, change.testNetwork, hooks);
  if (change.games !== undefined) {
    if (name.role !== 'admin')
      throw new CallError('INVALID_INPUT', { fields: { games: ACCOUNT_TEXTS.onlyAdminsGames } });
    await hooks.setGames(tx, target.network_id, change.games, at);
  }
  const isStopped = change.userStatus === false;
  if (isStopped) await hooks.endSessionsBelow(tx, target.id, 'subtree');
  else if (change.passwordHash !== undefined) await hooks.endSessionsBelow(tx, target.id, 'itself');
  const more = isStopped ? await endKeysOf(tx, target, at, hooks.endApiKeys) : [];
  const { passwordHash, ...logged } = change;
  const after = (await findAccount(tx, actor, at, { id: target.id }))!;
  return {
    result: after,
    subject: changeSubject(before, after, passwordHash !== undefined),
    detail: {
      accountId: target.id,
      ...logged,
      ...(passwordHash !== undefined && { password: 'changed' }),
      ...noticeOf(before, after, passwordHash !== undefined),
    },
    changes: [
      ...accountChanges(before, after),
      ...(passwordHash === undefined ? [] : changeOf('Password', null, 'Changed', after.username)),
    ],
    more,
    guarded: guardedChanges(actor, before, after, target.network_id),
  };
}

function noticeOf(before: Account, after: Account, hasOtherPassword: boolean) {
  const owner = { id: after._id, login: 0 };
  if (hasOtherPassword) return noticeTo(owner, 'password');
  return before.commission === after.commission ? {} : noticeTo(owner, 'commission');
}

/** Absent equals unset. */
const differs = (one: unknown, other: unknown): boolean => (one ?? null) !== (other ?? null);

function guardedChanges(actor: Actor, before: Account, after: Account, networkId: number): GuardedAct[] {
  const hasOtherLines =
    differs(before.commissionCeiling, after.commissionCeiling) ||
    differs(before.tableLine, after.tableLine) ||
    (after.dailyLimit ?? Infinity) > (before.dailyLimit ?? Infinity);
  const isWeaker =
    (before.factorRoles ?? []).some((role) => after.factorRoles?.includes(role) !== true) ||
    (after.tokenSessions === true && before.tokenSessions !== true);
  return [
    ...(hasOtherLines ? [{ kind: 'lines', networkId } as const] : []),
    ...(before.commission === after.commission ? [] : underRules(actor, { kind: 'commission', networkId })),
    ...(isWeaker ? underRules(actor, { kind: 'guards', networkId }) : []),
  ];
}

function ruledField(change: AccountChange): CommissionField | undefined {
  return (['commissionCeiling', 'commission', 'refId'] as const).find((name) => change[name] !== undefined);
}

async function setTableLine(tx: Tx, target: Target, role: Role, line: number | null): Promise<void> {
  if (role !== 'admin') throw new CallError('INVALID_INPUT', { fields: { tableLine: ACCOUNT_TEXTS.onlyAdminsLine } });
  await tx.query(
    sql`update accounts set table_line = ${line === null ? null : hundredthsOf(line)} where id = ${target.id}`,
  );
}

async function setDailyLimit(tx: Tx, target: Target, role: Role, limit: number | null): Promise<void> {
  if (role === 'user')
    throw new CallError('INVALID_INPUT', {
      fields: { dailyLimit: ACCOUNT_TEXTS.playersNoLimit },
    });
  await tx.query(
    sql`update accounts set daily_limit = ${limit === null ? null : hundredthsOf(limit)} where id = ${target.id}`,
  );
}

async function setTokenSessions(tx: Tx, target: Target, role: Role, allowed: boolean): Promise<void> {
  if (role !== 'admin') throw new CallError('INVALID_INPUT', { fields: { tokenSessions: ACCOUNT_TEXTS.onlyOnAdmin } });
  await tx.query(sql`update accounts set token_sessions = ${allowed} where id = ${target.id}`);
}

/** Only superadmins set these roles, so no admin loosens its own rule. Sessions follow at once. */
async function setFactorRoles(
  tx: Tx,
  actor: Actor,
  target: Target,
  roles: readonly Role[],
  { announceMove }: UpdateHooks,
): Promise<void> {
  if (target.role !== 'admin')
    throw new CallError('INVALID_INPUT', { fields: { factorRoles: ACCOUNT_TEXTS.onlyOnAdmin } });
  if (actor.role !== 'superadmin') throw new CallError('NOT_ALLOWED');
  const sorted = [...new Set(roles)].toSorted();
  await tx.query(sql`update accounts set factor_roles = ${sorted} where id = ${target.id}`);
  await announceMove(tx, target.id);
}

async function setRememberDevices(tx: Tx, actor: Actor, target: Target, isAllowed: boolean): Promise<void> {
  if (target.role !== 'admin')
    throw new CallError('INVALID_INPUT', { fields: { rememberDevices: ACCOUNT_TEXTS.onlyOnAdmin } });
  if (actor.role !== 'superadmin') throw new CallError('NOT_ALLOWED');
  await tx.query(sql`update accounts set remember_devices = ${isAllowed} where id = ${target.id}`);
}

async function setPasswordFirst(
  tx: Tx,
  actor: Actor,
  target: Target,
  isFirst: boolean,
  { announceMove }: UpdateHooks,
): Promise<void> {
  if (target.role !== 'admin')
    throw new CallError('INVALID_INPUT', { fields: { passwordFirst: ACCOUNT_TEXTS.onlyOnAdmin } });
  if (actor.role !== 'superadmin') throw new CallError('NOT_ALLOWED');
  await tx.query(sql`update accounts set password_first = ${isFirst} where id = ${target.id}`);
  await announceMove(tx, target.id);
}

/** Refuses after any bet: real play never becomes a test, and a test never becomes real play. */
async function markTestNetwork(
  tx: Tx,
  target: Target,
  role: Role,
  isTest: boolean,
  { hasPlayed }: UpdateHooks,
): Promise<void> {
  if (role !== 'admin') throw new CallError('INVALID_INPUT', { fields: { testNetwork: ACCOUNT_TEXTS.onlyOnAdmin } });
  await waitForBets(tx, target);
  if (await hasPlayed(tx, target))
    throw new CallError('RULE_REFUSED', {
      fields: { testNetwork: ACCOUNT_TEXTS.hasBets },
    });
  await setTestNetwork(tx, target.id, isTest);
}

/** Locks the players' credit wallets, so each bet earns commissions on a single chain. */
async function waitForBets(tx: Tx, { id, network_id: networkId }: Target): Promise<void> {
  const players = await tx.query<{ id: string }>(
    sql`select a.id from accounts a where a.role = 'user' and a.chain @> array[${id}]::uuid[]`,
  );
  const ids = players.map((player) => player.id);
  await lockCredits(tx, networkId, ids, 'wait');
}

/** Refuses after any play in the subtree, because reports of the old chain include it. */
async function moveAccount(
  tx: Tx,
  actor: Actor,
  target: Target,
  { role, refId }: { role: Role; refId: string },
  { hasPlayed, announceMove }: UpdateHooks,
): Promise<void> {
  const parent = await requireParent(tx, actor, role, refId);
  if (role !== 'admin' && parent.network_id !== target.network_id)
    throw new CallError('RULE_REFUSED', { fields: { refId: ACCOUNT_TEXTS.staysInNetwork } });
  await waitForBets(tx, target);
  if (await hasPlayed(tx, target))
    throw new CallError('RULE_REFUSED', {
      fields: {
        refId: ACCOUNT_TEXTS.betsBeforeMove,
      },
    });
  await tx.query(sql`update accounts set parent_id = ${parent.id} where id = ${target.id}`);
  await tx.query(
    sql`update accounts set chain = ${parent.chain}::uuid[] || chain[array_position(chain, ${target.id}::uuid):]
     where chain @> array[${target.id}::uuid]::uuid[]`,
  );
  target.chain = [...parent.chain, target.id];
  await announceMove(tx, target.id);
}
