import type { Activity, Change } from '@drawhouse/contract/activity/activity';
import type { Queryable } from '../platform/db/database.ts';
import { idsAmong } from '../platform/db/sql/name-uuid.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { explainDetail } from './explain-detail.ts';
import { logBelow, openingsBelow } from './log-below.ts';
import { LOG_ROW, toActivity } from './log-source.ts';
import type { LogRow } from './log-source.ts';
import type { Author } from './run-command.ts';
import { oneNetworkOf, overNetworks } from '../platform/db/over-networks.ts';

export async function readEntry(on: Queryable, actor: Author, id: string): Promise<Activity & { changes: Change[] }> {
  const one = oneNetworkOf(actor);
  const ofOwn = one === undefined ? sql`` : sql`l.network_id = ${one} and`;
  const [row] = await on.query<LogRow & { detail: Record<string, unknown> | null }>(
    sql`select ${LOG_ROW}, l.detail from activity l where ${ofOwn} l.id = ${id} and (${logBelow(actor)} or ${openingsBelow(actor)})`,
  );
  if (!row) throw new CallError('NOT_FOUND', { message: 'There is no such entry in the log.' });
  return { ...toActivity(row), changes: explainDetail(row.detail) };
}

export async function foreignEntries(on: Queryable, actor: Author, names: readonly string[]): Promise<string[]> {
  const rows = await on.query<{
    id: string;
  }>(sql`select l.id from activity_heads h join networks n on n.id = h.network_id join activity l on l.network_id = h.network_id and l.id = any(${idsAmong(names)}::uuid[])
        where (${logBelow(actor)}) is not true ${sql.raw(overNetworks('named'))}`);
  return rows.map((row) => row.id);
}
