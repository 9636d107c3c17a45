import type { AuthUser } from '@drawhouse/contract/auth/auth';
import { mayCall, type Permission } from '@drawhouse/contract/core/permissions';
import type { Route } from '@drawhouse/contract/core/route';

/** Undefined: the owner or a player. */
let login: AuthUser['login'];
let followsFirstCell = false;

export function takeRights(user: Pick<AuthUser, 'login' | 'followsFirstCell'> | null | undefined): void {
  login = user?.login;
  followsFirstCell = user?.followsFirstCell === true;
}

/** Such calls are refused here. */
export function isOfFirstCell(route: Pick<Route, 'inFirstCell'> | undefined): boolean {
  return followsFirstCell && route?.inFirstCell === true;
}

export function may(permission: Permission | null): boolean {
  return login === undefined || permission === null || login.permissions.includes(permission);
}

/** The server also checks the account. */
export function mayUse(route: Pick<Route, 'access' | 'permission' | 'file'>): boolean {
  return login === undefined || mayCall(route, login.permissions);
}
