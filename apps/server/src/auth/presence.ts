import { SERVER_SILENT_MS } from '../accounts/online.ts';
import { sql } from '../db/sql.ts';
import type { Tx } from '../db/database.ts';
import type { Services } from '../services.ts';

/** What opened and closed is written down together, at most so often. */
const WRITE_EVERY_MS = 1_000;
/** A server with open sockets says so often that it is there: one or two times that fail make nobody offline. */
const BEAT_EVERY_MS: number = SERVER_SILENT_MS / 3;
/** The row of a server that has been silent for so long goes, and its sockets with it. */
const FORGOTTEN_AFTER_MS = 10 * 60_000;

/** The sessions with a socket open on this server, for all servers on the database to know. */
export interface Presence {
  /** The first socket of a session has opened here. */
  opened(this: void, sessionId: string): void;
  /** The last one has closed. */
  closed(this: void, sessionId: string): void;
  /** Writes down what has changed, and every some seconds that this server is there. */
  write(): Promise<void>;
  /** Takes this server and its sockets away. */
  close(): Promise<void>;
}

/** Keeps the open sockets of a server in the database. */
export function createPresence({ db, clock, newId }: Pick<Services, 'db' | 'clock' | 'newId'>): Presence {
  const serverId = newId();
  const open = new Set<string>();
  /** The sessions of which the database may not have what is so here. */
  const changed = new Set<string>();
  let isKnown = false;
  let nextWriteMs = -Infinity;
  let nextBeatMs = -Infinity;

  /** Says that this server is there. Gives whether it is new to the database: the others forget one that was silent. */
  async function beat(tx: Tx, at: Date): Promise<boolean> {
    await tx.query(sql`delete from servers where seen_at < ${new Date(at.getTime() - FORGOTTEN_AFTER_MS)}`);
    const known = await tx.query(sql`update servers set seen_at = ${at} where id = ${serverId} returning id`);
    if (known.length > 0) return false;
    // Another write of this server may say the same at this moment.
    const first = 'insert into servers (id, seen_at) values ($1, $2) on conflict do nothing returning id';
    return (await tx.query(first, [serverId, at])).length > 0;
  }

  async function note(tx: Tx, sessionIds: readonly string[]): Promise<void> {
    const hashes = (of: readonly string[]): Buffer[] => of.map((id) => Buffer.from(id, 'hex'));
    await tx.query(
      sql`insert into open_sockets (server_id, token_hash) select ${serverId}, unnest(${hashes(sessionIds.filter((id) => open.has(id)))}::bytea[]) on conflict do nothing`,
    );
    await tx.query(
      sql`delete from open_sockets where server_id = ${serverId} and token_hash = any(${hashes(sessionIds.filter((id) => !open.has(id)))}::bytea[])`,
    );
  }

  return {
    opened(sessionId) {
      open.add(sessionId);
      changed.add(sessionId);
    },
    closed(sessionId) {
      open.delete(sessionId);
      changed.add(sessionId);
    },
    async write() {
      const at = clock.now();
      const nowMs = at.getTime();
      // A clock that was ahead has put the next time too far away.
      const isDue = (nextMs: number, everyMs: number): boolean => nowMs >= nextMs || nextMs - nowMs > everyMs;
      const beats = isDue(nextBeatMs, BEAT_EVERY_MS) && (open.size > 0 || isKnown || changed.size > 0);
      if (!beats && (changed.size === 0 || !isDue(nextWriteMs, WRITE_EVERY_MS))) return;
      nextWriteMs = nowMs + WRITE_EVERY_MS;
      let written = [...changed];
      changed.clear();
      try {
        await db.transaction(async (tx) => {
          if (beats && (await beat(tx, at))) written = [...new Set([...written, ...open])];
          await note(tx, written);
        });
      } catch (error) {
        for (const id of written) changed.add(id);
        throw error;
      }
      if (beats) nextBeatMs = nowMs + BEAT_EVERY_MS;
      isKnown = true;
    },
    async close() {
      if (isKnown) await db.query(sql`delete from servers where id = ${serverId}`);
    },
  };
}
