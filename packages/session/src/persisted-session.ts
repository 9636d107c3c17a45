import { ROLES } from '@drawhouse/contract/frame/roles';
import type { Role } from '@drawhouse/contract/frame/roles';
import type { AuthUser } from '@drawhouse/contract/auth/auth';
import type { SessionLife } from './session-clock.ts';

/**
 * Persisted session, shared by back-office and players' client. Contains only the specification's auth and users parts.
 */
export interface Persisted {
  auth: { token: string; roles: Role } & SessionLife;
  users: { authUser: AuthUser | null };
}

/**
 * Reason for an end, briefly stored as end time for other tabs. Without a last word, the session expired or the server
 * ended it.
 */
export const LAST_WORDS = { 'signed-out': -1, replaced: -2 } as const;

export function readRole(kept: unknown): Role | undefined {
  return ROLES.find((role) => role === kept);
}

/** Unix milliseconds. Null if invalid. */
export function readExpiry(kept: string | null): number | null {
  const at = Number(kept ?? NaN);
  return at > 0 && at < Infinity ? at : null;
}

/** Null if missing or invalid. */
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
