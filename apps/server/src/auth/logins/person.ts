import { PERMISSIONS, permissionsOf } from '@drawhouse/contract/core/permissions';
import type { LoginRole } from '@drawhouse/contract/core/permissions';
import type { Actor } from '../../accounts/authority.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Sql } from '../../platform/db/sql/sql.ts';

/** A person who may act: an account and the number of a login. Login 0 is the account's own name and password. */
export type Person = Pick<Actor, 'id' | 'networkId' | 'login'>;

/** Key of throttles and queues. */
export function personKey({ id, login }: Pick<Person, 'id' | 'login'>): string {
  return login === 0 ? id : `${id} login ${login}`;
}

/** SQL: joins login `l` by the network of an account alias and the person of a row alias. */
export function loginOf(account: string, row: string): Sql {
  return sql.raw(
    `logins l on l.network_id = ${account}.network_id and l.account_id = ${row}.account_id and l.number = ${row}.login
      ${crossNetworkComment('signIn')}`,
  );
}

export const LOGIN_COLUMNS: Sql = sql`l.name as login_name, l.role as login_role, l.permissions as login_permissions,
  l.games as login_games, l.addresses::text[] as login_addresses`;

/** Columns of {@link PLACES_OF_NETWORK}. */
export const PLACE_COLUMNS: Sql = sql`n.staff_addresses::text[] as staff_addresses`;

/** SQL: a person may work at this time. Hours that end before they start reach into the next day. */
export function isWithin(at: Date, timeZone: string, starts: Sql, ends: Sql): Sql {
  const local = sql`${at}::timestamptz at time zone ${timeZone}`;
  const minute = sql`(extract(hour from ${local}) * 60 + extract(minute from ${local}))`;
  return sql`(${starts} is null or case when ${starts} < ${ends} then ${minute} >= ${starts} and ${minute} < ${ends}
    else ${minute} >= ${starts} or ${minute} < ${ends} end)`;
}

/** SQL: the hours of a network, on its admin `n`, include this time. */
export const networkWorksAt = (at: Date, timeZone: string): Sql =>
  isWithin(at, timeZone, sql`n.staff_starts_minute`, sql`n.staff_ends_minute`);

/** SQL: joins admin `n`, whose places hold for the staff account `a` of its network. */
export const PLACES_OF_NETWORK: Sql = sql`left join accounts n on n.id = a.chain[2] and a.role <> 'user'`;

/** SQL: login `l` of the session or person in `login`, if it is none of the owner, may act at this time. */
export function mayWorkAt(login: Sql, at: Date, timeZone: string): Sql {
  return sql`((${login} = 0 or l.active and l.removed_at is null
    and ${isWithin(at, timeZone, sql`l.starts_minute`, sql`l.ends_minute`)}) and ${networkWorksAt(at, timeZone)})`;
}

/** Columns of a login in a query; null for login 0. */
export interface LoginColumns {
  readonly login_name: string | null;
  readonly login_role: LoginRole | null;
  readonly login_permissions: string[] | null;
  readonly login_games: string[] | null;
  readonly login_addresses: string[] | null;
  /** Allowed addresses of all staff of the network. Undefined if the query does not read them. */
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
