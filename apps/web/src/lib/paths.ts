import type { Role } from '@drawhouse/contract/frame/primitives';

/** Where a signed-out visitor signs in. */
export const SIGN_IN_PATH = '/auth/login';

/** Where a player makes an account, where the house allows it. */
export const SIGN_UP_PATH = '/auth/signup';

/** Where players sign in, on pages of their own; whoever is signed in there is led on to the games. Never by the cookie alone, which a link from elsewhere lacks. */
export const PLAYERS_PATH = '/sign-in';

/** What the house shows to anybody: a page of the players, which a link there loads. */
export const WELCOME_PATH = '/welcome';

/** The public page about one draw; without an id, about how draws are fair. It is no page of the router: a link there loads it. */
export function fairPath(drawId = ''): string {
  return `/fair/${drawId}`;
}

/** A path with the parts of a search that are set. */
export function withSearch(path: string, search: Readonly<Record<string, string | number | undefined>>): string {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== '') parts.set(name, String(value));
  }
  const text = parts.toString();
  return text ? `${path}?${text}` : path;
}

/** Where a role begins: its dashboard; players have pages of their own. */
export function homePath(role: Role): string {
  return role === 'user' ? '/' : `/${role}/dashboard`;
}

/** A page directly under a role's prefix. */
export function pagePath(role: Role, page: string): string {
  return `/${role}/${page}`;
}

/** The list of one level. */
export function listPath(role: Role, level: Role): string {
  return pagePath(role, level);
}

/** The form that creates an account of one level. */
export function addPath(role: Role, level: Role): string {
  return `/${role}/${level}/create`;
}

/** What is done with one account on a page of its own, as the path names it. */
export type AccountAction = 'edit' | 'credittransfer' | 'creditadjust' | 'statement';

/** The form that changes an account or its credit, or its statement. */
export function accountPath(role: Role, level: Role, action: AccountAction, id: string): string {
  return `/${role}/${level}/${action}/${encodeURIComponent(id)}`;
}

/** The form that moves credit to an account, or back from it. */
export function creditPath(role: Role, level: Role, kind: 'credittransfer' | 'creditadjust', id: string): string {
  return accountPath(role, level, kind, id);
}

/** The details of an account. Players have theirs under a base of their own. */
export function detailsPath(role: Role, level: Role, id: string): string {
  return `/${role}/${level === 'user' ? 'player/players' : `${level}/users`}/details/${encodeURIComponent(id)}`;
}

/** The own statement. */
export function ownStatementPath(role: Role): string {
  return `/${role}/profile/statement`;
}

/** A page reached from the details of an account: about that account, or with a child's id about that child. */
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

/** The edit form of an account, as its details lead to it. */
export function editFromDetailsPath(role: Role, level: Role, id: string): string {
  const base = level === 'user' ? 'player/players' : `${level}/users`;
  return `/${role}/${base}/${encodeURIComponent(id)}/edit`;
}

/** The live panel of one game of one admin. */
export function panelPath(role: Role, gameId: string, adminId: string, username: string): string {
  return `/${role}/game/${[gameId, adminId, username].map(encodeURIComponent).join('/')}`;
}
