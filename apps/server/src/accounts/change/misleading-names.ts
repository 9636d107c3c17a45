import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Sql } from '../../platform/db/sql/sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';

const RESERVED = ['system', 'root', 'admin', 'superadmin', 'shell'];

/** Look-alike characters, mapped pairwise. Usernames are ASCII. */
const ALIKE = { from: '01i_-', to: 'oll..' };

/** Names with equal looks are easily confused. */
function appearanceOf(name: string): string {
  const letters = [...name.toLowerCase()].map((letter) => ALIKE.to[ALIKE.from.indexOf(letter)] ?? letter);
  return letters.join('').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

function skeletonSql(name: string): Sql {
  return sql`replace(replace(translate(lower(${sql.raw(name)}), '${sql.raw(ALIKE.from)}', '${sql.raw(ALIKE.to)}'), 'rn', 'm'), 'vv', 'w')`;
}

/** Stricter look for reserved names: ignores separators, folds further look-alikes. */
function strictAppearanceOf(name: string): string {
  return appearanceOf(name).replaceAll('.', '').replaceAll('5', 's').replaceAll('cl', 'd');
}

const RESERVED_SKELETONS: ReadonlySet<string> = new Set(RESERVED.map(strictAppearanceOf));

const STAFF = sql`role in ('admin', 'superdistributor', 'distributor', 'retailer')`;
const RESERVED_NAME = 'This username is reserved. Choose another';
const LIKE_STAFF = "This username looks like a staff account's. Choose another";

/**
 * Refuses misleading usernames. Throws INVALID_INPUT for reserved names, USERNAME_TAKEN for look-alikes of a superadmin
 * or of staff in the same network. New admins are compared with admins of the same superadmin.
 */
export async function requireDistinctName(
  tx: Tx,
  username: string,
  parent: { readonly id: string; readonly chain: readonly string[] },
): Promise<void> {
  if (isReserved(username)) throw new CallError('INVALID_INPUT', { fields: { username: RESERVED_NAME } });
  const staff = sql`select username from accounts where chain[2] = ${parent.chain[1] ?? null} and ${STAFF} and deleted_at is null
       union all select username from accounts where parent_id = ${parent.id} and role = 'admin' and deleted_at is null`;
  if (await looksLikeStaff(tx, username, staff))
    throw new CallError('USERNAME_TAKEN', { fields: { username: LIKE_STAFF } });
}

export async function requireDistinctStagedName(
  tx: Tx,
  username: string,
  staged: { readonly id: string; readonly networkId: number },
): Promise<void> {
  if (isReserved(username))
    throw new CallError('INVALID_INPUT', { fields: { renames: `${username}: ${RESERVED_NAME}` } });
  const staff = sql`select username from staged_accounts where network_id = ${staged.networkId} and id <> ${staged.id} and ${STAFF}
    and deleted_at is null`;
  if (await looksLikeStaff(tx, username, staff))
    throw new CallError('USERNAME_TAKEN', { fields: { renames: `${username}: ${LIKE_STAFF}` } });
}

function isReserved(username: string): boolean {
  return RESERVED_SKELETONS.has(strictAppearanceOf(username));
}

async function looksLikeStaff(tx: Tx, username: string, staff: Sql): Promise<boolean> {
  const found = await tx.query(
    sql`select from (select username from accounts where role = 'superadmin' union all ${staff}) as staff
     where ${skeletonSql('username')} = ${appearanceOf(username)} and lower(username) <> lower(${username}) limit 1`,
  );
  return found.length > 0;
}
