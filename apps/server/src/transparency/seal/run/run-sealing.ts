import { copierOn, type Copier } from '../../../platform/db/sql/copy-rows.ts';
import { acquireNamedLock } from '../../../platform/db/connection/hold-lock.ts';
import { withDedicatedConnections } from '../../../platform/db/connection/dedicated-connections.ts';
import { isLocked } from '../../../platform/db/connection/unavailable.ts';
import { openNewestLog, type SealsPlace } from '../open-newest-log.ts';
import { TEXT_SETTINGS } from '@drawhouse/rules/records/sealed-records';
import type { SealLog } from '../seal-log.ts';
import { keepProgress } from '../seal-progress.ts';
import { Pruning } from '../../prune/prune-cleared.ts';
import { Sealer, type Sealed } from './sealer.ts';
import type { LogFiles } from '../../witness/co-sign.ts';
import { sql } from '../../../platform/db/sql/sql.ts';
import { SEAL_TEXTS } from '../../transparency-texts.ts';

/** Between passes; bounds the sealing delay. */
const POLL_EVERY_MS = 500;
/** Under load, start to start: fixed costs would compete with betting. */
const BUSY_POLL_EVERY_MS = 1_000;
const MANY_RECORDS = 1_000;
const BUSY_PAUSE_MS = 100;
const TRY_AGAIN_MS = 2_000;
/** Also the notification channel for checkpoints. */
export const SEALS = 'drawhouse_seals';

export interface SealingOptions {
  readonly connectionString: () => Promise<string>;
  readonly place: SealsPlace;
  readonly nowMs: () => number;
  readonly lockMs: number;
  /** Resolves early on abort; never throws. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly trouble: (error: Error | undefined) => void;
  readonly unlogged: (changes: number) => void;
  readonly unpruned: (error: Error) => void;
  readonly signed: (log: LogFiles, checkpoint: string) => void;
}

/** Only one server is active; another takes over when it dies. */
export async function runSealing(options: SealingOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await sealWhileMine(options, signal);
    } catch (error) {
      if (!signal.aborted)
        options.trouble(isLocked(error) ? new Error(SEAL_TEXTS.blocked, { cause: error }) : (error as Error));
    }
    await options.pause(TRY_AGAIN_MS, signal);
  }
}

async function sealWhileMine(options: SealingOptions, signal: AbortSignal): Promise<void> {
  const { place, nowMs, lockMs, trouble, unlogged, unpruned: failed, signed, pause } = options;
  const connectionString = await options.connectionString();
  const lock = await acquireNamedLock(connectionString, SEALS);
  if (!lock) return trouble(undefined);
  const mine = AbortSignal.any([signal, lock.lost]);
  try {
    await withDedicatedConnections(connectionString, 1, mine, async ([client]) => {
      const on = copierOn(client!);
      // New rows are contiguous, so bitmap scans only cost time.
      await on.query(
        sql`${sql.raw(TEXT_SETTINGS)}; set lock_timeout = ${sql.lit(lockMs)}; set enable_bitmapscan = off`,
      );
      const log = await openNewestLog(on, place);
      const sealer = new Sealer(log, nowMs);
      const isMine = (): void => mine.throwIfAborted();
      const pruning = new Pruning({ on, log, nowMs, isMine, failed });
      for (let isFirst = true; !mine.aborted; isFirst = false) {
        const fromMs = nowMs();
        const sealed = await sealOnce(on, log, sealer, mine);
        // Only a completed pass proves recovery.
        if (isFirst) trouble(undefined);
        if (sealed.unlogged > 0) unlogged(sealed.unlogged);
        const isBusy = sealed.added >= MANY_RECORDS;
        const pruned = isBusy ? undefined : await pruning.goOn(isFirst || sealed.checkpoint !== undefined);
        if (pruned !== undefined) await publish(on, pruned);
        const checkpoint = pruned ?? sealed.checkpoint;
        if (checkpoint !== undefined)
          signed({ folder: log.folder, origin: log.origin, key: log.key, size: log.state.size }, checkpoint);
        await pause(isBusy ? Math.max(BUSY_PAUSE_MS, fromMs + BUSY_POLL_EVERY_MS - nowMs()) : POLL_EVERY_MS, mine);
      }
    });
  } finally {
    await lock.release();
  }
}

export async function sealOnce(on: Copier, log: SealLog, sealer: Sealer, mine: AbortSignal): Promise<Sealed> {
  const sealed = await sealer.look(on, () => mine.throwIfAborted());
  if (sealed.added === 0 && sealed.checkpoint === undefined) return sealed;
  await keepProgress(on, log, sealed.checkpoint);
  if (sealed.checkpoint !== undefined) await publish(on, sealed.checkpoint);
  return sealed;
}

/** PostgreSQL serializes notifying commits. The checkpoint is already stored, so this one skips the flush. */
async function publish(on: Copier, checkpoint: string): Promise<void> {
  await on.query(sql`begin; set local synchronous_commit = off`);
  await on.query(sql`select pg_notify('${sql.raw(SEALS)}', ${checkpoint})`);
  await on.query(sql`commit`);
}
