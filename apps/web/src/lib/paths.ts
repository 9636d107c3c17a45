import type { Role } from '@drawhouse/contract/primitives';

/** Where a signed-out visitor signs in. */
export const SIGN_IN_PATH = '/auth/login';

/** A path with the parts of a search that are set. */
export function withSearch(path: string, search: Readonly<Record<string, string | number | undefined>>): string {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== '') parts.set(name, String(value));
  }
  const text = parts.toString();
  return text ? `${path}?${text}` : path;
}

/** Where a role begins: its dashboard; a player has one page only. */
export function homePath(role: Role): string {
  return role === 'user' ? '/' : `/${role}/dashboard`;
}

/** A page directly under a role's prefix. */
export function pagePath(role: Role, page: string): string {
  return `/${role}/${page}`;
}

/** The list of one level; with a parent, of its direct children. */
export function listPath(role: Role, level: Role, parentId?: string): string {
  return withSearch(`/${role}/${level}`, { parentId });
}

/** The form that creates an account of one level. */
export function createPath(role: Role, level: Role): string {
  return `/${role}/${level}/create`;
}

/** The form that moves credit to an account, or back from it. */
export function creditPath(role: Role, level: Role, kind: 'credittransfer' | 'creditadjust', id: string): string {
  return `/${role}/${level}/${kind}/${encodeURIComponent(id)}`;
}

/** The live panel of one game of one admin. */
export function panelPath(role: Role, gameId: string, adminId: string, username: string): string {
  return `/${role}/game/${[gameId, adminId, username].map(encodeURIComponent).join('/')}`;
}
