import { PERMISSIONS, type KeyPermission } from '@drawhouse/contract/core/permissions';
import type { Role } from '@drawhouse/contract/core/primitives';
import type { CommandActor } from '../activity/run-command.ts';
import type { Queryable } from '../platform/db/database.ts';
import { uuidsIn } from '../platform/db/sql/uuids.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { sql, type Sql } from '../platform/db/sql/sql.ts';
import { ACCOUNT_TEXTS } from './accounts-texts.ts';

export interface Actor extends CommandActor {
  readonly role: Role;
  readonly chain: readonly string[];
  readonly games: readonly string[];
  readonly duty?: Duty | undefined;
  /** Set if a program acts by an API key of this admin. */
  readonly apiKey?: ActingKey | undefined;
}

/** A step that a person must take first. Until then, other calls fail with `code`. */
export interface Duty {
  readonly code: 'CHANGE_PASSWORD' | 'ADD_FACTOR';
  readonly waits: 'sensitive' | 'all';
}

export interface ActingKey {
  readonly number: number;
  /** Sensitive calls require addresses and a daily amount. */
  readonly isBounded: boolean;
  /** Null: no limit. */
  readonly creditPerDay: bigint | null;
}

export function ownerOf(account: Pick<Actor, 'id' | 'networkId' | 'username' | 'role' | 'chain'>): Actor {
  return { ...account, login: 0, personName: account.username, permissions: PERMISSIONS, games: [] };
}

/** An installation has one. */
export async function findSuperadmin(on: Queryable): Promise<Actor | undefined> {
  const [found] = await on.query<Parameters<typeof ownerOf>[0] & Record<string, unknown>>(
    sql`select id, network_id as "networkId", username, role, chain from accounts
      where role = 'superadmin'`,
  );
  return found && ownerOf(found);
}

export const KEY_COLUMNS: Sql = sql`k.number as key_number, k.name as key_name, k.addresses::text[] as key_addresses,
  k.permissions as key_permissions, k.credit_per_day as key_credit_per_day`;

export interface KeyColumns {
  readonly key_number: number;
  readonly key_name: string;
  readonly key_addresses: string[];
  readonly key_permissions: KeyPermission[];
  readonly key_credit_per_day: bigint | null;
}

export const keyAuthor = (username: string, keyName: string): string => `${username} / key ${keyName}`;

export function byKey(owner: Actor, key: KeyColumns): Actor {
  const creditPerDay = key.key_credit_per_day;
  const isBounded = key.key_addresses.length > 0 && creditPerDay !== null;
  return {
    ...owner,
    personName: keyAuthor(owner.username, key.key_name),
    permissions: key.key_permissions,
    apiKey: { number: key.key_number, isBounded, creditPerDay },
  };
}

export function notInSubtree(field: string): CallError {
  return new CallError('NOT_FOUND', { fields: { [field]: ACCOUNT_TEXTS.noneAtOrBelow } });
}

/** Active and not deleted, ancestors included. Drops unknown ids. */
export async function effectivelyActive(on: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const rows = await on.query<{ id: string }>(
    sql`select a.id from accounts a
     where a.id = any(${ids}::uuid[])
       and not exists (select from accounts up where up.id = any(a.chain) and (not up.active or up.deleted_at is not null))`.named(
      'accounts-active',
    ),
  );
  return new Set(rows.map((row) => row.id));
}

export async function foreignAccounts(
  on: Queryable,
  actor: Pick<Actor, 'id'>,
  names: readonly string[],
): Promise<string[]> {
  const rows = await on.query<{ id: string }>(
    sql`select id from accounts where id = any(${uuidsIn(names)}::uuid[]) and not chain @> array[${actor.id}::uuid]`.named(
      'accounts-foreign',
    ),
  );
  return rows.map((row) => row.id);
}

export interface ChainLink {
  id: string;
  username: string;
  role: Role;
}

/** Includes deleted accounts. Undefined if outside the subtree. */
export async function chainTo(on: Queryable, actorId: string, id: string): Promise<ChainLink[] | undefined> {
  const links = await on.query<ChainLink>(
    sql`select up.id, up.username, up.role from accounts a
      join accounts up on up.id = any(a.chain) and up.chain @> array[${actorId}]::uuid[]
     where a.id = ${id} and a.chain @> array[${actorId}]::uuid[] order by cardinality(up.chain)`,
  );
  return links.length > 0 ? links : undefined;
}
