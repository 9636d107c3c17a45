import type { Queryable } from '../../../platform/db/database.ts';
import { DatabaseUnavailable } from '../../../platform/db/connection/unavailable.ts';
import { hasWritten } from '../../read/written-records.ts';
import { NOTHING } from '../seal-progress.ts';
import { sql } from '../../../platform/db/sql/sql.ts';
import { SEAL_TEXTS } from '../../transparency-texts.ts';

/** Normal sealing takes a second or two. */
const STALLED_AFTER_MS = 30_000;

export interface SealStall {
  /** Call every ten seconds. */
  look(): Promise<void>;
  trouble(): string | undefined;
}

/**
 * Watches from outside: a thread blocked on a dead disk, a hanging server or an idle lock holder cannot report itself.
 * Trusts only signed checkpoints (`newest`), because database content can be forged.
 */
export function watchForStall(db: Queryable, newest: () => string | undefined, nowMs: () => number): SealStall {
  let [signed, sealed]: [string | undefined, string | undefined] = [undefined, undefined];
  let waitsSinceMs: number | undefined;
  let waitsMs = 0;
  const waitsSince = (sinceMs: number | undefined): void => {
    waitsSinceMs = sinceMs;
    waitsMs = sinceMs === undefined ? 0 : nowMs() - sinceMs;
  };
  /** Being blocked by a lock counts as waiting. */
  const isWaiting = async (): Promise<boolean> => {
    try {
      sealed ??= await readSealed(db);
      return await hasWritten(db, sealed);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return true;
      throw error;
    }
  };
  return {
    async look() {
      const before = signed;
      signed = newest();
      if (signed !== before) sealed = undefined;
      try {
        await db.query(sql`select 1`);
      } catch (error) {
        // Without database nothing is committed either.
        waitsSince(undefined);
        throw error;
      }
      const sinceMs = signed === before ? waitsSinceMs : undefined;
      waitsSince((await isWaiting()) ? (sinceMs ?? nowMs()) : undefined);
    },
    trouble() {
      if (waitsMs < STALLED_AFTER_MS) return undefined;
      return SEAL_TEXTS.stalled;
    },
  };
}

/** Only manual changes produce future snapshots, which would hide all later rows. */
async function readSealed(db: Queryable): Promise<string> {
  const [row] = await db.query<{ sealed: string }>(
    sql`select (case when pg_snapshot_xmax(snapshot) > pg_snapshot_xmax(now) then now else snapshot end)::text as sealed
     from seal_progress, pg_current_snapshot() as now order by origin desc limit 1`.named('seal-stall'),
  );
  return row?.sealed ?? NOTHING;
}
