import type { Role } from '@drawhouse/contract/frame/primitives';
import type { Author } from '../activity/run-command.ts';
import { sql } from 'kysely';
import type { Queryable } from '../db/database.ts';
import { idsAmong } from '../db/name-uuid.ts';
import { pieceOf } from '../db/sql.ts';
import { CallError } from '../http/http-errors.ts';
import { authority } from '../lists/list-source.ts';
import type { Authority } from '../lists/list-source.ts';

/** The signed-in account of a call. */
export interface Actor extends Author {
  readonly role: Role;
  /** The ids from the superadmin down to this account. */
  readonly chain: readonly string[];
}

/**
 * The one authority predicate: the account named by `alias` is the actor or below it, and not deleted. `parameter` is the
 * placeholder that holds the actor's id. Every query that reads or changes accounts carries it in its WHERE clause.
 */
export function inSubtree(alias: string, parameter: string): string {
  return `(${alias}.chain @> array[${parameter}]::uuid[] and ${alias}.deleted_at is null)`;
}

/** The same for a list: its source keeps the accounts, named by `alias`, that the actor may see. */
export function below(alias: string, actorId: string): Authority {
  return authority(pieceOf(inSubtree(alias, '$1'), actorId));
}

/** The same where deleted accounts stay in, for what they once did. */
export function everBelow(alias: string, actorId: string): Authority {
  return authority(sql`${sql.raw(alias)}.chain @> array[${actorId}]::uuid[]`);
}

/** How a call fails whose field names an account that is not the caller's to see. */
export function notBelow(field: string): CallError {
  return new CallError('NOT_FOUND', { fields: { [field]: 'There is no such account at or below yours' } });
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
