import { SESSION_IDLE_MS, SESSION_MAX_MS } from '../accounts/session-life.ts';
import type { Services } from '../services.ts';

/** Kept for so long beyond its end: the clocks of several servers need not agree. */
const KEPT_MS = 24 * 60 * 60_000;
/** So many go at once. */
const MOST_ROWS = 1_000;

/**
 * Takes away sessions that ran out a day ago, and what was noted of those that gave way to newer ones. Nobody could act by them any more,
 * and the log says what became of them. Gives whether there may be more. Another server that does the same is not waited for.
 */
export async function forgetSessions({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<boolean> {
  const before = (ageMs: number): Date => new Date(clock.now().getTime() - KEPT_MS - ageMs);
  return db.transaction(async (tx) => {
    const sessions = await tx.query(
      `delete from sessions where token_hash = any(array(
         select token_hash from sessions where last_used_at < $1 or created_at < $2 limit $3 for update skip locked
       )) returning 1`,
      [before(SESSION_IDLE_MS), before(SESSION_MAX_MS), MOST_ROWS],
    );
    const replaced = await tx.query(
      `delete from replaced_sessions where token_hash = any(array(
         select token_hash from replaced_sessions where replaced_at < $1 limit $2 for update skip locked
       )) returning 1`,
      [before(SESSION_MAX_MS), MOST_ROWS],
    );
    return sessions.length === MOST_ROWS || replaced.length === MOST_ROWS;
  });
}
