import type { Role } from '@drawhouse/contract/core/primitives';
import type { Tx } from '../../platform/db/database.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { ACCOUNT_TEXTS } from '../accounts-texts.ts';

const RESERVED = ['system', 'root', 'admin', 'superadmin', 'shell'];

/** Mapped pairwise. Usernames are ASCII. */
const ALIKE = { from: '01i_-', to: 'oll..' };

function appearanceOf(name: string): string {
  const letters = [...name.toLowerCase()].map((letter) => ALIKE.to[ALIKE.from.indexOf(letter)] ?? letter);
  return letters.join('').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

function skeletonSql(name: string): Sql {
  return sql`replace(replace(translate(lower(${sql.raw(name)}), '${sql.raw(ALIKE.from)}', '${sql.raw(ALIKE.to)}'), 'rn', 'm'), 'vv', 'w')`;
}

/** Ignores separators and folds further look-alikes, for reserved names. */
function strictAppearanceOf(name: string): string {
  return appearanceOf(name).replaceAll('.', '').replaceAll('5', 's').replaceAll('cl', 'd');
}

const RESERVED_SKELETONS: ReadonlySet<string> = new Set(RESERVED.map(strictAppearanceOf));

const STAFF = sql`role in ('admin', 'superdistributor', 'distributor', 'retailer')`;

/** New admins are compared with admins of the same superadmin. */
export async function requireDistinctName(tx: Tx, username: string, parent: NamesParent): Promise<void> {
  const refusal = (await refusedNames(tx, [{ username, role: 'user' }], parent))[0];
  if (refusal) throw refusal;
}

interface NamesParent {
  readonly id: string;
  readonly chain: readonly string[];
}

/** Keyed by index. Staff names are also compared with each other. */
export async function refusedNames(
  tx: Tx,
  names: readonly { readonly username: string; readonly role: Role }[],
  parent: NamesParent,
): Promise<readonly (CallError | undefined)[]> {
  const staff = sql`select username from accounts where chain[2] = ${parent.chain[1] ?? null} and ${STAFF} and deleted_at is null
       union all select username from accounts where parent_id = ${parent.id} and role = 'admin' and deleted_at is null`;
  const alike = await namesLikeStaff(
    tx,
    names.map(({ username }) => username),
    staff,
  );
  const skeletons = new Map<string, string>();
  return names.map(({ username, role }) => {
    if (isReserved(username))
      return new CallError('INVALID_INPUT', { fields: { username: ACCOUNT_TEXTS.nameReserved } });
    const skeleton = appearanceOf(username);
    const other = skeletons.get(skeleton) ?? username;
    if (role !== 'user') skeletons.set(skeleton, other);
    return alike.has(username) || other.toLowerCase() !== username.toLowerCase()
      ? new CallError('USERNAME_TAKEN', { fields: { username: ACCOUNT_TEXTS.nameLikeStaff } })
      : undefined;
  });
}

export async function requireDistinctStagedName(
  tx: Tx,
  username: string,
  staged: { readonly id: string; readonly networkId: number },
): Promise<void> {
  if (isReserved(username))
    throw new CallError('INVALID_INPUT', { fields: { renames: `${username}: ${ACCOUNT_TEXTS.nameReserved}` } });
  const staff = sql`select username from staged_accounts where network_id = ${staged.networkId} and id <> ${staged.id} and ${STAFF}
    and deleted_at is null`;
  if ((await namesLikeStaff(tx, [username], staff)).size > 0)
    throw new CallError('USERNAME_TAKEN', { fields: { renames: `${username}: ${ACCOUNT_TEXTS.nameLikeStaff}` } });
}

function isReserved(username: string): boolean {
  return RESERVED_SKELETONS.has(strictAppearanceOf(username));
}

async function namesLikeStaff(tx: Tx, names: readonly string[], staff: Sql): Promise<ReadonlySet<string>> {
  const found = await tx.query<{ name: string }>(
    sql`select distinct new.name from unnest(${names}::text[], ${names.map(appearanceOf)}::text[]) as new (name, skeleton)
     join (select username from accounts where role = 'superadmin' union all ${staff}) as staff
       on ${skeletonSql('staff.username')} = new.skeleton and lower(staff.username) <> lower(new.name)`,
  );
  return new Set(found.map(({ name }) => name));
}
