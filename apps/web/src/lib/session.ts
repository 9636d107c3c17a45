import type { AuthUser } from '@drawhouse/contract/auth/auth';
import type { SessionEnd } from '@drawhouse/contract/auth/session-end';
import type { Role } from '@drawhouse/contract/frame/roles';
import {
  deadlineOf,
  nextLookMs,
  serverAhead,
  sessionPhase,
  lifeAfterUse,
  lifeOf,
  WARN_BEFORE_MS,
} from '@drawhouse/contract/auth/session-clock';
import type { Deadline, SessionPhase, SessionLife } from '@drawhouse/contract/auth/session-clock';
import { forgetAllKeys } from './idempotencyKey.ts';
import {
  LAST_WORDS,
  parsePersisted,
  PERSISTED_KEY,
  persistedText,
  readExpiry,
  readRole,
  TAB_KEYS,
} from '@drawhouse/contract/auth/persisted-session';

/** Who is signed in in this tab, and until when. `user` is missing until the server has told it after a reload. */
export interface Session extends SessionLife {
  readonly token: string;
  readonly role: Role;
  readonly user: AuthUser | null;
}

/** How the session stands by the clock, and the part of it that is left, in milliseconds. */
export interface SessionTime {
  readonly phase: SessionPhase;
  readonly leftMs: number;
}

/** Uses closer together than this are not written again. */
const USE_STEP_MS = 15 * 1000;
const IDLE_TIME: SessionTime = { phase: 'running', leftMs: Infinity };

const listeners = new Set<() => void>();
const timeListeners = new Set<() => void>();
let lastEnd: SessionEnd | null = null;
let aheadMs = 0;
let lookTimer: ReturnType<typeof setTimeout> | undefined;
let current: Session | null = restored();
let deadline: Deadline | null = null;
let time: SessionTime = IDLE_TIME;
setDeadline();
window.addEventListener('storage', followOtherTabs);
// A laptop that wakes, and a tab that is looked at again, must not show what is no longer allowed.
for (const event of ['focus', 'pageshow', 'online']) window.addEventListener(event, look);
document.addEventListener('visibilitychange', look);

/** The session of this tab, or null when signed out. */
export function getSession(): Session | null {
  return current;
}

/** Why the last session ended, or null when it did not. */
export function getSessionEnd(): SessionEnd | null {
  return lastEnd;
}

/** How the session stands by the clock; the same object until something about it changes. */
export function getSessionTime(): SessionTime {
  return time;
}

/** Tells of every change of the session; answers how to stop. */
export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells of every change of {@link getSessionTime}: each second of the last minutes; answers how to stop. */
export function subscribeSessionTime(listener: () => void): () => void {
  timeListeners.add(listener);
  return () => timeListeners.delete(listener);
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

/** Takes over what the server says about the running session. */
export function updateSession(user: AuthUser, expiresAt: string): void {
  if (current) change({ ...current, role: user.role, user, ...lifeOf(expiresAt, aheadMs, Date.now(), current) });
}

/** Notes that the server has just accepted the session's token, which keeps it alive. */
export function noteSessionUse(token: string): void {
  if (current?.token !== token) return;
  const life = lifeAfterUse(current, Date.now());
  if (Math.abs(life.expiresAt - current.expiresAt) > USE_STEP_MS) change({ ...current, ...life });
}

/** Ends the session and forgets all of it. With a token, only if that is still the session of this tab. */
export function endSession(why: SessionEnd, token?: string): void {
  if (!current || (token !== undefined && current.token !== token)) return;
  lastEnd = why;
  if (persisted()?.auth.token === current.token) {
    // Without a last word the other tabs take it that the session has ended.
    const word = why === 'signed-out' || why === 'replaced' ? LAST_WORDS[why] : undefined;
    const { token: ended, role } = current;
    if (word !== undefined)
      localStorage.setItem(PERSISTED_KEY, persistedText(ended, role, { ...current, expiresAt: word }, null));
    localStorage.removeItem(PERSISTED_KEY);
  } else if (!persisted()) localStorage.removeItem(PERSISTED_KEY);
  if (why === 'signed-out') forgetAllKeys();
  change(null);
}

function change(next: Session | null): void {
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
  for (const listener of listeners) listener();
}

/**
 * The session as this tab left it before a reload, or as another tab holds it when this one is new. What is kept without its expiry counts
 * for nothing: it is forgotten here and, where it is of the same session, in every tab.
 */
function restored(): Session | null {
  const stored = localStorage.getItem(PERSISTED_KEY);
  const kept = parsePersisted(stored);
  const tabToken = sessionStorage.getItem(TAB_KEYS.token);
  const tabExpiresAt = readExpiry(sessionStorage.getItem(TAB_KEYS.expiresAt));
  const isBroken = (stored !== null && !kept) || (tabToken !== null && tabExpiresAt === null);
  const token = tabToken ?? kept?.auth.token;
  const own = kept?.auth.token === token ? kept : null;
  const role = own?.auth.roles ?? readRole(sessionStorage.getItem(TAB_KEYS.role));
  const expiresAt = own?.auth.expiresAt ?? tabExpiresAt ?? 0;
  if (!isBroken && token !== undefined && role && expiresAt > Date.now()) {
    const { idleMs = 0, final = false } = own?.auth ?? {};
    return { token, role, expiresAt, idleMs, final, user: own?.users.authUser ?? null };
  }
  if (token !== undefined || isBroken) lastEnd = 'ended';
  for (const key of Object.values(TAB_KEYS)) sessionStorage.removeItem(key);
  if (own || !kept || kept.auth.expiresAt <= Date.now()) localStorage.removeItem(PERSISTED_KEY);
  return null;
}

function persisted() {
  return parsePersisted(localStorage.getItem(PERSISTED_KEY));
}

function setDeadline(): void {
  deadline = current && deadlineOf(current.expiresAt, { wall: Date.now(), steady: performance.now() });
  look();
}

/** Looks at the clocks, signs out when the time is up, and comes back when it may next have changed. */
function look(): void {
  clearTimeout(lookTimer);
  const before = time;
  adoptLaterEnd();
  if (deadline) {
    const { phase, leftMs } = sessionPhase(deadline, { wall: Date.now(), steady: performance.now() });
    if (phase === 'ended') {
      endSession('ended', current?.token);
      return;
    }
    lookTimer = setTimeout(look, nextLookMs(phase, leftMs));
    // Until the end comes near nobody needs to know how much is left.
    time = phase === 'running' ? IDLE_TIME : { phase, leftMs };
  } else {
    time = IDLE_TIME;
  }
  if (time.phase === before.phase && time.leftMs === before.leftMs) return;
  for (const listener of timeListeners) listener();
}

/** Timers of a tab may wake before it hears of the others: what they have kept alive is not ended here. */
function adoptLaterEnd(): void {
  if (!current || current.expiresAt > Date.now() + WARN_BEFORE_MS) return;
  const kept = persisted()?.auth;
  if (kept?.token === current.token && kept.expiresAt > current.expiresAt) adopt(kept);
}

/** Takes over what another tab knows of the same session. */
function adopt({ expiresAt, idleMs, final }: SessionLife): void {
  if (!current) return;
  current = { ...current, expiresAt, idleMs, final };
  deadline = deadlineOf(expiresAt, { wall: Date.now(), steady: performance.now() });
  sessionStorage.setItem(TAB_KEYS.expiresAt, String(expiresAt));
  for (const listener of listeners) listener();
}

/** A sign-out in another tab ends the same session here; a use there keeps it alive here. */
function followOtherTabs(event: StorageEvent): void {
  if (event.key !== PERSISTED_KEY && event.key !== null) return;
  if (!current) return;
  const before = parsePersisted(event.oldValue);
  const now = parsePersisted(event.newValue);
  const word = now?.auth.token === current.token ? now.auth.expiresAt : undefined;
  if (word === LAST_WORDS['signed-out']) endSession('other-tab');
  else if (word === LAST_WORDS.replaced) endSession('replaced');
  else if (now?.auth.token === current.token) {
    adopt(now.auth);
    look();
  } else if (!now && (event.key === null || before?.auth.token === current.token)) {
    endSession('ended');
  }
}
