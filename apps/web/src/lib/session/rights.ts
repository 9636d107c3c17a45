import type { AuthUser } from '@drawhouse/contract/auth/auth';
import { mayCall } from '@drawhouse/contract/core/permissions';
import type { Permission } from '@drawhouse/contract/core/permissions';
import type { Route } from '@drawhouse/contract/core/route';

/** Of the session. Undefined: the owner of the account or a player. */
let login: AuthUser['login'];

/** Called by the session on each change. */
export function takeLogin(current: AuthUser['login']): void {
  login = current;
}

/** True if the login has the right. Without a login, the owner or a player is signed in. */
export function may(permission: Permission | null): boolean {
  return login === undefined || permission === null || login.permissions.includes(permission);
}

/**
 * True if the login may make the call. Whether the account may is another question, which the server answers by its
 * role and the accounts below it.
 */
export function mayUse(route: Pick<Route, 'access' | 'permission' | 'file'>): boolean {
  return login === undefined || mayCall(route, login.permissions);
}
