import { EVENT_NOTICES } from '@drawhouse/contract/notices/notices';
import type { FoundNotice, NoticeCode } from '@drawhouse/contract/notices/notices';
import type { Queryable, Tx } from '../db/database.ts';

/** What nobody has found for so long is over: a server that is there finds it several times meanwhile. */
const SILENT = "interval '60 seconds'";
/** What was found within this time of an instant; a clock that was ahead may have put it after that. */
const IS_HELD = `seen_at between $1::timestamptz - ${SILENT} and $1::timestamptz + ${SILENT}`;

/** A notice that holds, and since when. */
export interface HeldNotice {
  readonly since: Date;
  readonly found: FoundNotice;
}

/** What tells a notice from others of its code. */
export function aboutOf({ about, admin }: FoundNotice): string {
  return about ?? admin ?? '';
}

/** Notes what a server has found at an instant, and forgets what nobody finds any more. */
export async function holdNotices(tx: Tx, serverId: string, found: readonly FoundNotice[], now: Date): Promise<void> {
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

/** What holds at an instant. */
export async function readHeld(on: Queryable, now: Date): Promise<(HeldNotice & { readonly serverId: string })[]> {
  return on.query<HeldNotice & { serverId: string }>(
    `select since, found, server_id as "serverId" from held_notices where ${IS_HELD} order by since, code, about`,
    [now],
    'notices-held',
  );
}

/** The kinds of notices that hold, each since the first of it does; of events since the newest. */
export async function readHeldKinds(tx: Tx, now: Date): Promise<ReadonlyMap<NoticeCode, Date>> {
  const rows = await tx.query<{ code: NoticeCode; since: Date }>(
    `select code, case when code = any($2) then max(since) else min(since) end as since
     from held_notices where ${IS_HELD} group by code order by code`,
    [now, [...EVENT_NOTICES]],
    'notices-held-kinds',
  );
  return new Map(rows.map(({ code, since }) => [code, since]));
}
