import { randomUUID } from 'node:crypto';
import type { Queryable } from '../apps/server/src/db/database.ts';

/** Sets how long the draws of a game last, in seconds, from the next one on: as the owner of the tables, also where the calls would refuse it. */
export async function setDrawInterval(on: Queryable, gameKey: string, seconds: number): Promise<void> {
  await on.query('insert into times (id, seconds) values ($1, $2) on conflict (seconds) do nothing', [
    randomUUID(),
    seconds,
  ]);
  await on.query(
    `update game_times set time_id = (select id from times where seconds = $2)
     where position = 1 and game_id = (select id from games where game_key = $1)`,
    [gameKey, seconds],
  );
}
