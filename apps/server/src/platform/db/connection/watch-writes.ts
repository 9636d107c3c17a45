import { DatabaseUnavailable } from './unavailable.ts';
import { sql, type Sql } from '../sql/sql.ts';

/** After a refused write, assumes further refusals; smaller ones may still pass. */
const REFUSED_FOR_MS = 5_000;
/** Tables grow by up to half of this in one step. */
const ROOM_BYTES = 1024 * 1024;
const PAGE_BYTES = 8_000;
const SPACE_CACHED_MS = 1_000;

/** Disk full, I/O error, read-only database: a standby, or a host's reaction to a full disk. */
const REFUSES_WRITES = /^(53100|58030|25006)$/;

function refusesWrites(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  return REFUSES_WRITES.test((cause as { code?: string } | undefined)?.code ?? '');
}

interface Asked {
  query<R extends object>(statement: Sql): Promise<R[]>;
}

export interface WriteWatch {
  watch<T>(this: void, act: () => Promise<T>): Promise<T>;
  takesWrites(this: void): Promise<boolean>;
}

/** Tests without traffic whether PostgreSQL can write a temporary file. Changes nothing and leaves no log entry. */
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
      const isSpaceCached = isWithin(roomFoundAtMs, SPACE_CACHED_MS);
      try {
        const isTaken = isSpaceCached
          ? (await reader.query(sql`select 1`)).length > 0
          : await reader.snapshot(findsRoom);
        if (isTaken && !isSpaceCached) roomFoundAtMs = performance.now();
        return isTaken && !isWithin(refusedAtMs, REFUSED_FOR_MS);
      } catch (error) {
        if (refusesWrites(error)) return false;
        throw error;
      }
    },
  };
}

async function findsRoom(on: Asked): Promise<boolean> {
  // Exceeding this memory forces a temporary file.
  await on.query(sql`set local work_mem = '64kB'`);
  const [row] = await on.query<{ writes: boolean }>(
    sql`with room as materialized (select repeat('x', ${sql.lit(PAGE_BYTES)}) as page
      from generate_series(1, ${sql.lit(Math.ceil(ROOM_BYTES / PAGE_BYTES))}))
     select not pg_is_in_recovery() and not current_setting('default_transaction_read_only')::boolean as writes, count(*) from room`,
  );
  return row!.writes;
}
