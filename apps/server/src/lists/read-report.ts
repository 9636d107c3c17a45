import type { Services } from '../db/services.ts';
import type { Reader } from '../db/database.ts';
import { REPORT } from '../db/database.ts';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import { CallError } from '../http/errors.ts';
import type { Call } from '../http/handler.ts';
import { limited } from '../slots.ts';
import type { Asking } from './source.ts';

/** So many reports of one caller are read at a time: nobody's slow ones take the connections of all. */
const EACH = 2;
/** PostgreSQL stopped a statement, by its own clock. */
const STOPPED = '57014';

const turns = new Map<string, { run: <T>(work: () => Promise<T>) => Promise<T>; users: number }>();

/**
 * Reads for a page that somebody waits for. After `mostMs` from its beginning it is stopped, in PostgreSQL too, and throws
 * REPORT_STOPPED; and it is stopped when its client goes away.
 */
export async function readReport<C extends Asking, T>(
  { db }: Services,
  { actor, gone }: Call<C>,
  read: (on: Reader) => Promise<T>,
  mostMs: number = REPORT.statementMs,
): Promise<T> {
  const refusal = new CallError('REPORT_STOPPED', { message: stoppedAfter(mostMs) });
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(refusal), mostMs);
  try {
    return await inTurn(actor.id, () => read(db.reports.until(AbortSignal.any([gone, late.signal]))));
  } catch (error) {
    const { code } = (error instanceof DatabaseUnavailable ? error.cause : {}) as { code?: string };
    throw code === STOPPED ? refusal : error;
  } finally {
    clearTimeout(timer);
  }
}

async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const turn = turns.get(key) ?? { run: limited(EACH), users: 0 };
  turns.set(key, turn);
  turn.users++;
  try {
    return await turn.run(work);
  } finally {
    if (--turn.users === 0) turns.delete(key);
  }
}

function stoppedAfter(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `This took longer than ${seconds === 1 ? 'a second' : `${seconds} seconds`}, so it was stopped. Ask for less, such as a shorter period.`;
}
