import type { Freshness } from '@drawhouse/contract/core/list';
import type { Services } from '../services.ts';
import type { Database, Reader } from '../db/database.ts';
import { REPORT_TIMEOUTS } from '../db/connection/timeouts.ts';
import { DatabaseUnavailable, isStopped } from '../db/connection/unavailable.ts';
import { CallError } from '../http/http-errors.ts';
import type { Call } from '../http/handler.ts';
import { createSemaphore } from '../time/semaphore.ts';
import type { ListCaller } from './list-source.ts';
import { HTTP_TEXTS } from '../http/http-texts.ts';
import { sql } from '../db/sql/sql.ts';

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

export interface ReportServices extends Services {
  readonly standby?: Database | undefined;
}

interface ChosenReader {
  readonly db: Database;
  /** Undefined without a standby. */
  readonly freshness: Freshness | undefined;
}

const MAX_LAG_MS = 30_000;

/** The standby if it answers and is at most half a minute behind, else the primary. */
export async function chooseReader({ db, standby, clock }: ReportServices): Promise<ChosenReader> {
  if (!standby) return { db, freshness: undefined };
  const now = clock.now();
  const asOf = await readAsOf(db, standby, now).catch((error: unknown) => {
    if (error instanceof DatabaseUnavailable) return undefined;
    throw error;
  });
  return asOf !== undefined && now.getTime() - asOf.getTime() <= MAX_LAG_MS
    ? { db: standby, freshness: { from: 'standby', asOf: asOf.toISOString() } }
    : { db, freshness: { from: 'primary', asOf: now.toISOString() } };
}

/** Compares positions in the WAL, because an idle primary gives a standby no newer time. */
async function readAsOf(db: Database, standby: Database, now: Date): Promise<Date | undefined> {
  const [primary] = await db.query<{ position: string }>(sql`select pg_current_wal_lsn()::text as position`);
  const [row] = await standby.query<{ isCurrent: boolean; at: Date | null }>(
    sql`select pg_last_xact_replay_timestamp() as at,
      case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end
        >= ${primary!.position}::pg_lsn as "isCurrent"`,
  );
  return row!.isCurrent ? now : (row!.at ?? undefined);
}

function mayAskPrimary(error: unknown): boolean {
  const conflict = (error as { code?: string } | undefined)?.code === '40001';
  return conflict || (error instanceof DatabaseUnavailable && !error.refused);
}
