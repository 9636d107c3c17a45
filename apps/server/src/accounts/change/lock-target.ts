import type { Role } from '@drawhouse/contract/core/primitives';
import type { Tx } from '../../platform/db/database.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { inSubtree } from '../../platform/db/predicate.ts';
import { effectivelyActive } from '../authority.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Actor } from '../authority.ts';
import type { LoggedPart } from '../../activity/run-command.ts';
import { changeOf } from '../../activity/append-activity.ts';

export type EndSessionsBelow = (tx: Tx, accountId: string, reach: 'itself' | 'subtree') => Promise<void>;

export type EndApiKeys = (tx: Tx, networkId: number, at: Date) => Promise<readonly { id: string; name: string }[]>;

export interface Target {
  id: string;
  network_id: number;
  parent_id: string | null;
  username: string;
  chain: string[];
}

export interface TargetName {
  readonly id: string;
  readonly role: Role;
  readonly parentId?: string;
}

/** Locks an account below the actor, never the actor. Throws NOT_FOUND on wrong role or parent too. */
export async function lockTarget(tx: Tx, actor: Actor, { id, role, parentId }: TargetName): Promise<Target> {
  const [target] = await tx.query<Target>(
    sql`select a.id, a.network_id, a.parent_id, a.username, a.chain from accounts a
     where a.id = ${id} and a.role = ${role} and a.id <> ${actor.id}
       and (${parentId ?? null}::uuid is null or a.parent_id = ${parentId ?? null}) and ${inSubtree('a', actor)}
     for no key update`,
  );
  if (!target) throw new CallError('NOT_FOUND');
  // The actor may have been deactivated during hashing or lock wait.
  if (!(await effectivelyActive(tx, [actor.id])).has(actor.id)) throw new CallError('SESSION_ENDED');
  return target;
}

export async function endAdminKeys(
  tx: Tx,
  { id: adminId, network_id, username }: Target,
  { role }: Pick<TargetName, 'role'>,
  at: Date,
  endApiKeys: EndApiKeys,
): Promise<LoggedPart[]> {
  if (role !== 'admin') return [];
  const ended = await endApiKeys(tx, network_id, at);
  return ended.map(({ id, name }) => ({
    subject: `Ended API key ${name} of ${username}`,
    // `accountId` lets the entry move with its network.
    detail: { accountId: adminId, apiKey: id, did: 'ended' },
    changes: changeOf('Status', 'Can be used', 'Ended'),
  }));
}
