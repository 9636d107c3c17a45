import { DatabaseUnavailable } from './unavailable.ts';

/** After a write was refused for want of room the next ones are expected to be: smaller ones may well pass meanwhile. */
const REFUSED_FOR_MS = 5_000;
/** The least room that writes need: tables grow by up to half of it at once. */
const ROOM_BYTES = 1024 * 1024;
const PAGE_BYTES = 8_000;
/** Room that was found is not looked for again for so long: whoever asks may ask as often as they like. */
const ROOM_KNOWN_MS = 1_000;

/** A full disk, one that fails, and a database that only reads for now: a standby, or as some hosts set it where the disk is full. */
const REFUSES_WRITES = /^(53100|58030|25006)$/;

/** Whether what went wrong is that nothing can be written. */
function refusesWrites(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  return REFUSES_WRITES.test((cause as { code?: string } | undefined)?.code ?? '');
}

/** What is asked; a database is more than that. */
interface Asked {
  query<R extends object>(text: string): Promise<R[]>;
}

/** What is known of whether writes are taken. */
export interface WriteWatch {
  /** Does something with the database, and remembers where a write was refused. */
  watch<T>(this: void, act: () => Promise<T>): Promise<T>;
  /** Whether writes are taken at this moment. Rejects where the database is away. */
  takesWrites(this: void): Promise<boolean>;
}

/**
 * Watches whether a database takes writes: by those that it refuses, and where nobody writes, by whether PostgreSQL finds room for a temporary
 * file, which is gone at once. So to ask changes nothing and leaves nothing in the log of the database.
 */
export function createWriteWatch(
  reader: Asked & { snapshot<T>(read: (on: Asked) => Promise<T>): Promise<T> },
): WriteWatch {
  let refusedAtMs = -Infinity;
  let roomFoundAtMs = -Infinity;
  const isWithin = (sinceMs: number, ms: number): boolean => performance.now() - sinceMs < ms;

  return {
    async watch(act) {
      try {
        return await act();
      } catch (error) {
        if (refusesWrites(error)) refusedAtMs = performance.now();
        throw error;
      }
    },
    async takesWrites() {
      const isRoomKnown = isWithin(roomFoundAtMs, ROOM_KNOWN_MS);
      try {
        const isTaken = isRoomKnown ? (await reader.query('select 1')).length > 0 : await reader.snapshot(findsRoom);
        if (isTaken && !isRoomKnown) roomFoundAtMs = performance.now();
        return isTaken && !isWithin(refusedAtMs, REFUSED_FOR_MS);
      } catch (error) {
        if (refusesWrites(error)) return false;
        throw error;
      }
    },
  };
}

/** Whether the database writes at all and has room, which it throws where it has not. */
async function findsRoom(on: Asked): Promise<boolean> {
  // What does not fit into so little memory is written to a file.
  await on.query("set local work_mem = '64kB'");
  const [row] = await on.query<{ writes: boolean }>(
    `with room as materialized (select repeat('x', ${PAGE_BYTES}) as page from generate_series(1, ${Math.ceil(ROOM_BYTES / PAGE_BYTES)}))
     select not pg_is_in_recovery() and not current_setting('default_transaction_read_only')::boolean as writes, count(*) from room`,
  );
  return row!.writes;
}
