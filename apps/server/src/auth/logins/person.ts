import { PERMISSIONS, permissionsOf } from '@drawhouse/contract/core/permissions';
import type { LoginRole } from '@drawhouse/contract/core/permissions';
import type { Actor } from '../../accounts/authority.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { isAllowed } from '../../platform/http/request/allowed-addresses.ts';
import { LOGIN_TEXTS } from './logins-texts.ts';
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

/** SQL: login `l` may work at this time. Hours that end before they start reach into the next day. */
export function worksAt(at: Date, timeZone: string): Sql {
  const local = sql`${at}::timestamptz at time zone ${timeZone}`;
  const minute = sql`(extract(hour from ${local}) * 60 + extract(minute from ${local}))`;
  return sql`(l.starts_minute is null or case when l.starts_minute < l.ends_minute
    then ${minute} >= l.starts_minute and ${minute} < l.ends_minute
    else ${minute} >= l.starts_minute or ${minute} < l.ends_minute end)`;
}

/** Columns of a login in a query; null for login 0. */
export interface LoginColumns {
  readonly login_name: string | null;
  readonly login_role: LoginRole | null;
  readonly login_permissions: string[] | null;
  readonly login_games: string[] | null;
  readonly login_addresses: string[] | null;
}

export function personName(username: string, name: string | null): string {
  return name === null ? username : `${username} / ${name}`;
}

export function rightsOf(
  username: string,
  { login_name, login_role, login_permissions, login_games, login_addresses }: LoginColumns,
): Pick<Actor, 'personName' | 'permissions' | 'games' | 'addresses'> {
  return {
    personName: personName(username, login_name),
    permissions: login_role === null ? PERMISSIONS : permissionsOf(login_role, login_permissions ?? []),
    games: login_games ?? [],
    addresses: login_addresses ?? [],
  };
}

/** Throws NOT_ALLOWED if a login may not work from this address or at this time. */
export async function requireAllowedPlace(
  on: Queryable,
  { id, networkId, login }: Person,
  ip: string,
  now: { readonly at: Date; readonly timeZone: string },
): Promise<void> {
  if (login === 0) return;
  const [row] = await on.query<{ addresses: string[]; works: boolean }>(
    sql`select l.addresses::text[] as addresses, ${worksAt(now.at, now.timeZone)} as works from logins l
      where l.network_id = ${networkId} and l.account_id = ${id} and l.number = ${login}`,
  );
  if (!row || !isAllowed(row.addresses, ip)) throw new CallError('NOT_ALLOWED', { message: LOGIN_TEXTS.wrongAddress });
  if (!row.works) throw new CallError('NOT_ALLOWED', { message: LOGIN_TEXTS.wrongHours });
}
