import type { Services } from '../services.ts';
import type { Reader } from '../db/database.ts';
import type { Freshness } from '@drawhouse/contract/core/list';
import { REPORT_TIMEOUTS } from '../db/connection/timeouts.ts';
import { isStopped } from '../db/connection/unavailable.ts';
import { CallError } from '../http/http-errors.ts';
import type { Call } from '../http/handler.ts';
import { createSemaphore } from '../time/semaphore.ts';
import { chooseReader, mayAskPrimary, type ReportServices } from './choose-reader.ts';
import type { ListCaller } from './list-source.ts';
import { HTTP_TEXTS } from '../http/http-texts.ts';

/** Concurrent reports and file statements per caller, so slow ones cannot exhaust the pool. */
const EACH = 2;

const turns = new Map<string, { run: <T>(work: () => Promise<T>) => Promise<T>; users: number }>();

/**
 * Cancels in PostgreSQL after `mostMs`, throwing REPORT_STOPPED, or when the client disconnects. Reports with a standby
 * read there, and from the primary if it fails.
 */
export async function readReport<C extends ListCaller, T>(
  services: ReportServices,
  { actor, aborted }: Call<C>,
  read: (on: Reader, freshness: Freshness | undefined) => Promise<T>,
  mostMs: number = REPORT_TIMEOUTS.statementMs,
): Promise<T> {
  const refusal = new CallError('REPORT_STOPPED', { message: stoppedAfter(mostMs) });
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(refusal), mostMs);
  try {
    const signal = AbortSignal.any([aborted, late.signal]);
    return await inTurn(actor.id, async () => {
      const { db, freshness } = await chooseReader(services);
      try {
        return await read(db.reports.until(signal), freshness);
      } catch (error) {
        if (db === services.db || !mayAskPrimary(error)) throw error;
        const asOf = services.clock.now().toISOString();
        return await read(services.db.reports.until(signal), { from: 'primary', asOf });
      }
    });
  } catch (error) {
    throw isStopped(error) ? refusal : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Separate connections; statements queue with the caller's other files. Stops when the client disconnects. */
export function fileReader<C extends ListCaller>({ db }: Pick<Services, 'db'>, { actor, aborted }: Call<C>): Reader {
  const on = db.patient.until(aborted);
  const turn = `file ${actor.id}`;
  return {
    query: (text, values, name) => inTurn(turn, () => on.query(text, values, name)),
    snapshot: (read) => inTurn(turn, () => on.snapshot(read)),
  };
}

async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const turn = turns.get(key) ?? { run: createSemaphore(EACH).run, users: 0 };
  turns.set(key, turn);
  turn.users++;
  try {
    return await turn.run(work);
  } finally {
    if (--turn.users === 0) turns.delete(key);
  }
}

function stoppedAfter(ms: number): string {
  return HTTP_TEXTS.tookTooLong(Math.round(ms / 1000));
}
