import type { AuthUser } from '@drawhouse/contract/auth/auth';
import {
  forgetForAll,
  forgetInTab,
  keepEnd,
  keepSession,
  PERSISTED_KEY,
  readKept,
  restoreSession,
} from './kept-session.ts';
import type { KeptPlaces, Session } from './kept-session.ts';
import { LAST_WORDS, parsePersisted, readRole } from './persisted-session.ts';
import {
  deadlineOf,
  lifeAfterUse,
  lifeOf,
  nextLookMs,
  serverAhead,
  sessionPhase,
  WARN_BEFORE_MS,
} from './session-clock.ts';
import type { Deadline, SessionLife, SessionPhase } from './session-clock.ts';
import type { SessionEnd } from './session-end.ts';

/** What the storage of all tabs is told to have changed by another one; without a key all of it is gone. */
interface StorageNews {
  readonly key: string | null;
  readonly oldValue: string | null;
  readonly newValue: string | null;
}

/** What a store needs of its tab's `window`. */
interface SessionWindow extends KeptPlaces {
  readonly performance: { now(): number };
  readonly document: { addEventListener(type: 'visibilitychange', listener: () => void): void };
  addEventListener(type: 'storage', listener: (news: StorageNews) => void): void;
  addEventListener(type: 'focus' | 'pageshow' | 'online', listener: () => void): void;
  setTimeout(then: () => void, ms: number): number;
  clearTimeout(timer: number | undefined): void;
}

/** How the session stands by the clock, and how long it still has, in milliseconds: endless as long as its end is not near. */
export interface SessionTime {
  readonly phase: SessionPhase;
  readonly leftMs: number;
}

/** The session of a tab, which follows those of the same session in the other tabs of the browser, whichever client they show. */
export interface SessionStore {
  /** The session, or null where nobody is signed in. */
  readonly getSession: () => Session | null;
  /** Why the last session of this page ended; null where none did. */
  readonly getSessionEnd: () => SessionEnd | null;
  /** How the session stands; the same object until something about it changes. */
  readonly getSessionTime: () => SessionTime;
  /** Tells of every change of the session; answers how to stop. */
  readonly onSession: (listener: () => void) => () => void;
  /** Tells of every change of how the session stands: each second of its last minutes; answers how to stop. */
  readonly onSessionTime: (listener: () => void) => () => void;
  /** Takes the server's clock from the `Date` of an answer, so that a wrong clock here changes nothing. */
  readonly noteServerDate: (date: string | null) => void;
  /** Begins the session that a sign-in answered; none for an account without a role. */
  readonly startSession: (token: string, expiresAt: string, user: AuthUser) => void;
  /** Takes over what the server says of the running session. */
  readonly updateSession: (user: AuthUser, expiresAt: string) => void;
  /** Notes that the server has just accepted this token, which keeps its session alive. */
  readonly noteSessionUse: (token: string) => void;
  /** Ends the session and forgets all of it. With a token, only if that is still the one. */
  readonly endSession: (why: SessionEnd, token?: string) => void;
}

/** Uses closer together than this are not written again. */
const USE_STEP_MS = 15_000;
const RUNNING: SessionTime = { phase: 'running', leftMs: Infinity };

/** Makes the store of a tab's session, once for a page, of its window and the clock on the wall in milliseconds since 1970. */
export function createSessionStore(tab: SessionWindow, wall: () => number): SessionStore {
  const listeners = new Set<() => void>();
  const timeListeners = new Set<() => void>();
  let { current, lastEnd } = begun(restoreSession(tab, wall()));
  let deadline: Deadline | null = null;
  let time = RUNNING;
  let timer: number | undefined;
  const { noteServerDate, lifeSaid } = followServer(wall);

  /** Takes it as the session, or none; not what is kept. */
  function set(next: Session | null): void {
    current = next;
    deadline = next && deadlineOf(next.expiresAt, clocksOf(tab, wall));
  }
  function change(next: Session | null): void {
    if (next) keepSession(tab, next);
    else forgetInTab(tab);
    set(next);
    look();
    tell(listeners);
  }
  function endSession(why: SessionEnd, token?: string): void {
    if (!current || (token !== undefined && current.token !== token)) return;
    lastEnd = why;
    forgetForAll(tab, current, why);
    change(null);
  }
  /** Looks at the clocks, ends the session when its time is up, and comes back when that may next have changed. */
  function look(): void {
    tab.clearTimeout(timer);
    const later = current && laterEnd(tab, current, wall());
    if (later) adopt(current!, later);
    const stands = deadline ? sessionPhase(deadline, clocksOf(tab, wall)) : RUNNING;
    if (stands.phase === 'ended') {
      endSession('ended', current?.token);
      return;
    }
    if (deadline) timer = tab.setTimeout(look, nextLookMs(stands.phase, stands.leftMs));
    // Until the end comes near nobody needs to know how much is left.
    const after = stands.phase === 'running' ? RUNNING : stands;
    if (after.phase === time.phase && after.leftMs === time.leftMs) return;
    time = after;
    tell(timeListeners);
  }
  /** Takes over what another tab knows of the same session. */
  function adopt(session: Session, { expiresAt, idleMs, final }: SessionLife): void {
    set({ ...session, expiresAt, idleMs, final });
    keepEnd(tab, expiresAt);
    tell(listeners);
  }
  function followOtherTabs(news: StorageNews): void {
    const said = current && saidOf(news, current.token);
    if (typeof said === 'string') endSession(said);
    else if (said) {
      adopt(current!, said);
      look();
    }
  }

  set(current);
  look();
  hear(tab, look, followOtherTabs);

  return {
    getSession: () => current,
    getSessionEnd: () => lastEnd,
    getSessionTime: () => time,
    onSession: (listener) => listen(listeners, listener),
    onSessionTime: (listener) => listen(timeListeners, listener),
    noteServerDate,
    startSession(token, expiresAt, user) {
      lastEnd = null;
      if (readRole(user.role) !== undefined) change({ token, role: user.role, user, ...lifeSaid(expiresAt, null) });
    },
    updateSession(user, expiresAt) {
      // A role never changes: the kept one was not this account's.
      if (user.role !== current?.role) endSession('ended');
      else change({ ...current, user, ...lifeSaid(expiresAt, current) });
    },
    noteSessionUse(token) {
      if (current?.token !== token) return;
      const life = lifeAfterUse(current, wall());
      if (Math.abs(life.expiresAt - current.expiresAt) > USE_STEP_MS) change({ ...current, ...life });
    },
    endSession,
  };
}

/** Both clocks of a tab: the one on the wall, and one that nobody sets. */
function clocksOf(tab: SessionWindow, wall: () => number) {
  return { wall: wall(), steady: tab.performance.now() };
}

function begun(restored: Session | 'ended' | null): { current: Session | null; lastEnd: SessionEnd | null } {
  return restored === 'ended' ? { current: null, lastEnd: restored } : { current: restored, lastEnd: null };
}

/** What is known of the server's clock, and what its word on the end of a session means by it. */
function followServer(wall: () => number) {
  let aheadMs = 0;
  return {
    noteServerDate: (date: string | null): void => {
      if (date !== null) aheadMs = serverAhead(date, wall());
    },
    lifeSaid: (expiresAt: string, known: SessionLife | null): SessionLife => lifeOf(expiresAt, aheadMs, wall(), known),
  };
}

/** Timers of a tab may wake before it hears of the others: what they have kept alive, which is not ended here; null where there is none. */
function laterEnd(tab: KeptPlaces, session: Session, wall: number): SessionLife | null {
  if (session.expiresAt > wall + WARN_BEFORE_MS) return null;
  const kept = readKept(tab)?.auth;
  return kept?.token === session.token && kept.expiresAt > session.expiresAt ? kept : null;
}

/** What another tab says of the session of a token: how it has ended, its life after a use, or nothing. */
function saidOf({ key, oldValue, newValue }: StorageNews, token: string): SessionEnd | SessionLife | null {
  if (key !== PERSISTED_KEY && key !== null) return null;
  const news = parsePersisted(newValue)?.auth;
  if (news?.token === token) {
    if (news.expiresAt === LAST_WORDS['signed-out']) return 'other-tab';
    return news.expiresAt === LAST_WORDS.replaced ? 'replaced' : news;
  }
  return !news && (key === null || parsePersisted(oldValue)?.auth.token === token) ? 'ended' : null;
}

function hear(tab: SessionWindow, look: () => void, followOtherTabs: (news: StorageNews) => void): void {
  tab.addEventListener('storage', followOtherTabs);
  // A laptop that wakes, and a tab that is looked at again, must not show what is no longer allowed.
  for (const event of ['focus', 'pageshow', 'online'] as const) tab.addEventListener(event, look);
  tab.document.addEventListener('visibilitychange', look);
}

function listen(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(listeners: Set<() => void>): void {
  for (const listener of listeners) listener();
}
