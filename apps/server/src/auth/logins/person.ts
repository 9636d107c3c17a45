import { PERMISSIONS, permissionsOf } from '@drawhouse/contract/core/permissions';
import type { LoginRole } from '@drawhouse/contract/core/permissions';
import type { Actor } from '../../accounts/authority.ts';
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
    `logins l on l.network_id = ${account}.network_id and l.account_id = ${row}.account_id and l.number = ${row}.login`,
  );
}

export const LOGIN_COLUMNS: Sql = sql`l.name as login_name, l.role as login_role, l.permissions as login_permissions,
  l.games as login_games`;

/** Columns of a login in a query; null for login 0. */
export interface LoginColumns {
  readonly login_name: string | null;
  readonly login_role: LoginRole | null;
  readonly login_permissions: string[] | null;
  readonly login_games: string[] | null;
}

export function personName(username: string, name: string | null): string {
  return name === null ? username : `${username} / ${name}`;
}

export function rightsOf(
  username: string,
  { login_name, login_role, login_permissions, login_games }: LoginColumns,
): Pick<Actor, 'personName' | 'permissions' | 'games'> {
  return {
    personName: personName(username, login_name),
    permissions: login_role === null ? PERMISSIONS : permissionsOf(login_role, login_permissions ?? []),
    games: login_games ?? [],
  };
}
