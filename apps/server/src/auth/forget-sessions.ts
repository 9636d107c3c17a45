import { SESSION_IDLE_MS, SESSION_MAX_MS } from '../accounts/session-life.ts';
import type { Services } from '../services.ts';
import { endingSessions } from './sessions.ts';
import { sql } from '../db/sql.ts';

/** Kept for so long beyond its end: the clocks of several servers need not agree. */
const KEPT_MS = 24 * 60 * 60_000;
/** What has ended counts for a time limit on the day on which it was: kept beyond the longest one, with what clocks differ. */
const PAST_KEPT_MS = 24 * 60 * 60_000;
/** So many go at once. */
const MOST_ROWS = 1_000;

/**
 * Takes away sessions that ran out a day ago, when they were in use after two days, and what was noted of those that gave way to newer ones. Nobody could act by them any more,
 * and the log says what became of them. Gives whether there may be more. Another server that does the same is not waited for.
 */
export async function forgetSessions({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<boolean> {
  const before = (ageMs: number): Date => new Date(clock.now().getTime() - KEPT_MS - ageMs);
  return db.transaction(async (tx) => {
    const sessions = await tx.query(
      `${endingSessions(`s.token_hash = any(array(
         select token_hash from sessions where last_used_at < $1 or created_at < $2 limit $3 for update skip locked
       ))`)} select 1 from gone`,
      [before(SESSION_IDLE_MS), before(SESSION_MAX_MS), MOST_ROWS],
    );
    const past = await tx.query(
      sql`delete from past_sessions where token_hash = any(array(
         select token_hash from past_sessions where ended_at < ${before(PAST_KEPT_MS)} limit ${MOST_ROWS} for update skip locked
       )) returning 1`,
    );
    const replaced = await tx.query(
      sql`delete from replaced_sessions where token_hash = any(array(
         select token_hash from replaced_sessions where replaced_at < ${before(SESSION_MAX_MS)} limit ${MOST_ROWS} for update skip locked
       )) returning 1`,
    );
    return [sessions, past, replaced].some((gone) => gone.length === MOST_ROWS);
  });
}
