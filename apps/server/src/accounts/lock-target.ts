import type { Role } from '@drawhouse/contract/frame/primitives';
import type { Tx } from '../db/database.ts';
import { CallError } from '../http/http-errors.ts';
import { inSubtree } from '../predicate.ts';
import { effectivelyActive } from './authority.ts';
import { pieceOf, sql } from '../db/sql.ts';
import type { Actor } from './authority.ts';

/** Ends the sessions of an account, and with `subtree` of everyone below it; part of the auth feature. */
export type EndSessionsBelow = (tx: Tx, accountId: string, reach: 'itself' | 'subtree') => Promise<void>;

/** Ends the API keys of a network; part of the API keys feature. Gives those that it ended. */
export type EndApiKeys = (tx: Tx, networkId: number, at: Date) => Promise<readonly { id: string; name: string }[]>;

/** An account that is locked for a change. */
export interface Target {
  id: string;
  network_id: number;
  parent_id: string | null;
  username: string;
  chain: string[];
}

/** Which account a call means: of a level, and for the children variants below a parent. */
export interface TargetName {
  readonly id: string;
  readonly role: Role;
  readonly parentId?: string;
}

/**
 * Locks an account below the actor (never the actor itself) for a change. Throws NOT_FOUND, also where it is not of the role, or
 * not directly below the parent that the call names.
 */
export async function lockTarget(tx: Tx, actor: Actor, { id, role, parentId }: TargetName): Promise<Target> {
  const [target] = await tx.query<Target>(
    sql`select a.id, a.network_id, a.parent_id, a.username, a.chain from accounts a
     where a.id = ${id} and a.role = ${role} and a.id <> ${actor.id} and (${parentId ?? null}::uuid is null or a.parent_id = ${parentId ?? null}) and ${pieceOf(inSubtree('a', '$1'), actor.id)}
     for no key update`,
  );
  if (!target) throw new CallError('NOT_FOUND');
  // While a password was hashed or a lock waited for, the actor may have been deactivated.
  if (!(await effectivelyActive(tx, [actor.id])).has(actor.id)) throw new CallError('SESSION_ENDED');
  return target;
}
