import type { Work } from '../../activity/network-work/network-work.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { BACKUP_TEXTS } from '../backup-texts.ts';
import { until } from '../restore/audit-and-swap.ts';

export interface WatchedCell {
  readonly name: string;
  readonly db: Queryable;
}

export interface CellWatch {
  readonly everyMs: number;
  /** A cell that is silent for longer ends the move. */
  readonly silentMs: number;
  /** Shows a sentence to the operator. */
  readonly say: (sentence: string) => void;
}

export const USUAL_WATCH: CellWatch = { everyMs: 2_000, silentMs: 15_000, say: () => {} };

/**
 * Polls both cells while `act` runs. A hanging PostgreSQL keeps its connections, so statements would wait for minutes
 * while the network is closed. Throws NOT_READY with the step if a cell stays silent.
 */
export async function watchCells<T>(
  cells: readonly WatchedCell[],
  work: Work,
  watch: CellWatch,
  act: (work: Work) => Promise<T>,
): Promise<T> {
  let step = '';
  const silent = new AbortController();
  const signal = AbortSignal.any([work.signal, silent.signal]);
  const progress: Work['progress'] = (next, done, total) => {
    step = next;
    work.progress(next, done, total);
  };
  const timers = cells.map(({ name, db }) => {
    let heardMs = performance.now();
    let [isAsking, isTold] = [false, false];
    return setInterval(() => {
      const silentMs = performance.now() - heardMs;
      if (silentMs > watch.silentMs)
        silent.abort(new CallError('NOT_READY', { message: BACKUP_TEXTS.cellSilent(name, step) }));
      else if (silentMs > watch.silentMs / 3 && !isTold) {
        isTold = true;
        watch.say(BACKUP_TEXTS.cellWaits(name, step));
      }
      if (isAsking) return;
      isAsking = true;
      void db
        .query(sql`select 1`)
        .then(
          () => ([heardMs, isTold] = [performance.now(), false]),
          () => {},
        )
        .finally(() => (isAsking = false));
    }, watch.everyMs);
  });
  try {
    return await until(signal, () => act({ signal, progress }));
  } finally {
    for (const timer of timers) clearInterval(timer);
  }
}
