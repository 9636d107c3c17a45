import type { Queryable } from '../db/database.ts';
import { hasWritten } from './read-written.ts';
import { NOTHING } from './seal-progress.ts';

/** From one look to the next. */
export const LOOK_FOR_STALL_EVERY_MS = 10_000;
/** What is committed is sealed within a second or two: what waits for so long waits for something that has stopped. */
const STALLED_AFTER_MS = 30_000;

/** Whether sealing goes on, as seen by a server that need not be the one that seals. */
export interface SealStall {
  /** Looks whether anything was sealed since the last look, or nothing waits. To be called every {@link LOOK_FOR_STALL_EVERY_MS}. */
  look(): Promise<void>;
  /** That nothing is sealed though there is something to seal, as a sentence. */
  trouble(): string | undefined;
}

/**
 * Watches the seals from outside of whoever makes them: a thread that waits for a disk that does not answer says nothing of that itself, nor does a server that hangs as a
 * whole. `nowMs` is the time in milliseconds.
 */
export function watchForStall(db: Queryable, nowMs: () => number): SealStall {
  /** How far the seals had come at the last look. */
  let at: string | undefined;
  /** Since when something waits, as far as that was looked at, while they have come no further. */
  let waitsSinceMs: number | undefined;
  let waitsMs = 0;
  const waitsSince = (sinceMs: number | undefined): void => {
    waitsSinceMs = sinceMs;
    waitsMs = sinceMs === undefined ? 0 : nowMs() - sinceMs;
  };
  return {
    async look() {
      const [before, sinceMs] = [at, waitsSinceMs];
      // Where the database is away, nothing is committed either: it begins anew.
      at = waitsSinceMs = undefined;
      const progress = await readProgress(db);
      const isWaiting = progress.at === before && (await hasWritten(db, progress.snapshot));
      at = progress.at;
      waitsSince(isWaiting ? (sinceMs ?? nowMs()) : undefined);
    },
    trouble() {
      if (waitsMs < STALLED_AFTER_MS) return undefined;
      return 'There is something to seal, and it is not sealed. See whether the disk of SEAL_DIR answers, and whether a server that seals hangs: then start it again. Very much at once may take minutes.';
    },
  };
}

/** How far the newest log has come by the database: the snapshot that it has sealed, and with the log what tells it from any other. */
async function readProgress(db: Queryable): Promise<{ readonly at: string; readonly snapshot: string }> {
  const [row] = await db.query<{ origin: number; snapshot: string }>(
    'select origin, snapshot::text as snapshot from seal_progress order by origin desc limit 1',
    [],
    'seal-stall',
  );
  return row ? { at: `${row.origin} ${row.snapshot}`, snapshot: row.snapshot } : { at: '', snapshot: NOTHING };
}
