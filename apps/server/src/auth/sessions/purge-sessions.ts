import { SESSION_IDLE_MS, SESSION_MAX_MS } from '@drawhouse/contract/auth/auth';
import type { Services } from '../../platform/services.ts';
import { endingSessions } from './sessions.ts';
import { sql } from '../../platform/db/sql/sql.ts';

const RETENTION_MS = 24 * 60 * 60_000;
/** Time limits count a day's ended sessions, plus clock margin. */
const PAST_RETENTION_MS = 24 * 60 * 60_000;
const MOST_ROWS = 1_000;

/**
 * Keeps expired sessions for a day and usage for two. Returns true if more may remain. Skips rows locked by another
 * server.
 */
export async function purgeSessions({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<boolean> {
  const before = (ageMs: number): Date => new Date(clock.now().getTime() - RETENTION_MS - ageMs);
  return db.transaction(async (tx) => {
    const sessions = await tx.query(
      sql`${endingSessions(sql`s.token_hash = any(array(
         select token_hash from sessions where last_used_at < ${before(SESSION_IDLE_MS)} or created_at < ${before(SESSION_MAX_MS)}
         limit ${MOST_ROWS} for update skip locked
       ))`)} select 1 from gone`,
    );
    const past = await tx.query(
      sql`delete from past_sessions where token_hash = any(array(
         select token_hash from past_sessions where ended_at < ${before(PAST_RETENTION_MS)} limit ${MOST_ROWS} for update skip locked
       )) returning 1`,
    );
    const replaced = await tx.query(
      sql`delete from replaced_sessions where token_hash = any(array(
         select token_hash from replaced_sessions where replaced_at < ${before(SESSION_MAX_MS)} limit ${MOST_ROWS} for update skip locked
       )) returning 1`,
    );
    return [sessions, past, replaced].some((purged) => purged.length === MOST_ROWS);
  });
}
