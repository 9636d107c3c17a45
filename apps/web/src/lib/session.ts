import type { AuthUser } from '@drawhouse/contract/auth';
import { role as roleSchema } from '@drawhouse/contract/primitives';
import type { Role } from '@drawhouse/contract/primitives';

/** Who is signed in in this tab, and until when. `user` is missing until the server has told it after a reload. */
export interface Session {
  readonly token: string;
  /** When the session ends if nothing more is done, in milliseconds since 1970. */
  readonly expiresAt: number;
  readonly role: Role;
  readonly user: AuthUser | null;
}

/** Why a session ended: the user signed out, it ran out or was ended by the server, or another tab signed out. */
export type SessionEnd = 'signed-out' | 'ended' | 'other-tab';

/** The persisted client state: the auth and users parts only. */
interface Persisted {
  auth: { token: string; expiresAt: number; roles: Role };
  users: { authUser: AuthUser | null };
}

/** A session lasts this long since its last use; the server holds the same rule and decides. */
const IDLE_MS = 30 * 60 * 1000;
/** Uses closer together than this are not written again. */
const USE_STEP_MS = 15 * 1000;
const PERSISTED_KEY = 'auth';
const TAB_KEYS = { token: 'token', expiresAt: 'tokenExpiry', role: 'role' } as const;

const listeners = new Set<() => void>();
let lastEnd: SessionEnd | null = null;
let expiryTimer: ReturnType<typeof setTimeout> | undefined;
let current: Session | null = restored();
armExpiry();
window.addEventListener('storage', followOtherTabs);

/** The session of this tab, or null when signed out. */
export function getSession(): Session | null {
  return current;
}

/** Why the last session ended, or null when it did not. */
export function getSessionEnd(): SessionEnd | null {
  return lastEnd;
}

/** Tells of every change of the session; answers how to stop. */
export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Begins the session that a sign-in answered. */
export function startSession(token: string, expiresAt: string, user: AuthUser): void {
  lastEnd = null;
  change({ token, expiresAt: Date.parse(expiresAt), role: user.role, user });
}

/** Takes over what the server says about the running session. */
export function updateSession(user: AuthUser, expiresAt: string): void {
  if (current) change({ ...current, role: user.role, user, expiresAt: Date.parse(expiresAt) });
}

/** Notes that the server has just accepted the session's token, which keeps it alive. */
export function noteSessionUse(token: string): void {
  const expiresAt = Date.now() + IDLE_MS;
  if (current?.token === token && expiresAt - current.expiresAt > USE_STEP_MS) change({ ...current, expiresAt });
}

/** Ends the session and forgets all of it. With a token, only if that is still the session of this tab. */
export function endSession(why: SessionEnd, token?: string): void {
  if (!current || (token !== undefined && current.token !== token)) return;
  lastEnd = why;
  if (persisted()?.auth.token === current.token) localStorage.removeItem(PERSISTED_KEY);
  change(null);
}

function change(next: Session | null): void {
  current = next;
  if (next) {
    sessionStorage.setItem(TAB_KEYS.token, next.token);
    sessionStorage.setItem(TAB_KEYS.expiresAt, String(next.expiresAt));
    sessionStorage.setItem(TAB_KEYS.role, next.role);
    const state: Persisted = {
      auth: { token: next.token, expiresAt: next.expiresAt, roles: next.role },
      users: { authUser: next.user },
    };
    localStorage.setItem(PERSISTED_KEY, JSON.stringify(state));
  } else {
    for (const key of Object.values(TAB_KEYS)) sessionStorage.removeItem(key);
  }
  armExpiry();
  for (const listener of listeners) listener();
}

/** The session as this tab left it before a reload, or as another tab holds it when this one is new. */
function restored(): Session | null {
  const kept = persisted();
  const token = sessionStorage.getItem(TAB_KEYS.token);
  const role = roleSchema.safeParse(sessionStorage.getItem(TAB_KEYS.role)).data;
  const session =
    token && role
      ? { token, role, expiresAt: Number(sessionStorage.getItem(TAB_KEYS.expiresAt)), user: null }
      : kept && { token: kept.auth.token, role: kept.auth.roles, expiresAt: kept.auth.expiresAt, user: null };
  if (session && session.expiresAt > Date.now()) {
    const user = kept?.auth.token === session.token ? kept.users.authUser : null;
    return { ...session, user };
  }
  if (session) lastEnd = 'ended';
  for (const key of Object.values(TAB_KEYS)) sessionStorage.removeItem(key);
  if (kept && kept.auth.expiresAt <= Date.now()) localStorage.removeItem(PERSISTED_KEY);
  return null;
}

function persisted(text = localStorage.getItem(PERSISTED_KEY)): Persisted | null {
  try {
    const state = JSON.parse(text ?? 'null') as Partial<Persisted> | null;
    const auth = state?.auth;
    const role = roleSchema.safeParse(auth?.roles).data;
    if (!auth || !role || typeof auth.token !== 'string' || typeof auth.expiresAt !== 'number') return null;
    return {
      auth: { token: auth.token, expiresAt: auth.expiresAt, roles: role },
      users: { authUser: state.users?.authUser ?? null },
    };
  } catch {
    return null;
  }
}

function armExpiry(): void {
  clearTimeout(expiryTimer);
  if (!current) return;
  const { token, expiresAt } = current;
  expiryTimer = setTimeout(() => endSession('ended', token), Math.max(0, expiresAt - Date.now()));
}

/** A sign-out in another tab ends the same session here; a use there keeps it alive here. */
function followOtherTabs(event: StorageEvent): void {
  if (event.key !== PERSISTED_KEY && event.key !== null) return;
  if (!current) return;
  const before = persisted(event.oldValue);
  const now = persisted(event.newValue);
  if (now?.auth.token === current.token) {
    if (now.auth.expiresAt > current.expiresAt) {
      current = { ...current, expiresAt: now.auth.expiresAt };
      armExpiry();
    }
  } else if (!now && (event.key === null || before?.auth.token === current.token)) {
    endSession('other-tab');
  }
}
