import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/**
 * Notes that programs laid bets for players at an instant: that minute counts as time signed in. A program has no session, and without this a player with a
 * limit on time could play on by one. A minute counts once, however many bets it has.
 */
export async function noteProgramPlay(tx: Tx, accountIds: readonly string[], at: Date): Promise<void> {
  await tx.query(
    sql`insert into past_sessions (began_at, ended_at, account_id, token_hash)
     select minute, minute + interval '1 minute', id, sha256(convert_to('program ' || id || ' ' || extract(epoch from minute), 'UTF8'))
     from date_trunc('minute', ${at}::timestamptz) as minute cross join unnest(${[...accountIds]}::uuid[]) as players (id)
     on conflict do nothing`.named('program-play'),
  );
}
