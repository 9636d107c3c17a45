import { LRUCache } from 'lru-cache';
import type { EndedSessions } from '../../platform/services.ts';
import type { Session } from './sessions.ts';

const SESSIONS_KEPT = 50_000;

export interface CachedSession {
  readonly session: Session;
  readonly createdAtMs: number;
  lastUsedAtMs: number;
  writtenAtMs: number;
}

export interface SessionLru {
  find(token: string): CachedSession | undefined;
  hasId(this: void, sessionId: string): boolean;
  keep(token: string, known: CachedSession): void;
  forget(ended: EndedSessions): void;
  forgetAll(): void;
}

export function createKnownSessions(most: number = SESSIONS_KEPT): SessionLru {
  const tokens = new Map<string, string>();
  const known = new LRUCache<string, CachedSession>({
    max: most,
    dispose: ({ session }) => tokens.delete(session.id),
  });

  function forgetBelow(accountId: string): void {
    const below = [...known].filter(([, { session }]) => session.actor.chain.includes(accountId));
    for (const [token] of below) known.delete(token);
  }

  return {
    find: (token) => known.get(token),
    hasId: (sessionId) => tokens.has(sessionId),
    keep(token, entry) {
      known.set(token, entry);
      tokens.set(entry.session.id, token);
    },
    forget(ended) {
      if ('below' in ended) forgetBelow(ended.below);
      else
        for (const id of ended.ids) {
          const token = tokens.get(id);
          if (token !== undefined) known.delete(token);
        }
    },
    forgetAll: () => known.clear(),
  };
}
