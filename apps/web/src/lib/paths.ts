import type { ObjectRef } from '@drawhouse/contract/core/list';
import { roleBelow, ROLES, type Role } from '@drawhouse/contract/core/roles';
import type { Permission } from '@drawhouse/contract/core/permissions';
import { may } from './session/rights.ts';

export const SIGN_IN_PATH = '/auth/login';

export const SIGN_UP_PATH = '/auth/signup';

/** Its secret follows `#`. */
export const INVITATION_PATH = '/auth/invitation';

/** It redirects signed-in players; the cookie alone cannot, since cross-site links lack it. */
export const PLAYERS_PATH = '/sign-in';

export const WELCOME_PATH = '/welcome';

export function fairPath(drawId = ''): string {
  return `/fair/${drawId}`;
}

export function withSearch(path: string, search: Readonly<Record<string, string | number | undefined>>): string {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== '') parts.set(name, String(value));
  }
  const text = parts.toString();
  return text ? `${path}?${text}` : path;
}

/** Returns the dashboard, or the first page that the login may open. */
export function homePath(role: Role): string {
  if (role === 'user') return '/';
  if (may('reports')) return `/${role}/dashboard`;
  if (may('lists')) return listPath(role, roleBelow(role) ?? role);
  return `/${role}/${may('panels') ? 'game' : 'profile'}`;
}

export function pagePath(role: Role, page: string): string {
  return `/${role}/${page}`;
}

export function listPath(role: Role, level: Role): string {
  return pagePath(role, level);
}

export function addPath(role: Role, level: Role): string {
  return `/${role}/${level}/create`;
}

export function importPath(role: Role, level: Role): string {
  return `/${role}/${level}/import`;
}

export function chainPath(role: Role): string {
  return `/${role}/admin/chain`;
}

export type AccountAction = 'edit' | 'credittransfer' | 'creditadjust' | 'statement';

export const ACTION_RIGHTS: Readonly<Record<AccountAction, Permission>> = {
  edit: 'accounts',
  credittransfer: 'credit',
  creditadjust: 'adjustments',
  statement: 'lists',
};

export function accountPath(role: Role, level: Role, action: AccountAction, id: string): string {
  return `/${role}/${level}/${action}/${encodeURIComponent(id)}`;
}

export function creditPath(role: Role, level: Role, kind: 'credittransfer' | 'creditadjust', id: string): string {
  return accountPath(role, level, kind, id);
}

/** Players have their own base path. */
export function detailsPath(role: Role, level: Role, id: string): string {
  return `/${role}/${level === 'user' ? 'player/players' : `${level}/users`}/details/${encodeURIComponent(id)}`;
}

export function ownStatementPath(role: Role): string {
  return `/${role}/profile/statement`;
}

/** With `id`, leads to that child. */
export function fromDetailsPath(
  role: Role,
  level: Role,
  id: string,
  action: AccountAction | 'create',
  childId?: string,
): string {
  const path = `${detailsPath(role, level, id)}/${action}`;
  return childId === undefined ? path : `${path}/${encodeURIComponent(childId)}`;
}

export function editFromDetailsPath(role: Role, level: Role, id: string): string {
  const base = level === 'user' ? 'player/players' : `${level}/users`;
  return `/${role}/${base}/${encodeURIComponent(id)}/edit`;
}

export function panelPath(role: Role, gameId: string, adminId: string, username: string): string {
  return `/${role}/game/${[gameId, adminId, username].map(encodeURIComponent).join('/')}`;
}

export function objectPath(viewer: { readonly _id: string; readonly role: Role }, about: ObjectRef): string | null {
  const { role } = viewer;
  if (about.kind === 'game') {
    return role === 'superadmin' || role === 'admin' ? panelPath(role, about.id, about.adminId, about.username) : null;
  }
  if (about.kind === 'account' && about.id === viewer._id) return pagePath(role, 'profile');
  if (about.kind !== 'account' || !about.role) return `/${role}/${about.kind}/${encodeURIComponent(about.id)}`;
  return ROLES.indexOf(about.role) > ROLES.indexOf(role) ? detailsPath(role, about.role, about.id) : null;
}
