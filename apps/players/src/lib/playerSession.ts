import type { AuthUser } from '@drawhouse/contract/auth/auth';
import {
  LAST_WORDS,
  parsePersisted,
  PERSISTED_KEY,
  persistedText,
  readExpiry,
  readRole,
  TAB_KEYS,
} from '@drawhouse/contract/auth/persisted-session';
import {
  deadlineOf,
  lifeAfterUse,
  lifeOf,
  nextLookMs,
  serverAhead,
  sessionPhase,
} from '@drawhouse/contract/auth/session-clock';
import type { Deadline, SessionLife, SessionPhase } from '@drawhouse/contract/auth/session-clock';
import type { SessionEnd } from '@drawhouse/contract/auth/session-end';
import type { Role } from '@drawhouse/contract/frame/roles';
import { useSyncExternalStore } from 'react';

/** Who is signed in on this device, and until when by its clock. */
export interface PlayerSession extends SessionLife {
  readonly token: string;
  readonly role: Role;
  /** Missing where another page has kept a session without it. */
  readonly user: AuthUser | null;
}

/** How the session stands, and how long it still has in milliseconds; endless as long as its end is not near. */
interface SessionLeft {
  readonly phase: SessionPhase;
  readonly leftMs: number;
}

/** Uses closer together than this are not written again. */
const USE_STEP_MS = 15_000;
const RUNNING: SessionLeft = { phase: 'running', leftMs: Infinity };

const listeners = new Set<() => void>();
let lastEnd: SessionEnd | null = null;
let aheadMs = 0;
let current = restored();
let deadline: Deadline | null = null;
let left = RUNNING;
let timer: ReturnType<typeof setTimeout> | undefined;
setDeadline();
window.addEventListener('storage', followOtherTabs);
for (const event of ['focus', 'pageshow', 'online']) window.addEventListener(event, look);
document.addEventListener('visibilitychange', look);

/** The session, or null where nobody is signed in. */
export function getSession(): PlayerSession | null {
  return current;
}

/** Why the last session of this page ended; null where none did. */
export function getSessionEnd(): SessionEnd | null {
  return lastEnd;
}

/** Tells of every change of the session and of how it stands; answers how to stop. */
export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The session, as it now is. */
export function useSession(): PlayerSession | null {
  return useSyncExternalStore(onSession, getSession);
}

/** How the session stands: it says how long is left in its last two minutes. */
export function useSessionLeft(): SessionLeft {
  return useSyncExternalStore(onSession, () => left);
}

/** Takes the server's clock from the `Date` of an answer, so that a wrong clock here changes nothing. */
export function noteServerDate(date: string | null): void {
  if (date !== null) aheadMs = serverAhead(date, Date.now());
}

/** Begins the session that a sign-in answered. */
export function startSession(token: string, expiresAt: string, user: AuthUser): void {
  lastEnd = null;
  change({ token, role: user.role, user, ...lifeOf(expiresAt, aheadMs, Date.now(), null) });
}

/** Takes over what the server says of the running session. */
export function updateSession(user: AuthUser, expiresAt: string): void {
  if (current) change({ ...current, role: user.role, user, ...lifeOf(expiresAt, aheadMs, Date.now(), current) });
}

/** Notes that the server has just accepted this token, which keeps its session alive. */
export function noteSessionUse(token: string): void {
  if (current?.token !== token) return;
  const life = lifeAfterUse(current, Date.now());
  if (Math.abs(life.expiresAt - current.expiresAt) > USE_STEP_MS) change({ ...current, ...life });
}

/** Ends the session and forgets all of it. With a token, only if that is still the one. */
export function endSession(why: SessionEnd, token?: string): void {
  if (!current || (token !== undefined && current.token !== token)) return;
  lastEnd = why;
  if (keptSession()?.auth.token === current.token) {
    const word = why === 'signed-out' || why === 'replaced' ? LAST_WORDS[why] : undefined;
    if (word !== undefined) {
      const { token: ended, role } = current;
      localStorage.setItem(PERSISTED_KEY, persistedText(ended, role, { ...current, expiresAt: word }, null));
    }
    localStorage.removeItem(PERSISTED_KEY);
  }
  change(null);
}

function change(next: PlayerSession | null): void {
  current = next;
  if (next) {
    sessionStorage.setItem(TAB_KEYS.token, next.token);
    sessionStorage.setItem(TAB_KEYS.expiresAt, String(next.expiresAt));
    sessionStorage.setItem(TAB_KEYS.role, next.role);
    localStorage.setItem(PERSISTED_KEY, persistedText(next.token, next.role, next, next.user));
  } else {
    for (const key of Object.values(TAB_KEYS)) sessionStorage.removeItem(key);
  }
  setDeadline();
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

function keptSession() {
  return parsePersisted(localStorage.getItem(PERSISTED_KEY));
}

/** The session as this tab left it before a reload, or as another tab has it; what is kept without an end counts for nothing. */
function restored(): PlayerSession | null {
  const kept = keptSession();
  const token = sessionStorage.getItem(TAB_KEYS.token) ?? kept?.auth.token;
  const own = kept?.auth.token === token ? kept : null;
  const role = own?.auth.roles ?? readRole(sessionStorage.getItem(TAB_KEYS.role));
  const expiresAt = own?.auth.expiresAt ?? readExpiry(sessionStorage.getItem(TAB_KEYS.expiresAt)) ?? 0;
  if (token !== undefined && role && expiresAt > Date.now()) {
    const { idleMs = 0, final = false } = own?.auth ?? {};
    return { token, role, expiresAt, idleMs, final, user: own?.users.authUser ?? null };
  }
  if (token !== undefined) lastEnd = 'ended';
  for (const key of Object.values(TAB_KEYS)) sessionStorage.removeItem(key);
  if (own || !kept || kept.auth.expiresAt <= Date.now()) localStorage.removeItem(PERSISTED_KEY);
  return null;
}

function setDeadline(): void {
  deadline = current && deadlineOf(current.expiresAt, { wall: Date.now(), steady: performance.now() });
  look();
}

/** Looks at the clocks, ends the session when its time is up, and comes back when that may next have changed. */
function look(): void {
  clearTimeout(timer);
  const before = left;
  adoptLaterEnd();
  left = RUNNING;
  if (deadline) {
    const now = sessionPhase(deadline, { wall: Date.now(), steady: performance.now() });
    if (now.phase === 'ended') {
      endSession('ended', current?.token);
      return;
    }
    timer = setTimeout(look, nextLookMs(now.phase, now.leftMs));
    if (now.phase !== 'running') left = now;
  }
  if (left.phase === before.phase && left.leftMs === before.leftMs) left = before;
  else tell();
}

/** What other tabs have kept alive is not ended here: timers may wake before this tab hears of them. */
function adoptLaterEnd(): void {
  const kept = current && keptSession()?.auth;
  if (kept && kept.token === current?.token && kept.expiresAt > current.expiresAt) adopt(kept);
}

function adopt({ expiresAt, idleMs, final }: SessionLife): void {
  if (!current) return;
  current = { ...current, expiresAt, idleMs, final };
  deadline = deadlineOf(expiresAt, { wall: Date.now(), steady: performance.now() });
  sessionStorage.setItem(TAB_KEYS.expiresAt, String(expiresAt));
  tell();
}

/** A sign-out in another tab ends the same session here; a use there keeps it alive here. */
function followOtherTabs(event: StorageEvent): void {
  if ((event.key !== PERSISTED_KEY && event.key !== null) || !current) return;
  const before = parsePersisted(event.oldValue);
  const now = parsePersisted(event.newValue);
  const word = now?.auth.token === current.token ? now.auth.expiresAt : undefined;
  if (word === LAST_WORDS['signed-out']) endSession('other-tab');
  else if (word === LAST_WORDS.replaced) endSession('replaced');
  else if (now?.auth.token === current.token) {
    adopt(now.auth);
    look();
  } else if (!now && (event.key === null || before?.auth.token === current.token)) endSession('ended');
}
