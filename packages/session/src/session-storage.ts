import type { AuthUser } from '@drawhouse/contract/auth/auth';
import { ROLES, type Role } from '@drawhouse/contract/core/roles';
import type { SessionLife } from './session-clock.ts';
import type { SessionEnd } from './session-end.ts';

/** `user` is missing until the server sends it, if the page restored a session without one. */
export interface Session extends SessionLife {
  readonly token: string;
  readonly role: Role;
  readonly user: AuthUser | null;
}

interface StoredTexts {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
}

export interface SessionStores {
  readonly localStorage: StoredTexts;
  readonly sessionStorage: StoredTexts;
}

export const PERSISTED_KEY = 'auth';
/** Per tab: token, end in Unix milliseconds, role. */
const TOKEN_KEY = 'token';
const END_KEY = 'tokenExpiry';
const ROLE_KEY = 'role';

export function readPersisted(stores: SessionStores): Persisted | null {
  return parsePersisted(stores.localStorage.getItem(PERSISTED_KEY));
}

export function keepSession(stores: SessionStores, session: Session): void {
  const { token, role, user } = session;
  stores.sessionStorage.setItem(TOKEN_KEY, token);
  stores.sessionStorage.setItem(ROLE_KEY, role);
  keepEnd(stores, session.expiresAt);
  stores.localStorage.setItem(PERSISTED_KEY, persistedText(token, role, session, user));
}

export function keepEnd(stores: SessionStores, expiresAt: number): void {
  stores.sessionStorage.setItem(END_KEY, String(expiresAt));
}

export function clearTabSession(stores: SessionStores): void {
  for (const key of [TOKEN_KEY, END_KEY, ROLE_KEY]) stores.sessionStorage.removeItem(key);
}

/**
 * Clears only this session's state, or invalid state. First tells other tabs why the session ended, if known.
 */
export function clearSharedSession(stores: SessionStores, session: Session, why: SessionEnd): void {
  const persisted = readPersisted(stores);
  if (persisted && persisted.auth.token !== session.token) return;
  // Without a reason, other tabs assume the session has expired.
  if (persisted && (why === 'signed-out' || why === 'replaced')) {
    const life = { ...session, expiresAt: LAST_WORDS[why] };
    stores.localStorage.setItem(PERSISTED_KEY, persistedText(session.token, session.role, life, null));
  }
  stores.localStorage.removeItem(PERSISTED_KEY);
}

/**
 * Restores after a reload, or from another tab. Null: not signed in; 'ended': it expired. State without expiry or role,
 * or with two roles, is discarded here and, for the same session, in every tab.
 */
export function restoreSession(stores: SessionStores, wall: number): Session | 'ended' | null {
  const { localStorage, sessionStorage } = stores;
  const stored = localStorage.getItem(PERSISTED_KEY);
  const persisted = parsePersisted(stored);
  const tabToken = sessionStorage.getItem(TOKEN_KEY);
  const tabExpiresAt = readExpiry(sessionStorage.getItem(END_KEY));
  const tabRole = readRole(sessionStorage.getItem(ROLE_KEY));
  const token = tabToken ?? persisted?.auth.token;
  const own = persisted?.auth.token === token ? persisted : null;
  const role = own?.auth.roles ?? tabRole;
  const isBroken =
    (stored !== null && !persisted) || (tabToken !== null && (tabExpiresAt === null || !tabRole || tabRole !== role));
  const expiresAt = own?.auth.expiresAt ?? tabExpiresAt ?? 0;
  if (!isBroken && token !== undefined && role && expiresAt > wall) {
    const { idleMs = 0, final = false } = own?.auth ?? {};
    return { token, role, expiresAt, idleMs, final, user: own?.users.authUser ?? null };
  }
  clearTabSession(stores);
  if (own || !persisted || persisted.auth.expiresAt <= wall) localStorage.removeItem(PERSISTED_KEY);
  return token !== undefined || isBroken ? 'ended' : null;
}

/** Shared by back-office and players' client. Only the specification's auth and users parts. */
interface Persisted {
  auth: { token: string; roles: Role } & SessionLife;
  users: { authUser: AuthUser | null };
}

/** Stored briefly as end time, to tell other tabs why a session ended. */
export const LAST_WORDS = { 'signed-out': -1, replaced: -2 } as const;

export function readRole(stored: unknown): Role | undefined {
  return ROLES.find((role) => role === stored);
}

/** Unix milliseconds. */
export function readExpiry(stored: string | null): number | null {
  const at = Number(stored ?? NaN);
  return at > 0 && at < Infinity ? at : null;
}

export function parsePersisted(text: string | null): Persisted | null {
  try {
    const state = JSON.parse(text ?? 'null') as Partial<Persisted> | null;
    const auth = state?.auth;
    const role = readRole(auth?.roles);
    if (!auth || !role || typeof auth.token !== 'string' || typeof auth.expiresAt !== 'number') return null;
    const authUser = state.users?.authUser ?? null;
    if (authUser && authUser.role !== role) return null;
    const idleMs = typeof auth.idleMs === 'number' ? auth.idleMs : 0;
    return {
      auth: { token: auth.token, roles: role, expiresAt: auth.expiresAt, idleMs, final: auth.final ?? false },
      users: { authUser },
    };
  } catch {
    return null;
  }
}

export function persistedText(token: string, role: Role, life: SessionLife, user: AuthUser | null): string {
  const { expiresAt, idleMs, final } = life;
  const state: Persisted = { auth: { token, expiresAt, idleMs, final, roles: role }, users: { authUser: user } };
  return JSON.stringify(state);
}

const KEY = 'remembered-username';

export function rememberedUsername(): string {
  return localStorage.getItem(KEY) ?? '';
}

export function rememberUsername(username: string): void {
  if (username === '') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, username);
}
