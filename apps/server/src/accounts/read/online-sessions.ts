import { SESSION_IDLE_MS, SESSION_MAX_MS } from '@drawhouse/contract/auth/auth';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';

const ONLINE_AFTER_CALL_MS = 2 * 60_000;

/** After this silence, a server's sockets count as closed. */
export const SERVER_SILENT_MS: number = 60_000;

/** Unexpired, with a call in the last 2 minutes or an open socket on any server. */
const isInUse = (at: Date): Sql => sql`
  s.created_at > ${at}::timestamptz - interval '${sql.lit(SESSION_MAX_MS)} ms'
  and s.last_used_at > ${at}::timestamptz - interval '${sql.lit(SESSION_IDLE_MS)} ms'
  and (s.last_used_at > ${at}::timestamptz - interval '${sql.lit(ONLINE_AFTER_CALL_MS)} ms'
       or exists (select from open_sockets o join servers v on v.id = o.server_id
                  where o.token_hash = s.token_hash and v.seen_at > ${at}::timestamptz - interval '${sql.lit(SERVER_SILENT_MS)} ms'))`;

export function isOnline(alias: string, at: Date): Sql {
  return sql`exists (select from sessions s where s.account_id = ${sql.raw(alias)}.id and ${isInUse(at)})`;
}

export function onlineAccounts(at: Date): Sql {
  return sql`(select distinct s.account_id from sessions s where ${isInUse(at)})`;
}
