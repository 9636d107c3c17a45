import type { AuthUser } from '@drawhouse/contract/auth/auth';
import type { Role } from '@drawhouse/contract/frame/roles';
import { LAST_WORDS, parsePersisted, persistedText, readExpiry, readRole } from './persisted-session.ts';
import type { Persisted } from './persisted-session.ts';
import type { SessionLife } from './session-clock.ts';
import type { SessionEnd } from './session-end.ts';

/** Who is signed in in a tab, and until when. `user` is missing until the server has told it, where a page has kept a session without it. */
export interface Session extends SessionLife {
  readonly token: string;
  readonly role: Role;
  readonly user: AuthUser | null;
}

/** Where a browser keeps texts by their keys. */
interface KeptTexts {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
}

/** What all tabs of a browser keep together, and what one of them keeps for itself until it is closed. */
export interface KeptPlaces {
  readonly localStorage: KeptTexts;
  readonly sessionStorage: KeptTexts;
}

/** The key of the persisted state in the storage that all tabs share. */
export const PERSISTED_KEY = 'auth';
/** The keys of the session in the storage of one tab: its token, its end in milliseconds since 1970, and its role. */
const TOKEN_KEY = 'token';
const END_KEY = 'tokenExpiry';
const ROLE_KEY = 'role';

/** What all tabs keep; null where it makes no sense. */
export function readKept(places: KeptPlaces): Persisted | null {
  return parsePersisted(places.localStorage.getItem(PERSISTED_KEY));
}

/** Keeps a session in this tab and for the others. */
export function keepSession(places: KeptPlaces, session: Session): void {
  const { token, role, user } = session;
  places.sessionStorage.setItem(TOKEN_KEY, token);
  places.sessionStorage.setItem(ROLE_KEY, role);
  keepEnd(places, session.expiresAt);
  places.localStorage.setItem(PERSISTED_KEY, persistedText(token, role, session, user));
}

/** Keeps in this tab when its session ends. */
export function keepEnd(places: KeptPlaces, expiresAt: number): void {
  places.sessionStorage.setItem(END_KEY, String(expiresAt));
}

/** Forgets the session of this tab; what the others keep stays. */
export function forgetInTab(places: KeptPlaces): void {
  for (const key of [TOKEN_KEY, END_KEY, ROLE_KEY]) places.sessionStorage.removeItem(key);
}

/** Forgets what all tabs keep, where it is of this session or makes no sense, with the last word for the others that an end may have. */
export function forgetForAll(places: KeptPlaces, session: Session, why: SessionEnd): void {
  const kept = readKept(places);
  if (kept && kept.auth.token !== session.token) return;
  // Without a last word the other tabs take it that the session has ended.
  if (kept && (why === 'signed-out' || why === 'replaced')) {
    const life = { ...session, expiresAt: LAST_WORDS[why] };
    places.localStorage.setItem(PERSISTED_KEY, persistedText(session.token, session.role, life, null));
  }
  places.localStorage.removeItem(PERSISTED_KEY);
}

/**
 * The session as a tab left it before a reload, or as another tab has it when this one is new; null where nobody is signed in, 'ended' where somebody
 * was. What is kept without its expiry or its role, or with two roles, counts for nothing: it is forgotten here and, where it is of the same session, in every tab.
 */
export function restoreSession(places: KeptPlaces, wall: number): Session | 'ended' | null {
  const { localStorage, sessionStorage } = places;
  const stored = localStorage.getItem(PERSISTED_KEY);
  const kept = parsePersisted(stored);
  const tabToken = sessionStorage.getItem(TOKEN_KEY);
  const tabExpiresAt = readExpiry(sessionStorage.getItem(END_KEY));
  const tabRole = readRole(sessionStorage.getItem(ROLE_KEY));
  const token = tabToken ?? kept?.auth.token;
  const own = kept?.auth.token === token ? kept : null;
  const role = own?.auth.roles ?? tabRole;
  const isBroken =
    (stored !== null && !kept) || (tabToken !== null && (tabExpiresAt === null || !tabRole || tabRole !== role));
  const expiresAt = own?.auth.expiresAt ?? tabExpiresAt ?? 0;
  if (!isBroken && token !== undefined && role && expiresAt > wall) {
    const { idleMs = 0, final = false } = own?.auth ?? {};
    return { token, role, expiresAt, idleMs, final, user: own?.users.authUser ?? null };
  }
  forgetInTab(places);
  if (own || !kept || kept.auth.expiresAt <= wall) localStorage.removeItem(PERSISTED_KEY);
  return token !== undefined || isBroken ? 'ended' : null;
}
