import type { Queryable } from '../db/database.ts';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import { hasWritten } from './read-written.ts';
import { NOTHING } from './seal-progress.ts';

/** From one look to the next. */
export const LOOK_FOR_STALL_EVERY_MS = 10_000;
/** What is committed is sealed within a second or two: what waits for so long waits for something that has stopped. */
const STALLED_AFTER_MS = 30_000;

/** Whether sealing goes on, as seen by a server that need not be the one that seals. */
export interface SealStall {
  /** Looks whether anything was sealed and signed since the last look, or nothing waits. To be called every {@link LOOK_FOR_STALL_EVERY_MS}. */
  look(): Promise<void>;
  /** That nothing is sealed though there is something to seal, as a sentence. */
  trouble(): string | undefined;
}

/**
 * Watches the seals from outside of whoever makes them: a thread that waits for a disk that does not answer says nothing of that itself, nor does a server that hangs as a
 * whole, nor whoever holds the turn of the sealer and seals nothing. `newest` gives the newest checkpoint: how far the seals have come nobody but their key tells, as the
 * database says of it what whoever writes there wants. `nowMs` is the time in milliseconds.
 */
export function watchForStall(db: Queryable, newest: () => string | undefined, nowMs: () => number): SealStall {
  /** The newest checkpoint of the last look, and what was sealed by then as a snapshot of PostgreSQL. */
  let [signed, sealed]: [string | undefined, string | undefined] = [undefined, undefined];
  /** Since when something waits, as far as that was looked at, while they have come no further. */
  let waitsSinceMs: number | undefined;
  let waitsMs = 0;
  const waitsSince = (sinceMs: number | undefined): void => {
    waitsSinceMs = sinceMs;
    waitsMs = sinceMs === undefined ? 0 : nowMs() - sinceMs;
  };
  /** Whether something waits. A look that does not come to its end, as by somebody's locks, says that as well. */
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
        // It waits for nobody's lock.
        await db.query('select 1');
      } catch (error) {
        // Where the database is away, nothing is committed either: it begins anew.
        waitsSince(undefined);
        throw error;
      }
      const sinceMs = signed === before ? waitsSinceMs : undefined;
      waitsSince((await isWaiting()) ? (sinceMs ?? nowMs()) : undefined);
    },
    trouble() {
      if (waitsMs < STALLED_AFTER_MS) return undefined;
      return 'There is something to seal, and it is not sealed. See whether the disk of SEAL_DIR answers, and whether a server that seals hangs: then start it again. See also who holds locks in the database that is no server (pg_locks). Very much at once may take minutes.';
    },
  };
}

/**
 * What is sealed by what the database says of the newest log, as a snapshot that it has come to: one that is yet to come, which only a change by hand can have put there, would
 * show all that is ever written.
 */
async function readSealed(db: Queryable): Promise<string> {
  const [row] = await db.query<{ sealed: string }>(
    `select (case when pg_snapshot_xmax(snapshot) > pg_snapshot_xmax(now) then now else snapshot end)::text as sealed
     from seal_progress, pg_current_snapshot() as now order by origin desc limit 1`,
    [],
    'seal-stall',
  );
  return row?.sealed ?? NOTHING;
}
