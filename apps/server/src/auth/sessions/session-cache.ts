import { SESSION_IDLE_MS, SESSION_MAX_MS } from '@drawhouse/contract/auth/auth';
import type { EndedSessions, Services } from '../../platform/services.ts';
import {
  SESSIONS_CHANNEL,
  resolveSession,
  sessionIdOf,
  TOUCH_EVERY_MS,
  touchSessions,
  type SessionNotification,
  type FoundSession,
  type Session,
} from './sessions.ts';
import { LRUCache } from 'lru-cache';

/** Near expiry, writes last use immediately, because another server may be asked next. */
const LATE_MS = 60_000;
/** Staff's working hours end without an event. */
const STAFF_MS = 60_000;

export interface SessionCache {
  /**
   * This server drops ended sessions on commit; others follow within moments. Commands therefore check again in their
   * transaction. `look` does not extend the session.
   */
  find(token: string, as: 'use' | 'look'): Session | Promise<Session>;
  write(this: void): Promise<void>;
  close(): Promise<void>;
}

export function createSessionCache(services: Services): SessionCache {
  const { db, clock, events } = services;
  const cached = createSessionLru();
  const uses = createLastUses(db, cached.hasId);
  /** Ending a session removes its lookup, so the result is not cached. */
  const reads = new Map<string, Promise<Session>>();
  const listener = db.listen(SESSIONS_CHANNEL, {
    onMessage(message) {
      const news = JSON.parse(message) as SessionNotification;
      if ('ended' in news) events.emit('sessionsEnded', news.ended);
      else events.emit('accountMoved', { accountId: news.moved });
    },
    missed() {
      cached.forgetAll();
      reads.clear();
      events.emit('sessionsMissed');
    },
  });

  function ended(which: EndedSessions): void {
    reads.clear();
    cached.forget(which);
  }
  const moved = ({ accountId }: { accountId: string }): void => ended({ below: accountId });

  /** Lookups read last use, so pending writes go first. */
  async function find(token: string, as: 'use' | 'look'): Promise<FoundSession> {
    await uses.writeOf(sessionIdOf(token));
    return resolveSession(services, token, as);
  }

  function readOnce(token: string): Promise<Session> {
    const looking = find(token, 'use').then(({ createdAt, lastUsedAt, id, actor }) => {
      const session = { id, actor };
      if (reads.get(token) === looking) {
        reads.delete(token);
        cached.keep(token, {
          session,
          createdAtMs: createdAt.getTime(),
          lastUsedAtMs: clock.now().getTime(),
          writtenAtMs: lastUsedAt.getTime(),
          readAtMs: clock.now().getTime(),
        });
      }
      return session;
    });
    reads.set(token, looking);
    void looking.catch(() => void (reads.get(token) === looking && reads.delete(token)));
    return looking;
  }

  events.on('sessionsEnded', ended);
  events.on('accountMoved', moved);
  return {
    find(token, as) {
      const entry = cached.find(token);
      const nowMs = clock.now().getTime();
      const isCurrent = listener.isCurrent();
      if (!entry || !isCurrent || !isFresh(entry, nowMs))
        return as === 'use' && isCurrent ? (reads.get(token) ?? readOnce(token)) : find(token, as);
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

function isFresh({ session, createdAtMs, writtenAtMs, readAtMs }: CachedSession, nowMs: number): boolean {
  if (session.actor.role !== 'user' && nowMs - readAtMs >= STAFF_MS) return false;
  return nowMs - writtenAtMs < SESSION_IDLE_MS - LATE_MS && nowMs - createdAtMs < SESSION_MAX_MS;
}

interface LastUses {
  note(known: CachedSession, nowMs: number): void;
  writeOf(sessionId: string): Promise<void>;
  write(this: void): Promise<void>;
}

/** Uncached sessions have ended; their uses are dropped. */
function createLastUses(db: Services['db'], isCached: (sessionId: string) => boolean): LastUses {
  const unwritten = new Map<string, CachedSession>();

  async function writeDown(entries: Iterable<CachedSession>): Promise<void> {
    const at = new Map(Array.from(entries, ({ session, lastUsedAtMs }) => [session.id, new Date(lastUsedAtMs)]));
    if (at.size === 0) return;
    for (const id of await touchSessions(db, at)) {
      const entry = unwritten.get(id);
      if (!entry) continue;
      entry.writtenAtMs = at.get(id)!.getTime();
      if (entry.lastUsedAtMs - entry.writtenAtMs < TOUCH_EVERY_MS) unwritten.delete(id);
    }
    for (const id of at.keys()) if (!isCached(id)) unwritten.delete(id);
  }

  return {
    note(known, nowMs) {
      known.lastUsedAtMs = Math.max(known.lastUsedAtMs, nowMs);
      if (nowMs - known.writtenAtMs >= TOUCH_EVERY_MS) unwritten.set(known.session.id, known);
    },
    async writeOf(sessionId) {
      const pending = unwritten.get(sessionId);
      if (pending) await writeDown([pending]);
    },
    write: () => writeDown(unwritten.values()),
  };
}

const MAX_SESSIONS = 50_000;

export interface CachedSession {
  readonly session: Session;
  readonly createdAtMs: number;
  lastUsedAtMs: number;
  writtenAtMs: number;
  readonly readAtMs: number;
}

export interface SessionLru {
  find(token: string): CachedSession | undefined;
  hasId(this: void, sessionId: string): boolean;
  keep(token: string, known: CachedSession): void;
  forget(ended: EndedSessions): void;
  forgetAll(): void;
}

export function createSessionLru(most: number = MAX_SESSIONS): SessionLru {
  const tokens = new Map<string, string>();
  const cached = new LRUCache<string, CachedSession>({
    max: most,
    dispose: ({ session }) => tokens.delete(session.id),
  });

  function forgetBelow(accountId: string): void {
    const below = [...cached].filter(([, { session }]) => session.actor.chain.includes(accountId));
    for (const [token] of below) cached.delete(token);
  }

  return {
    find: (token) => cached.get(token),
    hasId: (sessionId) => tokens.has(sessionId),
    keep(token, entry) {
      cached.set(token, entry);
      tokens.set(entry.session.id, token);
    },
    forget(ended) {
      if ('below' in ended) forgetBelow(ended.below);
      else
        for (const id of ended.ids) {
          const token = tokens.get(id);
          if (token !== undefined) cached.delete(token);
        }
    },
    forgetAll: () => cached.clear(),
  };
}
