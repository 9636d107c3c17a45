import type { Role } from '@drawhouse/contract/frame/primitives';
import type { Author } from '../activity/run-command.ts';
import type { Queryable } from '../db/database.ts';
import { idsAmong } from '../db/name-uuid.ts';
import { CallError } from '../http/http-errors.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/ledger-kinds';

/** The signed-in account of a call. */
export interface Actor extends Author {
  readonly role: Role;
  /** The ids from the superadmin down to this account. */
  readonly chain: readonly string[];
}

/** How a call fails whose field names an account that is not the caller's to see. */
export function notBelow(field: string): CallError {
  return new CallError('NOT_FOUND', { fields: { [field]: 'There is no such account at or below yours' } });
}

/**
 * Throws SESSION_ENDED where an account below the actor, once it is locked, is of another network number than the actor was when the call came: a restore
 * has taken the place of their network meanwhile and ended the sessions, and what is done would be logged in the one that was replaced.
 */
export function requireSameNetwork(actor: Pick<Actor, 'networkId'>, networkId: number): void {
  if (actor.networkId !== ROOT_NETWORK && networkId !== actor.networkId) throw new CallError('SESSION_ENDED');
}

/**
 * Which of these accounts are effectively active: they and all their ancestors are active and not deleted. Unknown ids are
 * not in the answer.
 */
export async function effectivelyActive(on: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const rows = await on.query<{ id: string }>(
    `select a.id from accounts a
     where a.id = any($1::uuid[])
       and not exists (select from accounts up where up.id = any(a.chain) and (not up.active or up.deleted_at is not null))`,
    [ids],
    'accounts-active',
  );
  return new Set(rows.map((row) => row.id));
}

/** Those of some names that are ids of accounts which are neither the actor nor below it. */
export async function foreignAccounts(
  on: Queryable,
  actor: Pick<Actor, 'id'>,
  names: readonly string[],
): Promise<string[]> {
  const rows = await on.query<{ id: string }>(
    'select id from accounts where id = any($2::uuid[]) and not chain @> array[$1::uuid]',
    [actor.id, idsAmong(names)],
    'accounts-foreign',
  );
  return rows.map((row) => row.id);
}
