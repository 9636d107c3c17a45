import { LRUCache } from 'lru-cache';
import { SESSION_IDLE_MS, SESSION_MAX_MS } from '../accounts/session-limits.ts';
import type { EndedSessions, Services } from '../db/services.ts';
import { SESSIONS_CHANNEL } from './session-news.ts';
import type { SessionNews } from './session-news.ts';
import { findSession, sessionIdOf, TOUCH_EVERY_MS, touchSessions } from './sessions.ts';
import type { FoundSession, Session } from './sessions.ts';

/** More sessions than this are not remembered; the one that is longest unused goes first. */
const SESSIONS_KEPT = 50_000;
/** Last uses are collected for so long and then written down together. */
const WRITE_EVERY_MS = 5_000;
/** A use this long before the session would have run out is written down at once: another server may be asked next. */
const LATE_MS = 60_000;

/** A session that is remembered. */
interface Known {
  readonly session: Session;
  readonly createdAtMs: number;
  lastUsedAtMs: number;
  /** The last use that is written down. */
  writtenAtMs: number;
}

/** Sessions that were looked up before. */
export interface SessionCache {
  /**
   * Whose session a token is, without a look where that is known; else as `findSession`. On this server nothing is known any more of
   * a session once the transaction that ended it has its answer, of one that another server ended within moments: whoever
   * changes anything by it judges again in its transaction, or looks it up. A `look` does not keep the session alive.
   */
  find(token: string, as: 'use' | 'look'): Session | Promise<Session>;
  /** Writes down the last uses, every few seconds, or at once. */
  write(when: 'due' | 'now'): Promise<void>;
  close(): Promise<void>;
}

/** Remembers the sessions of a server's callers until an event ends them. */
export function createSessionCache(services: Services): SessionCache {
  const { db, clock, events } = services;
  /** The tokens of the sessions that are known, by id. */
  const tokens = new Map<string, string>();
  /** By token. */
  const known = new LRUCache<string, Known>({
    max: SESSIONS_KEPT,
    dispose: ({ session }) => tokens.delete(session.id),
  });
  /** Looks that are under way. What ends one of the sessions meanwhile takes it out: then its find is not kept. */
  const looks = new Map<string, Promise<Session>>();
  /** Last uses that are to be written down, by id. */
  const unwritten = new Map<string, Known>();
  let nextWriteMs = 0;

  const listener = db.listen(SESSIONS_CHANNEL, {
    heard(message) {
      const news = JSON.parse(message) as SessionNews;
      if ('ended' in news) events.emit('sessionsEnded', news.ended);
      else events.emit('accountMoved', { accountId: news.moved });
    },
    missed() {
      known.clear();
      looks.clear();
      events.emit('sessionsMissed');
    },
  });

  function forgetBelow(accountId: string): void {
    const below = [...known].filter(([, { session }]) => session.actor.chain.includes(accountId));
    for (const [token] of below) known.delete(token);
  }

  function ended(which: EndedSessions): void {
    looks.clear();
    if ('below' in which) forgetBelow(which.below);
    else
      for (const id of which.ids) {
        const token = tokens.get(id);
        if (token !== undefined) known.delete(token);
      }
  }

  function moved({ accountId }: { accountId: string }): void {
    looks.clear();
    forgetBelow(accountId);
  }

  /** Looks a session up, where its last use is known here only after that is written down. */
  async function lookUp(token: string, as: 'use' | 'look'): Promise<FoundSession> {
    const used = unwritten.get(sessionIdOf(token));
    if (used) await writeDown([used]);
    return findSession(services, token, as);
  }

  /** Looks a session up and keeps it, unless something happened meanwhile that may have ended it. */
  function look(token: string): Promise<Session> {
    const looking = lookUp(token, 'use').then(({ createdAt, lastUsedAt, id, actor }) => {
      const session = { id, actor };
      if (looks.get(token) === looking) {
        looks.delete(token);
        const usedAtMs = clock.now().getTime();
        keep(token, {
          session,
          createdAtMs: createdAt.getTime(),
          lastUsedAtMs: usedAtMs,
          writtenAtMs: lastUsedAt.getTime(),
        });
      }
      return session;
    });
    looks.set(token, looking);
    void looking.catch(() => void (looks.get(token) === looking && looks.delete(token)));
    return looking;
  }

  function keep(token: string, entry: Known): void {
    known.set(token, entry);
    tokens.set(entry.session.id, token);
  }

  /** Whether what is remembered may be answered from; else the database is asked, which also knows of uses on other servers. */
  function isGood({ createdAtMs, writtenAtMs }: Known, nowMs: number): boolean {
    return (
      nowMs - writtenAtMs < SESSION_IDLE_MS - LATE_MS && nowMs - createdAtMs < SESSION_MAX_MS && listener.isCurrent()
    );
  }

  /** Writes last uses down, together. */
  async function writeDown(entries: Iterable<Known>): Promise<void> {
    const at = new Map(Array.from(entries, ({ session, lastUsedAtMs }) => [session.id, new Date(lastUsedAtMs)]));
    if (at.size === 0) return;
    for (const id of await touchSessions(db, at)) {
      const entry = unwritten.get(id);
      if (!entry) continue;
      entry.writtenAtMs = at.get(id)!.getTime();
      if (entry.lastUsedAtMs - entry.writtenAtMs < TOUCH_EVERY_MS) unwritten.delete(id);
    }
    // What was held is tried again; what is not known any more has ended.
    for (const id of at.keys()) if (!tokens.has(id)) unwritten.delete(id);
  }

  events.on('sessionsEnded', ended);
  events.on('accountMoved', moved);
  return {
    find(token, as) {
      const entry = known.get(token);
      const nowMs = clock.now().getTime();
      if (!entry || !isGood(entry, nowMs))
        return as === 'use' && listener.isCurrent() ? (looks.get(token) ?? look(token)) : lookUp(token, as);
      if (as === 'look') return entry.session;
      entry.lastUsedAtMs = Math.max(entry.lastUsedAtMs, nowMs);
      if (nowMs - entry.writtenAtMs >= TOUCH_EVERY_MS) unwritten.set(entry.session.id, entry);
      return entry.session;
    },
    async write(when) {
      const nowMs = clock.now().getTime();
      // A clock that was ahead has put the next time too far away.
      if (when === 'due' && nowMs < nextWriteMs && nextWriteMs - nowMs <= WRITE_EVERY_MS) return;
      nextWriteMs = nowMs + WRITE_EVERY_MS;
      await writeDown(unwritten.values());
    },
    async close() {
      events.off('sessionsEnded', ended);
      events.off('accountMoved', moved);
      await listener.close();
    },
  };
}
