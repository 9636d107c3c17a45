import { SESSION_IDLE_MS, SESSION_MAX_MS } from '../accounts/session-life.ts';
import type { EndedSessions, Services } from '../services.ts';
import { createKnownSessions } from './known-sessions.ts';
import type { KnownSession } from './known-sessions.ts';
import { SESSIONS_CHANNEL } from './session-news.ts';
import type { SessionNews } from './session-news.ts';
import { findSession, sessionIdOf, TOUCH_EVERY_MS, touchSessions } from './sessions.ts';
import type { FoundSession, Session } from './sessions.ts';

/** A use this long before the session would have run out is written down at once: another server may be asked next. */
const LATE_MS = 60_000;

/** Sessions that were looked up before. */
export interface SessionCache {
  /**
   * Whose session a token is, without a look where that is known; else as `findSession`. On this server nothing is known any more of
   * a session once the transaction that ended it has its answer, of one that another server ended within moments: whoever
   * changes anything by it judges again in its transaction, or looks it up. A `look` does not keep the session alive.
   */
  find(token: string, as: 'use' | 'look'): Session | Promise<Session>;
  /** Writes down the last uses. */
  write(this: void): Promise<void>;
  close(): Promise<void>;
}

/** Remembers the sessions of a server's callers until an event ends them. */
export function createSessionCache(services: Services): SessionCache {
  const { db, clock, events } = services;
  const known = createKnownSessions();
  const uses = createLastUses(db, known.hasId);
  /** Looks that are under way. What ends one of the sessions meanwhile takes it out: then its find is not kept. */
  const looks = new Map<string, Promise<Session>>();
  const listener = db.listen(SESSIONS_CHANNEL, {
    heard(message) {
      const news = JSON.parse(message) as SessionNews;
      if ('ended' in news) events.emit('sessionsEnded', news.ended);
      else events.emit('accountMoved', { accountId: news.moved });
    },
    missed() {
      known.forgetAll();
      looks.clear();
      events.emit('sessionsMissed');
    },
  });

  function ended(which: EndedSessions): void {
    looks.clear();
    known.forget(which);
  }
  const moved = ({ accountId }: { accountId: string }): void => ended({ below: accountId });

  /** Looks a session up, where its last use is known here only after that is written down. */
  async function lookUp(token: string, as: 'use' | 'look'): Promise<FoundSession> {
    await uses.writeOf(sessionIdOf(token));
    return findSession(services, token, as);
  }

  /** Looks a session up and keeps it, unless something happened meanwhile that may have ended it. */
  function look(token: string): Promise<Session> {
    const looking = lookUp(token, 'use').then(({ createdAt, lastUsedAt, id, actor }) => {
      const session = { id, actor };
      if (looks.get(token) === looking) {
        looks.delete(token);
        known.keep(token, {
          session,
          createdAtMs: createdAt.getTime(),
          lastUsedAtMs: clock.now().getTime(),
          writtenAtMs: lastUsedAt.getTime(),
        });
      }
      return session;
    });
    looks.set(token, looking);
    void looking.catch(() => void (looks.get(token) === looking && looks.delete(token)));
    return looking;
  }

  events.on('sessionsEnded', ended);
  events.on('accountMoved', moved);
  return {
    find(token, as) {
      const entry = known.find(token);
      const nowMs = clock.now().getTime();
      const isCurrent = listener.isCurrent();
      if (!entry || !isCurrent || !isFresh(entry, nowMs))
        return as === 'use' && isCurrent ? (looks.get(token) ?? look(token)) : lookUp(token, as);
      if (as === 'use') uses.note(entry, nowMs);
      return entry.session;
    },
    write: uses.write,
    async close() {
      events.off('sessionsEnded', ended);
      events.off('accountMoved', moved);
      await listener.close();
    },
  };
}

/** Whether what is remembered may be answered from; else the database is asked, which also knows of uses on other servers. */
function isFresh({ createdAtMs, writtenAtMs }: KnownSession, nowMs: number): boolean {
  return nowMs - writtenAtMs < SESSION_IDLE_MS - LATE_MS && nowMs - createdAtMs < SESSION_MAX_MS;
}

/** The last uses of sessions that are to be written down. */
interface LastUses {
  /** A session is used now. */
  note(known: KnownSession, nowMs: number): void;
  /** Writes the last use of one session down, if that is to be. */
  writeOf(sessionId: string): Promise<void>;
  /** Writes all of them down, together. */
  write(this: void): Promise<void>;
}

/** Makes it. `isKnown`: whether a session is remembered; of one that is not any more, which has ended, nothing is kept. */
function createLastUses(db: Services['db'], isKnown: (sessionId: string) => boolean): LastUses {
  /** By session id. */
  const unwritten = new Map<string, KnownSession>();

  async function writeDown(entries: Iterable<KnownSession>): Promise<void> {
    const at = new Map(Array.from(entries, ({ session, lastUsedAtMs }) => [session.id, new Date(lastUsedAtMs)]));
    if (at.size === 0) return;
    for (const id of await touchSessions(db, at)) {
      const entry = unwritten.get(id);
      if (!entry) continue;
      entry.writtenAtMs = at.get(id)!.getTime();
      if (entry.lastUsedAtMs - entry.writtenAtMs < TOUCH_EVERY_MS) unwritten.delete(id);
    }
    // What was held is tried again; what is not known any more has ended.
    for (const id of at.keys()) if (!isKnown(id)) unwritten.delete(id);
  }

  return {
    note(known, nowMs) {
      known.lastUsedAtMs = Math.max(known.lastUsedAtMs, nowMs);
      if (nowMs - known.writtenAtMs >= TOUCH_EVERY_MS) unwritten.set(known.session.id, known);
    },
    async writeOf(sessionId) {
      const known = unwritten.get(sessionId);
      if (known) await writeDown([known]);
    },
    write: () => writeDown(unwritten.values()),
  };
}
