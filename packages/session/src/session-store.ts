import type { AuthUser } from '@drawhouse/contract/auth/auth';
import { useSyncExternalStore } from 'react';
import {
  clearSharedSession,
  clearTabSession,
  keepEnd,
  keepSession,
  PERSISTED_KEY,
  readPersisted,
  restoreSession,
  LAST_WORDS,
  parsePersisted,
  readRole,
  type SessionStores,
  type Session,
} from './session-storage.ts';
import { createPageStore, createSignal } from './page-store.ts';
import {
  deadlineOf,
  lifeAfterUse,
  lifeOf,
  nextCheckMs,
  serverAhead,
  sessionPhase,
  WARN_BEFORE_MS,
  type Deadline,
  type SessionLife,
  type SessionPhase,
} from './session-clock.ts';
import type { SessionEnd } from './session-end.ts';

/** Null key: storage cleared. */
interface StorageNews {
  readonly key: string | null;
  readonly oldValue: string | null;
  readonly newValue: string | null;
}

interface SessionWindow extends SessionStores {
  readonly performance: { now(): number };
  readonly document: { addEventListener(type: 'visibilitychange', listener: () => void): void };
  addEventListener(type: 'storage', listener: (news: StorageNews) => void): void;
  addEventListener(type: 'focus' | 'pageshow' | 'online', listener: () => void): void;
  setTimeout(then: () => void, ms: number): number;
  clearTimeout(timer: number | undefined): void;
}

/** `leftMs` is infinite until the end is near. */
export interface SessionTime {
  readonly phase: SessionPhase;
  readonly leftMs: number;
}

export type SessionStore = ReturnType<typeof createSessionStore>;

const USE_STEP_MS = 15_000;
const RUNNING: SessionTime = { phase: 'running', leftMs: Infinity };

/**
 * Follows the same session in other tabs, whatever the client. Call once per page. `wall` returns Unix milliseconds.
 */
export function createSessionStore(tab: SessionWindow, wall: () => number) {
  const { listen: onSession, notify } = createSignal();
  const time = createPageStore(RUNNING);
  let { current, lastEnd } = begun(restoreSession(tab, wall()));
  let deadline: Deadline | null = null;
  let timer: number | undefined;
  const { noteServerDate, lifeFrom } = followServer(wall);

  function set(next: Session | null): void {
    current = next;
    deadline = next && deadlineOf(next.expiresAt, clocksOf(tab, wall));
  }
  function change(next: Session | null): void {
    if (next) keepSession(tab, next);
    else clearTabSession(tab);
    set(next);
    check();
    notify();
  }
  /** With a token, ends only that session. */
  function endSession(why: SessionEnd, token?: string): void {
    if (!current || (token !== undefined && current.token !== token)) return;
    lastEnd = why;
    clearSharedSession(tab, current, why);
    change(null);
  }
  /** Ends the session if due, else schedules the next check. */
  function check(): void {
    tab.clearTimeout(timer);
    const later = current && laterEnd(tab, current, wall());
    if (later) adopt(current!, later);
    const phase = deadline ? sessionPhase(deadline, clocksOf(tab, wall)) : RUNNING;
    if (phase.phase === 'ended') {
      endSession('ended', current?.token);
      return;
    }
    if (deadline) timer = tab.setTimeout(check, nextCheckMs(phase.phase, phase.leftMs));
    const after = phase.phase === 'running' ? RUNNING : phase;
    const { phase: shown, leftMs } = time.get();
    if (after.phase !== shown || after.leftMs !== leftMs) time.set(after);
  }
  function adopt(session: Session, { expiresAt, idleMs, final }: SessionLife): void {
    set({ ...session, expiresAt, idleMs, final });
    keepEnd(tab, expiresAt);
    notify();
  }
  function followOtherTabs(news: StorageNews): void {
    const end = current && endOf(news, current.token);
    if (typeof end === 'string') endSession(end);
    else if (end) {
      adopt(current!, end);
      check();
    }
  }

  set(current);
  check();
  listen(tab, check, followOtherTabs);

  return {
    getSession: () => current,
    getSessionEnd: () => lastEnd,
    getSessionTime: time.get,
    onSession,
    useSession: () => useSyncExternalStore(onSession, () => current),
    /** Fires each second near the end. */
    onSessionTime: time.listen,
    useSessionTime: time.useValue,
    /** Corrects for a wrong local clock. */
    noteServerDate,
    /** Ignores accounts without a role. */
    startSession: (token: string, expiresAt: string, user: AuthUser): void => {
      lastEnd = null;
      if (readRole(user.role) !== undefined) change({ token, role: user.role, user, ...lifeFrom(expiresAt, null) });
    },
    updateSession: (user: AuthUser, expiresAt: string): void => {
      // Roles never change, so the stored one belonged to another account.
      if (user.role !== current?.role) endSession('ended');
      else change({ ...current, user, ...lifeFrom(expiresAt, current) });
    },
    noteSessionUse: (token: string): void => {
      if (current?.token !== token) return;
      const life = lifeAfterUse(current, wall());
      if (Math.abs(life.expiresAt - current.expiresAt) > USE_STEP_MS) change({ ...current, ...life });
    },
    endSession,
  };
}

function clocksOf(tab: SessionWindow, wall: () => number) {
  return { wall: wall(), steady: tab.performance.now() };
}

function begun(restored: Session | 'ended' | null): { current: Session | null; lastEnd: SessionEnd | null } {
  return restored === 'ended' ? { current: null, lastEnd: restored } : { current: restored, lastEnd: null };
}

function followServer(wall: () => number) {
  let aheadMs = 0;
  return {
    noteServerDate: (date: string | null): void => {
      if (date !== null) aheadMs = serverAhead(date, wall());
    },
    lifeFrom: (expiresAt: string, known: SessionLife | null): SessionLife => lifeOf(expiresAt, aheadMs, wall(), known),
  };
}

/**
 * Reads whether other tabs have extended the session: a timer may fire before their storage events arrive. Null if not.
 */
function laterEnd(tab: SessionStores, session: Session, wall: number): SessionLife | null {
  if (session.expiresAt > wall + WARN_BEFORE_MS) return null;
  const stored = readPersisted(tab)?.auth;
  return stored?.token === session.token && stored.expiresAt > session.expiresAt ? stored : null;
}

function endOf({ key, oldValue, newValue }: StorageNews, token: string): SessionEnd | SessionLife | null {
  if (key !== PERSISTED_KEY && key !== null) return null;
  const news = parsePersisted(newValue)?.auth;
  if (news?.token === token) {
    if (news.expiresAt === LAST_WORDS['signed-out']) return 'other-tab';
    return news.expiresAt === LAST_WORDS.replaced ? 'replaced' : news;
  }
  return !news && (key === null || parsePersisted(oldValue)?.auth.token === token) ? 'ended' : null;
}

function listen(tab: SessionWindow, check: () => void, followOtherTabs: (news: StorageNews) => void): void {
  tab.addEventListener('storage', followOtherTabs);
  for (const event of ['focus', 'pageshow', 'online'] as const) tab.addEventListener(event, check);
  tab.document.addEventListener('visibilitychange', check);
}
