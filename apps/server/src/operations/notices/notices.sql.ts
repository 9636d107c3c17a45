import { EVENT_NOTICES } from '@drawhouse/contract/notices/notice-texts';
import { NOTICE_HISTORY_DAYS } from '@drawhouse/contract/notices/notice-history';
import type { FoundNotice, NoticeCode } from '@drawhouse/contract/notices/notices';
import type { Actor } from '../../accounts/authority.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { Services } from '../../platform/services.ts';

export type MessageType = 'began' | 'ended' | 'test';

export interface NewMessage {
  readonly id: string;
  readonly type: MessageType;
  readonly code: string;
  readonly body: string;
}

export interface LastMessage {
  readonly code: string;
  readonly type: MessageType;
  /** Last `began` message. Null once deleted. */
  readonly began: { readonly at: Date; readonly body: string; readonly gaveUp: boolean } | null;
}

export interface LeasedMessage {
  readonly id: string;
  readonly type: MessageType;
  readonly code: string;
  readonly body: string;
  readonly tries: number;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** The last value repeats. The first exceeds an attempt's duration. */
const WAITS_MS = [15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS];
/** Attempts span about half a day. */
const TRIES_MAX = 15;
/** After this many attempts, some minutes, the webhook counts as silent. */
const TRIES_OF_SILENCE = 4;
/** Keeps the last message per kind. */
const RETENTION_MS = 30 * 24 * HOUR_MS;

export const TEST_EVERY_SECONDS = 10;

/** Sent as soon as possible, unless `isSent` is false. */
export async function addMessage(on: Queryable, message: NewMessage, now: Date, isSent: boolean): Promise<void> {
  await on.query(
    sql`insert into notice_messages (id, type, code, body, made_at, next_try_at)
      values (${message.id}, ${message.type}, ${message.code}, ${message.body}, ${now}, ${isSent ? now : null})`.named(
      'notices-message-add',
    ),
  );
}

export async function readLastMessages(tx: Tx): Promise<LastMessage[]> {
  const rows = await tx.query<Pick<LastMessage, 'code' | 'type'> & { at: Date | null; body: string; gave_up: boolean }>(
    sql`select last.code, last.type, began.made_at as at, began.body, began.answered_at is null and began.next_try_at is null as gave_up
     from (select distinct on (code) code, type from notice_messages where type <> 'test' order by code, made_at desc, id desc) as last
     left join lateral (select * from notice_messages m where m.code = last.code and m.type = 'began'
       order by made_at desc, id desc limit 1) as began on true`.named('notices-last-said'),
  );
  return rows.map(({ code, type, at, body, gave_up: gaveUp }) => ({ code, type, began: at && { at, body, gaveUp } }));
}

/**
 * Keeps the order of each kind, so an end never precedes its beginning. If a server dies, another retries after the
 * lease.
 */
export async function leaseMessage(on: Queryable, now: Date): Promise<LeasedMessage | undefined> {
  const [taken] = await on.query<LeasedMessage>(
    sql`update notice_messages set tries = tries + 1, tried_at = ${now},
       next_try_at = ${now}::timestamptz + (${WAITS_MS}::int[])[least(tries + 1, ${WAITS_MS.length})] * interval '1 ms'
     where id = (
       select id from notice_messages m
       -- A fast clock scheduled the next try too late.
       where (next_try_at <= ${now} or next_try_at > ${now}::timestamptz + interval '2 hours')
         and not exists (select from notice_messages e where e.code = m.code and e.made_at < m.made_at and e.next_try_at is not null)
       order by next_try_at, id limit 1 for update skip locked)
     returning id, type, code, body, tries`.named('notices-message-take'),
  );
  return taken;
}

/** The receiver responds again, so waiting messages are due. */
export async function noteAnswered(on: Queryable, id: string, now: Date): Promise<void> {
  await on.query(
    sql`update notice_messages set answered_at = case when id = ${id} then ${now}::timestamptz end, next_try_at = case
      when id = ${id} then null else ${now}::timestamptz end
     where id = ${id} or next_try_at > ${now}`.named('notices-message-answered'),
  );
}

/** Returns true if the message is given up. */
export async function reportNoAnswer(
  on: Queryable,
  { id, tries }: Pick<LeasedMessage, 'id' | 'tries'>,
): Promise<boolean> {
  if (tries < TRIES_MAX) return false;
  await on.query(sql`update notice_messages set next_try_at = null where id = ${id}`.named('notices-message-give-up'));
  return true;
}

/** Returns false too soon after another test. */
export async function addTest(
  on: Queryable,
  { id, body }: Pick<NewMessage, 'id' | 'body'>,
  now: Date,
): Promise<boolean> {
  const added = await on.query(
    sql`insert into notice_messages (id, type, code, body, made_at, tried_at, tries)
     select ${id}, 'test', '', ${body}, ${now}::timestamptz, ${now}::timestamptz, 1 where not exists (
       select from notice_messages
         where type = 'test' and made_at <= ${now} and made_at > ${now}::timestamptz - ${TEST_EVERY_SECONDS}::int * interval '1 second')
     returning id`.named('notices-test-add'),
  );
  return added.length > 0;
}

/** Undefined if the webhook answers or is untried. Null: it never answered. */
export async function readSilence(on: Queryable): Promise<{ readonly lastAnsweredAt: Date | null } | undefined> {
  const [silence] = await on.query<{ lastAnsweredAt: Date | null }>(
    sql`with answered as (select max(answered_at) as at from notice_messages)
     select at as "lastAnsweredAt" from answered where exists (
       select from notice_messages where answered_at is null and tries >= ${sql.lit(TRIES_OF_SILENCE)}
         and tried_at > coalesce(at, '-infinity'))`.named('notices-silence'),
  );
  return silence;
}

export async function forgetMessages(on: Queryable, now: Date): Promise<void> {
  await on.query(
    sql`delete from notice_messages m where made_at < ${new Date(now.getTime() - RETENTION_MS)} and next_try_at is null
       and (type = 'test' or exists (select from notice_messages l where l.code = m.code and l.made_at > m.made_at))`,
  );
}

/** Live servers renew a notice several times within this. */
const SILENT = sql.raw("interval '60 seconds'");
const DAY_MS = 24 * HOUR_MS;

/** Tolerates clocks ahead. */
function isHeld(now: Date): Sql {
  return sql`ended_at is null and seen_at between ${now}::timestamptz - ${SILENT} and ${now}::timestamptz + ${SILENT}`;
}

export interface ActiveNotice {
  readonly since: Date;
  readonly found: FoundNotice;
}

/** Distinguishes the notices of one kind. */
export function keyOf({ about, admin, day }: FoundNotice): string {
  return [admin, about, day].filter((part) => part !== undefined).join(': ');
}

export async function recordNotices(
  tx: Tx,
  { newId }: Pick<Services, 'newId'>,
  serverId: string,
  found: readonly FoundNotice[],
  now: Date,
): Promise<void> {
  const byKey = new Map(found.map((notice) => [`${notice.code} ${keyOf(notice)}`, notice]));
  const rows = [...byKey.values()].map((notice) => ({
    id: newId(),
    code: notice.code,
    key: keyOf(notice),
    admin: notice.admin,
    found: notice,
  }));
  await tx.query(
    sql`update held_notices set ended_at = seen_at where ended_at is null and not (${isHeld(now)})`.named(
      'notices-end',
    ),
  );
  await tx.query(
    sql`insert into held_notices (id, code, key, admin_id, since, seen_at, server_id, found)
        select f.id, f.code, f.key, a.id, coalesce((f.found ->> 'since')::timestamptz, ${now}), ${now}, ${serverId}, f.found
        from json_to_recordset(${JSON.stringify(rows)}::json) as f (id uuid, code text, key text, admin text, found json)
        left join accounts a on a.username = f.admin and a.role = 'admin' and a.deleted_at is null order by f.code, f.key
        on conflict (code, key) where ended_at is null
        do update set seen_at = excluded.seen_at, server_id = excluded.server_id, found = excluded.found`.named(
      'notices-hold',
    ),
  );
}

export async function readActive(on: Queryable, now: Date): Promise<(ActiveNotice & { readonly serverId: string })[]> {
  return on.query<ActiveNotice & { serverId: string }>(
    sql`select since, found, server_id as "serverId" from held_notices where ${isHeld(now)} order by since, code, key`.named(
      'notices-held',
    ),
  );
}

/** Returns the earliest start; the newest for events. */
export async function readHeldKinds(tx: Tx, now: Date): Promise<ReadonlyMap<NoticeCode, Date>> {
  const rows = await tx.query<{ code: NoticeCode; since: Date }>(
    sql`select code, case when code = any(${[...EVENT_NOTICES]}) then max(since) else min(since) end as since
        from held_notices where ${isHeld(now)} group by code order by code`.named('notices-held-kinds'),
  );
  return new Map(rows.map(({ code, since }) => [code, since]));
}

export async function deleteOldNotices(on: Queryable, now: Date): Promise<void> {
  const before = new Date(now.getTime() - NOTICE_HISTORY_DAYS * DAY_MS);
  await on.query(sql`delete from held_notices where ended_at < ${before}`);
  await on.query(sql`delete from notice_marks where at < ${before}`);
}

/** Acknowledged (`until` null) or snoozed. */
export interface NoticeMark {
  readonly code: NoticeCode | typeof OWN_MARK.code;
  readonly key: string;
  readonly at: Date;
  readonly until: Date | null;
}

/** The mark of a person's own notices: those up to its time are read. */
export const OWN_MARK = { code: 'OWN', key: '' } as const;

type Person = Pick<Actor, 'id' | 'login'>;

export async function readMarks(on: Queryable, { id, login }: Person): Promise<NoticeMark[]> {
  return on.query<NoticeMark>(
    sql`select code, key, at, until from notice_marks where account_id = ${id} and login = ${login}`,
  );
}

export async function saveMark(on: Queryable, { id, login }: Person, mark: NoticeMark): Promise<void> {
  const { code, key, at, until } = mark;
  await on.query(
    sql`insert into notice_marks (account_id, login, code, key, at, until) values (${id}, ${login}, ${code}, ${key}, ${at}, ${until})
        on conflict (account_id, login, code, key) do update set at = greatest(notice_marks.at, excluded.at), until = excluded.until`,
  );
}

export async function deleteMark(
  on: Queryable,
  { id, login }: Person,
  { code, key }: Pick<NoticeMark, 'code' | 'key'>,
): Promise<void> {
  await on.query(
    sql`delete from notice_marks where account_id = ${id} and login = ${login} and code = ${code} and key = ${key}`,
  );
}
