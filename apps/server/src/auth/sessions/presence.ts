import { SERVER_SILENT_MS } from '../../accounts/read/online-sessions.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';

const WRITE_EVERY_MS = 1_000;
/** One or two failures do not show anyone as offline. */
const BEAT_EVERY_MS: number = SERVER_SILENT_MS / 3;
const FORGOTTEN_AFTER_MS = 10 * 60_000;

export interface Presence {
  opened(this: void, sessionId: string): void;
  closed(this: void, sessionId: string): void;
  write(): Promise<void>;
  close(): Promise<void>;
}

export function createPresence({ db, clock, newId }: Pick<Services, 'db' | 'clock' | 'newId'>): Presence {
  const serverId = newId();
  const open = new Set<string>();
  const changed = new Set<string>();
  let isRegistered = false;
  let nextWriteMs = -Infinity;
  let nextBeatMs = -Infinity;

  /** Returns true if others removed this server as silent. */
  async function beat(tx: Tx, at: Date): Promise<boolean> {
    await tx.query(sql`delete from servers where seen_at < ${new Date(at.getTime() - FORGOTTEN_AFTER_MS)}`);
    const updated = await tx.query(sql`update servers set seen_at = ${at} where id = ${serverId} returning id`);
    if (updated.length > 0) return false;
    // A concurrent write of this server may come first.
    const first = sql`insert into servers (id, seen_at) values (${serverId}, ${at}) on conflict do nothing returning id`;
    return (await tx.query(first)).length > 0;
  }

  async function note(tx: Tx, sessionIds: readonly string[]): Promise<void> {
    const hashes = (of: readonly string[]): Buffer[] => of.map((id) => Buffer.from(id, 'hex'));
    await tx.query(
      sql`insert into open_sockets (server_id, token_hash) select ${serverId},
        unnest(${hashes(sessionIds.filter((id) => open.has(id)))}::bytea[]) on conflict do nothing`,
    );
    await tx.query(
      sql`delete from open_sockets where server_id = ${serverId}
        and token_hash = any(${hashes(sessionIds.filter((id) => !open.has(id)))}::bytea[])`,
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
      // A clock correction can move the next time too far ahead.
      const isDue = (nextMs: number, everyMs: number): boolean => nowMs >= nextMs || nextMs - nowMs > everyMs;
      const beats = isDue(nextBeatMs, BEAT_EVERY_MS) && (open.size > 0 || isRegistered || changed.size > 0);
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
      isRegistered = true;
    },
    async close() {
      if (isRegistered) await db.query(sql`delete from servers where id = ${serverId}`);
    },
  };
}

/**
 * Counts this minute as signed-in for players with bets by programs. Programs have no session, so bets would otherwise
 * bypass time limits. Idempotent per minute.
 */
export async function recordProgramPlay(tx: Tx, accountIds: readonly string[], at: Date): Promise<void> {
  await tx.query(
    sql`insert into past_sessions (began_at, ended_at, account_id, token_hash)
     select minute, minute + interval '1 minute', id, sha256(convert_to('program ' || id || ' ' || extract(epoch from minute), 'UTF8'))
     from date_trunc('minute', ${at}::timestamptz) as minute cross join unnest(${[...accountIds]}::uuid[]) as players (id)
     on conflict do nothing`.named('program-play'),
  );
}
