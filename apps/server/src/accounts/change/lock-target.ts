import type { Role } from '@drawhouse/contract/core/primitives';
import type { Tx } from '../../platform/db/database.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { inSubtree } from '../../platform/db/visibility-predicate.ts';
import { effectivelyActive, type Actor } from '../authority.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { LoggedPart } from '../../activity/run-command.ts';
import { changeOf } from '../../activity/append-activity.ts';
import { ACCOUNT_TEXTS, ACCOUNT_SUBJECTS } from '../accounts-texts.ts';

export type EndSessionsBelow = (tx: Tx, accountId: string, reach: 'itself' | 'subtree') => Promise<void>;

export type EndApiKeys = (
  tx: Tx,
  target: Pick<Target, 'id' | 'network_id'>,
  at: Date,
) => Promise<readonly { readonly id: string; readonly name: string; readonly username: string }[]>;

export interface Target {
  id: string;
  network_id: number;
  parent_id: string | null;
  role: Role;
  username: string;
  chain: string[];
}

export interface TargetName {
  readonly id: string;
  readonly role: Role;
  readonly parentId?: string;
}

/** Never locks the actor itself. Throws NOT_FOUND on wrong role or parent too. */
export async function lockTarget(tx: Tx, actor: Actor, { id, ...among }: TargetName): Promise<Target> {
  const [target] = await lockBelow(tx, actor, [id], among);
  if (!target) throw new CallError('NOT_FOUND');
  return target;
}

/** Locks in account order. Throws NOT_FOUND naming the row of `ids`. */
export async function lockTargets(tx: Tx, actor: Actor, ids: readonly string[], role?: Role): Promise<Target[]> {
  const found = await lockBelow(tx, actor, ids, { role });
  const foundIds = new Set(found.map(({ id }) => id));
  const nth = ids.findIndex((id) => !foundIds.has(id));
  if (nth >= 0)
    throw new CallError('NOT_FOUND', {
      fields: { [`ids.${nth}`]: ACCOUNT_TEXTS.notBelow(role ? `a ${role}` : 'an account') },
    });
  return found;
}

async function lockBelow(
  tx: Tx,
  actor: Actor,
  ids: readonly string[],
  { role, parentId }: { readonly role?: Role | undefined; readonly parentId?: string | undefined },
): Promise<Target[]> {
  const targets = await tx.query<Target>(
    sql`select a.id, a.network_id, a.parent_id, a.role, a.username, a.chain from accounts a
     where a.id = any(${ids}::uuid[]) and (${role ?? null}::text is null or a.role = ${role ?? null}) and a.id <> ${actor.id}
       and (${parentId ?? null}::uuid is null or a.parent_id = ${parentId ?? null}) and ${inSubtree('a', actor)}
     order by a.id for no key update`,
  );
  // The actor may have been deactivated during hashing or lock wait.
  if (targets.length > 0 && !(await effectivelyActive(tx, [actor.id])).has(actor.id))
    throw new CallError('SESSION_ENDED');
  return targets;
}

export async function endKeysOf(tx: Tx, target: Target, at: Date, endApiKeys: EndApiKeys): Promise<LoggedPart[]> {
  if (target.role === 'user' || target.role === 'superadmin') return [];
  const ended = await endApiKeys(tx, target, at);
  return ended.map(({ id, name, username }) => ({
    subject: ACCOUNT_SUBJECTS.keyEnded(name, username),
    // `accountId` lets the entry move with its network.
    detail: { accountId: target.id, apiKey: id, did: 'ended' },
    changes: changeOf('Status', 'Can be used', 'Ended'),
  }));
}
