import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../apps/server/src/platform/db/database.ts';

/** Applies from the next draw on. Run as table owner, it bypasses the calls' limits. */
export function intervalStatements(gameKey: string, seconds: number): readonly string[] {
  return [
    `insert into times (id, seconds) values ('${randomUUID()}', ${seconds}) on conflict (seconds) do nothing`,
    `update game_times set time_id = (select id from times where seconds = ${seconds})
     where position = 1 and game_id = (select id from games where game_key = '${gameKey}')`,
  ];
}

/** Use this only on unsealed databases. Bypasses triggers, so the audit accepts the interval as original. */
export async function setDrawInterval(on: Queryable, gameKey: string, seconds: number): Promise<void> {
  const statements = [
    'set local session_replication_role = replica',
    ...intervalStatements(gameKey, seconds),
    `update times set written_by = '3' where seconds = ${seconds}`,
    'set local session_replication_role = origin',
  ];
  await on.query(statements.join(';\n'));
}
