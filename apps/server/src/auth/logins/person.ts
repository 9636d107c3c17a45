import { PERMISSIONS, permissionsOf, type LoginRole } from '@drawhouse/contract/core/permissions';
import type { Actor } from '../../accounts/authority.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';

/** Login 0 is the account's own name and password. */
export type Person = Pick<Actor, 'id' | 'networkId' | 'login'>;

export function personKey({ id, login }: Pick<Person, 'id' | 'login'>): string {
  return login === 0 ? id : `${id} login ${login}`;
}

/** Joins login `l`. `account` supplies the network, `row` the person. */
export function loginOf(account: string, row: string): Sql {
  return sql.raw(
    `logins l on l.network_id = ${account}.network_id and l.account_id = ${row}.account_id and l.number = ${row}.login
      ${crossNetworkComment('signIn')}`,
  );
}

export const LOGIN_COLUMNS: Sql = sql`l.name as login_name, l.role as login_role, l.permissions as login_permissions,
  l.games as login_games, l.addresses::text[] as login_addresses`;

export const PLACE_COLUMNS: Sql = sql`n.staff_addresses::text[] as staff_addresses`;

/** Hours that end before they start reach into the next day. */
export function isWithin(at: Date, timeZone: string, starts: Sql, ends: Sql): Sql {
  const local = sql`${at}::timestamptz at time zone ${timeZone}`;
  const minute = sql`(extract(hour from ${local}) * 60 + extract(minute from ${local}))`;
  return sql`(${starts} is null or case when ${starts} < ${ends} then ${minute} >= ${starts} and ${minute} < ${ends}
    else ${minute} >= ${starts} or ${minute} < ${ends} end)`;
}

/** Reads hours from the network's admin `n`. */
export const networkWorksAt = (at: Date, timeZone: string): Sql =>
  isWithin(at, timeZone, sql`n.staff_starts_minute`, sql`n.staff_ends_minute`);

/** Joins admin `n`, whose places apply to the staff account `a`. */
export const PLACES_OF_NETWORK: Sql = sql`left join accounts n on n.id = a.chain[2] and a.role <> 'user'`;

/** True for the owner, or if login `l` may act now. */
export function mayWorkAt(login: Sql, at: Date, timeZone: string): Sql {
  return sql`((${login} = 0 or l.active and l.removed_at is null
    and ${isWithin(at, timeZone, sql`l.starts_minute`, sql`l.ends_minute`)}) and ${networkWorksAt(at, timeZone)})`;
}

/** Null for login 0. */
export interface LoginColumns {
  readonly login_name: string | null;
  readonly login_role: LoginRole | null;
  readonly login_permissions: string[] | null;
  readonly login_games: string[] | null;
  readonly login_addresses: string[] | null;
  /** Addresses allowed for all staff. Undefined if the query does not read them. */
  readonly staff_addresses?: string[] | null;
}

export function personName(username: string, name: string | null): string {
  return name === null ? username : `${username} / ${name}`;
}

export function rightsOf(
  username: string,
  { login_name, login_role, login_permissions, login_games, login_addresses, staff_addresses }: LoginColumns,
): Pick<Actor, 'personName' | 'permissions' | 'games' | 'places'> {
  return {
    personName: personName(username, login_name),
    permissions: login_role === null ? PERMISSIONS : permissionsOf(login_role, login_permissions ?? []),
    games: login_games ?? [],
    places: [login_addresses, staff_addresses].filter((each) => each != null),
  };
}
