import { ROLES } from '@drawhouse/contract/frame/roles';
import type { Role } from '@drawhouse/contract/frame/roles';
import type { AuthUser } from '@drawhouse/contract/auth/auth';
import type { SessionLife } from './session-clock.ts';

/**
 * What a browser keeps of a session, which the back-office and the players' client share: the auth and users parts of the specification, and
 * nothing else.
 */
export interface Persisted {
  auth: { token: string; roles: Role } & SessionLife;
  users: { authUser: AuthUser | null };
}

/**
 * Why a session ended, told to the other tabs: as the time of its end it stands in the persisted state for a moment. One that ends without
 * a last word has run out, or was ended by the server.
 */
export const LAST_WORDS = { 'signed-out': -1, replaced: -2 } as const;

/** A role from what was kept, if it is one. */
export function readRole(kept: unknown): Role | undefined {
  return ROLES.find((role) => role === kept);
}

/** When a session ends, in milliseconds since 1970, from what was kept; null where that says no time. */
export function readExpiry(kept: string | null): number | null {
  const at = Number(kept ?? NaN);
  return at > 0 && at < Infinity ? at : null;
}

/** The persisted state from its text; null where there is none, or none that makes sense. */
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

/** The text that {@link parsePersisted} reads: the auth and users parts and nothing else. */
export function persistedText(token: string, role: Role, life: SessionLife, user: AuthUser | null): string {
  const { expiresAt, idleMs, final } = life;
  const state: Persisted = { auth: { token, expiresAt, idleMs, final, roles: role }, users: { authUser: user } };
  return JSON.stringify(state);
}
