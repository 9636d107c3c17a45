import type { Activity, Change } from '@drawhouse/contract/activity';
import { sql } from 'kysely';
import type { Queryable } from '../db/database.ts';
import { run } from '../db/sql.ts';
import { CallError } from '../http/errors.ts';
import { explainDetail, idsNamed } from './explain-detail.ts';
import { logBelow } from './log-below.ts';
import { LOG_ROW, toActivity } from './log-source.ts';
import type { LogRow } from './log-source.ts';
import type { Author } from './run-command.ts';

/** A row of the log that the actor sees, with what was before and what was then. Throws NOT_FOUND. */
export async function readEntry(on: Queryable, actor: Author, id: string): Promise<Activity & { changes: Change[] }> {
  const [row] = await run<LogRow & { detail: Record<string, unknown> | null }>(
    on,
    sql`select ${LOG_ROW}, l.detail from activity l where l.id = ${id} and ${logBelow(actor)}`,
  );
  if (!row) throw new CallError('NOT_FOUND', { message: 'There is no such entry in the log.' });
  const named = await on.query<{ id: string; name: string }>(
    `select id::text, username as name from accounts where id::text = any($1::text[])
     union all select game_key, name from games where game_key = any($1::text[])`,
    [idsNamed(row.detail)],
  );
  return {
    ...toActivity(row),
    changes: explainDetail(row.detail, new Map(named.map((each) => [each.id, each.name]))),
  };
}
