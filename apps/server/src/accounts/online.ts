import { pieceOf, sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { SESSION_IDLE_MS, SESSION_MAX_MS } from './session-life.ts';

/** Whoever has made a call is online for so long after it: 2 minutes. */
const ONLINE_AFTER_CALL_MS = 2 * 60_000;

/** A server that has not said for so long that it is there has no open sockets any more. */
export const SERVER_SILENT_MS: number = 60_000;

/**
 * What makes an account online, the one place that says it: a session `s` that lasts, by which a call came in the last 2 minutes or a
 * socket is open on any server. `at` is the placeholder of the present time.
 */
const isInUse = (at: string): string => `
  s.created_at > ${at}::timestamptz - interval '${SESSION_MAX_MS} ms'
  and s.last_used_at > ${at}::timestamptz - interval '${SESSION_IDLE_MS} ms'
  and (s.last_used_at > ${at}::timestamptz - interval '${ONLINE_AFTER_CALL_MS} ms'
       or exists (select from open_sockets o join servers v on v.id = o.server_id
                  where o.token_hash = s.token_hash and v.seen_at > ${at}::timestamptz - interval '${SERVER_SILENT_MS} ms'))`;

/** Whether the account named by `alias` is online; `at` is the placeholder of the present time. */
export function isOnline(alias: string, at: string): string {
  return `exists (select from sessions s where s.account_id = ${alias}.id and ${isInUse(at)})`;
}

/** The accounts that are online, by `account_id`, each once. */
export function onlineAccounts(at: Date): Sql {
  return sql`(select distinct s.account_id from sessions s where ${pieceOf(isInUse('$1'), at)})`;
}
