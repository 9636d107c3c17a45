import { EVENT_NOTICES } from '@drawhouse/contract/notices/notices';
import type { FoundNotice, NoticeCode } from '@drawhouse/contract/notices/notices';
import type { Queryable, Tx } from '../../platform/db/database.ts';

/** A notice not found for this long is over; live servers renew it several times. */
const SILENT = "interval '60 seconds'";
/** Found close to an instant. Tolerates clocks ahead. */
const IS_HELD = `seen_at between $1::timestamptz - ${SILENT} and $1::timestamptz + ${SILENT}`;

export interface ActiveNotice {
  readonly since: Date;
  readonly found: FoundNotice;
}

export function aboutOf({ about, admin }: FoundNotice): string {
  return about ?? admin ?? '';
}

export async function recordNotices(tx: Tx, serverId: string, found: readonly FoundNotice[], now: Date): Promise<void> {
  const byKey = new Map(found.map((notice) => [`${notice.code} ${aboutOf(notice)}`, notice]));
  const rows = [...byKey.values()].map((notice) => ({ code: notice.code, about: aboutOf(notice), found: notice }));
  await tx.query(
    `insert into held_notices (code, about, since, seen_at, server_id, found)
     select code, about, coalesce((found ->> 'since')::timestamptz, $1), $1, $2, found
     from json_to_recordset($3) as f (code text, about text, found json) order by code, about
     on conflict (code, about) do update set seen_at = excluded.seen_at, server_id = excluded.server_id, found = excluded.found`,
    [now, serverId, JSON.stringify(rows)],
    'notices-hold',
  );
  await tx.query(`delete from held_notices where not (${IS_HELD})`, [now], 'notices-forget');
}

export async function readActive(on: Queryable, now: Date): Promise<(ActiveNotice & { readonly serverId: string })[]> {
  return on.query<ActiveNotice & { serverId: string }>(
    `select since, found, server_id as "serverId" from held_notices where ${IS_HELD} order by since, code, about`,
    [now],
    'notices-held',
  );
}

/** Active kinds with their earliest start; newest for events. */
export async function readHeldKinds(tx: Tx, now: Date): Promise<ReadonlyMap<NoticeCode, Date>> {
  const rows = await tx.query<{ code: NoticeCode; since: Date }>(
    `select code, case when code = any($2) then max(since) else min(since) end as since
     from held_notices where ${IS_HELD} group by code order by code`,
    [now, [...EVENT_NOTICES]],
    'notices-held-kinds',
  );
  return new Map(rows.map(({ code, since }) => [code, since]));
}
