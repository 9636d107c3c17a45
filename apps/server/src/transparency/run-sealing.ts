import { copierOn } from '../db/copy-snapshot.ts';
import type { Copier } from '../db/copy-snapshot.ts';
import { holdLock } from '../db/hold-lock.ts';
import { withOwnConnections } from '../db/own-connections.ts';
import { isLocked } from '../db/unavailable.ts';
import { openNewestLog } from './begin-log.ts';
import type { SealsPlace } from './begin-log.ts';
import { TEXT_SETTINGS } from '@drawhouse/rules/sealed-records';
import type { SealLog } from './seal-log.ts';
import { keepProgress } from './seal-progress.ts';
import { Pruning } from './prune-cleared.ts';
import { Sealer } from './sealer.ts';
import type { LogFiles } from './co-sign.ts';
import type { Sealed } from './sealer.ts';

/** From the end of one look to the next: what is committed is sealed within this time and that of a look. */
const LOOK_EVERY_MS = 500;
/** The same from its beginning, where it found many records: what each look does, however little there is, is left to whoever bets then. */
const BUSY_LOOK_EVERY_MS = 1_000;
const MANY_RECORDS = 1_000;
/** The least time between two looks, however long they take. */
const BUSY_PAUSE_MS = 100;
/** Where another server seals, or nothing can be sealed, it is tried again after this time. */
const TRY_AGAIN_MS = 2_000;
/** The lock of whoever seals, and the channel on which checkpoints are told. */
export const SEALS = 'drawhouse_seals';

/** What stands in the way where somebody else holds a lock. */
const LOCKED =
  'Somebody holds a lock in the database on what is to be sealed: pg_locks and pg_stat_activity there tell who. It goes on once that is let go.';

/** What a sealer is given. */
export interface SealingOptions {
  /** Where the database is now. */
  readonly connectionString: () => Promise<string>;
  readonly place: SealsPlace;
  readonly nowMs: () => number;
  /** So long it waits for a lock that somebody else holds in the database; after that this is its trouble. */
  readonly lockMs: number;
  /** Lets so much time pass, or less where the signal comes first; it does not throw. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Hears what stands in the way; `undefined` once it seals again. */
  readonly trouble: (error: Error | undefined) => void;
  /** Hears how many changes were sealed of which nothing in the log tells. */
  readonly unlogged: (changes: number) => void;
  /** Hears why the records of what was cleared could not be removed. */
  readonly unpruned: (error: Error) => void;
  /** Is given each checkpoint once it is kept. */
  readonly signed: (log: LogFiles, checkpoint: string) => void;
}

/** Seals until the signal: on one server of all, as long as that lives. */
export async function runSealing(options: SealingOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await sealWhileMine(options, signal);
    } catch (error) {
      if (!signal.aborted) options.trouble(isLocked(error) ? new Error(LOCKED, { cause: error }) : (error as Error));
    }
    await options.pause(TRY_AGAIN_MS, signal);
  }
}

async function sealWhileMine(options: SealingOptions, signal: AbortSignal): Promise<void> {
  const { place, nowMs, lockMs, trouble, unlogged, unpruned: failed, signed, pause } = options;
  const connectionString = await options.connectionString();
  const lock = await holdLock(connectionString, SEALS);
  // Another server seals; what stands in its way it says itself.
  if (!lock) return trouble(undefined);
  const mine = AbortSignal.any([signal, lock.lost]);
  try {
    await withOwnConnections(connectionString, 1, mine, async ([client]) => {
      const on = copierOn(client!);
      // What is new stands together, and is read as it stands.
      await on.query(`${TEXT_SETTINGS}; set lock_timeout = ${lockMs}; set enable_bitmapscan = off`);
      const log = await openNewestLog(on, place);
      const sealer = new Sealer(log, nowMs);
      const isMine = (): void => mine.throwIfAborted();
      const pruning = new Pruning({ on, log, dir: place.dir, nowMs, isMine, failed });
      for (let isFirst = true; !mine.aborted; isFirst = false) {
        const fromMs = nowMs();
        const sealed = await lookOnce(on, log, sealer, mine);
        // Only a look that came to its end says that nothing is in its way.
        if (isFirst) trouble(undefined);
        if (sealed.unlogged > 0) unlogged(sealed.unlogged);
        const isBusy = sealed.added >= MANY_RECORDS;
        const pruned = isBusy ? undefined : await pruning.goOn(isFirst || sealed.checkpoint !== undefined);
        if (pruned !== undefined) await tell(on, pruned);
        const checkpoint = pruned ?? sealed.checkpoint;
        if (checkpoint !== undefined)
          signed({ folder: log.folder, origin: log.origin, key: log.key, size: log.state.size }, checkpoint);
        await pause(isBusy ? Math.max(BUSY_PAUSE_MS, fromMs + BUSY_LOOK_EVERY_MS - nowMs()) : LOOK_EVERY_MS, mine);
      }
    });
  } finally {
    await lock.release();
  }
}

/** Looks once, and lets the database and the other servers know how far it has come. */
export async function lookOnce(on: Copier, log: SealLog, sealer: Sealer, mine: AbortSignal): Promise<Sealed> {
  const sealed = await sealer.look(on, () => mine.throwIfAborted());
  if (sealed.added === 0 && sealed.checkpoint === undefined) return sealed;
  await keepProgress(on, log, sealed.checkpoint);
  if (sealed.checkpoint !== undefined) await tell(on, sealed.checkpoint);
  return sealed;
}

/** Tells all servers. Commits that tell wait for each other: this one does not wait for the disk, as what it tells is kept already. */
async function tell(on: Copier, checkpoint: string): Promise<void> {
  await on.query('begin; set local synchronous_commit = off');
  await on.query(`select pg_notify('${SEALS}', $1)`, [checkpoint]);
  await on.query('commit');
}
