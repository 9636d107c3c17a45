import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/**
 * Counts this minute as signed-in time for players with bets by programs. Programs have no session, so bets would
 * otherwise bypass time limits. Idempotent per minute.
 */
export async function noteProgramPlay(tx: Tx, accountIds: readonly string[], at: Date): Promise<void> {
  await tx.query(
    sql`insert into past_sessions (began_at, ended_at, account_id, token_hash)
     select minute, minute + interval '1 minute', id, sha256(convert_to('program ' || id || ' ' || extract(epoch from minute), 'UTF8'))
     from date_trunc('minute', ${at}::timestamptz) as minute cross join unnest(${[...accountIds]}::uuid[]) as players (id)
     on conflict do nothing`.named('program-play'),
  );
}
