import { randomUUID } from 'node:crypto';
import type { Queryable } from '../apps/server/src/db/database.ts';

/**
 * Sets how long the draws of a game last, in seconds, from the next one on: as the owner of the tables, also where the calls would refuse it. It is as if it had been so before
 * there was a log: the audit would find it else.
 */
export async function setDrawInterval(on: Queryable, gameKey: string, seconds: number): Promise<void> {
  await on.query(
    `set local session_replication_role = replica;
     insert into times (id, seconds, written_by) values ('${randomUUID()}', ${seconds}, '3') on conflict (seconds) do nothing;
     update game_times set time_id = (select id from times where seconds = ${seconds})
     where position = 1 and game_id = (select id from games where game_key = '${gameKey}');
     set local session_replication_role = origin`,
  );
}
