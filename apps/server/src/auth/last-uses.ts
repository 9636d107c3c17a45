import type { Services } from '../services.ts';
import type { KnownSession } from './known-sessions.ts';
import { TOUCH_EVERY_MS, touchSessions } from './sessions.ts';

/** The last uses of sessions that are to be written down. */
export interface LastUses {
  /** A session is used now. */
  note(known: KnownSession, nowMs: number): void;
  /** Writes the last use of one session down, if that is to be. */
  writeOf(sessionId: string): Promise<void>;
  /** Writes all of them down, together. */
  write(this: void): Promise<void>;
}

/** Makes it. `isKnown`: whether a session is remembered; of one that is not any more, which has ended, nothing is kept. */
export function createLastUses(db: Services['db'], isKnown: (sessionId: string) => boolean): LastUses {
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
