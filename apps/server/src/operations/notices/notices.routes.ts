import { ADMIN_NOTICES, NOTICES, WEBHOOK_UNSET, NOTICE_FIELD_TEXTS } from '@drawhouse/contract/notices/notice-texts';
import { alertThresholds, markNotice, setAlertThresholds, unmarkNotice } from '@drawhouse/contract/notices/notice-acts';
import { noticeHistory } from '@drawhouse/contract/notices/notice-history';
import { markOwnNotices, ownNotices } from '@drawhouse/contract/auth/own-notices';
import { listNotices, testWebhook, type FoundNotice, type NoticeCode } from '@drawhouse/contract/notices/notices';
import type { Actor } from '../../accounts/authority.ts';
import { readOwnNotices } from '../../activity/own-notices.ts';
import { handle, type BoundRoute } from '../../platform/http/handler.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { serveList } from '../../platform/lists/serve-list.ts';
import type { ListRequest } from '../../platform/lists/list-source.ts';
import {
  eitherOf,
  inSubtreeEver,
  ofInstallation,
  ownedByColumn,
  relatedToVisible,
  selectVisible,
} from '../../platform/db/visibility-predicate.ts';
import type { Services } from '../../platform/services.ts';
import { deleteMark, keyOf, OWN_MARK, readMarks, saveMark } from './notices.sql.ts';
import { readThresholds, setThresholds } from './alert-thresholds.ts';
import type { NoticeWatch } from './notice-watch.ts';
import { NOTICE_TEXTS } from './notices-texts.ts';

interface NoticeSource {
  readonly find: (this: void, actor: Actor) => Promise<readonly FoundNotice[]>;
  readonly watch: Pick<NoticeWatch, 'host' | 'test'> | undefined;
}

export function noticesRoutes(services: Services, { find, watch: webhook }: NoticeSource): BoundRoute<Actor>[] {
  const { db, clock } = services;
  return [
    handle(listNotices, async (_input, { actor }) => {
      const [found, marks] = await Promise.all([find(actor), readMarks(db, actor)]);
      const admins = await readAdminIds(
        db,
        actor,
        found.flatMap(({ admin, about }) => admin ?? about ?? []),
      );
      return {
        data: found.map(({ code, ...notice }) => {
          const key = keyOf({ code, ...notice });
          const mark = marks.find((each) => each.code === code && each.key === key);
          const isMarked = mark && (notice.since === undefined || mark.at >= new Date(notice.since));
          return {
            code,
            key,
            ...NOTICES[code],
            ...notice,
            ...(admins.has(adminOf(notice)) && { adminId: admins.get(adminOf(notice))! }),
            ...(isMarked && { mark: { at: mark.at.toISOString(), until: mark.until?.toISOString() ?? null } }),
          };
        }),
        ...(actor.role === 'superadmin' && { webhook: webhook?.host === undefined ? null : { to: webhook.host } }),
      };
    }),
    handle(markNotice, async ({ body: { code, key, until } }, { actor }) => {
      const isCurrent = (await find(actor)).some((notice) => notice.code === code && keyOf(notice) === key);
      if (!isCurrent) throw new CallError('NOT_FOUND', { message: NOTICE_TEXTS.ended });
      const at = clock.now();
      await saveMark(db, actor, { code, key, at, until: until === null ? null : snoozeUntil(until, at) });
      return { message: until === null ? 'Acknowledged.' : 'Snoozed.' };
    }),
    handle(unmarkNotice, async ({ body: { code, key } }, { actor }) => {
      await deleteMark(db, actor, { code, key });
      return { message: NOTICE_TEXTS.shownAgain };
    }),
    ...ownRoutes(services),
    ...historyRoutes(services),
    handle(alertThresholds, async (_input, { actor }) => readThresholds(db, actor.networkId)),
    handle(setAlertThresholds, ({ body }, call) => setThresholds(services, call, body)),
    handle(testWebhook, async () => {
      const answer = await webhook?.test();
      if (!answer) throw new CallError('RULE_REFUSED', { message: WEBHOOK_UNSET });
      const { says, ...came } = answer;
      return { message: says, ...came };
    }),
  ];
}

const adminOf = ({ admin, about }: Pick<FoundNotice, 'admin' | 'about'>): string => admin ?? about ?? '';

async function readAdminIds(
  on: Queryable,
  actor: Actor,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const rows = await on.query<{ id: string; username: string }>(
    selectVisible({
      select: sql`a.id, a.username`,
      from: sql`accounts a`,
      authority: inSubtreeEver('a', actor),
      where: sql`a.role = 'admin' and a.deleted_at is null and a.username = any(${names}::text[])`,
    }),
  );
  return new Map(rows.map((row) => [row.username, row.id]));
}

const DAY_MS = 86_400_000;
const SNOOZE_MAX_MS = 31 * DAY_MS;

function snoozeUntil(text: string, now: Date): Date {
  const until = new Date(text);
  const byMs = until.getTime() - now.getTime();
  if (byMs <= 0 || byMs > SNOOZE_MAX_MS)
    throw new CallError('INVALID_INPUT', { fields: { until: NOTICE_FIELD_TEXTS.wrongSnooze } });
  return until;
}

function ownRoutes({ db, clock }: Services): BoundRoute<Actor>[] {
  return [
    handle(ownNotices, async (_input, { actor }) => {
      const [notices, marks] = await Promise.all([readOwnNotices(db, actor, clock.now()), readMarks(db, actor)]);
      const readAt = marks.find(({ code }) => code === OWN_MARK.code)?.at;
      const isRead = (createdAt: string) => readAt !== undefined && new Date(createdAt) <= readAt;
      return { data: notices.map((notice) => ({ ...notice, isRead: isRead(notice.createdAt) })) };
    }),
    handle(markOwnNotices, async ({ body: { until } }, { actor }) => {
      // Later notices stay unread.
      const at = new Date(Math.min(clock.now().getTime(), Date.parse(until)));
      await saveMark(db, actor, { ...OWN_MARK, at, until: null });
      return { message: NOTICE_TEXTS.ownRead };
    }),
  ];
}

interface StoredHistory {
  readonly id: string;
  readonly admin_id: string | null;
  readonly code: NoticeCode;
  readonly found: FoundNotice;
  readonly since: Date;
  readonly ended_at: Date | null;
  readonly marked_at: Date | null;
}

function historyRoutes(services: Services): BoundRoute<Actor>[] {
  return serveList(services, noticeHistory, ({ actor }: ListRequest<typeof noticeHistory, Actor>) => {
    const isSuperadmin = actor.role === 'superadmin';
    return {
      from: sql`(select h.*, m.at as marked_at, titles.title from held_notices h
          join jsonb_to_recordset(${JSON.stringify(TITLES)}::jsonb) as titles (code text, title text) on titles.code = h.code
          left join notice_marks m on m.account_id = ${actor.id} and m.login = ${actor.login} and m.code = h.code and m.key = h.key
            and m.at between h.since and coalesce(h.ended_at, 'infinity')) as t`,
      authority: isSuperadmin
        ? eitherOf(
            ofInstallation('t.admin_id'),
            relatedToVisible({
              from: sql`accounts a`,
              where: sql`a.id = t.admin_id`,
              authority: inSubtreeEver('a', actor),
            }),
          )
        : ownedByColumn('t.admin_id', actor),
      where: isSuperadmin ? sql`t.code <> all(${[...ADMIN_NOTICES]})` : sql`true`,
      key: sql`t.id`,
      select: sql`t.id, t.admin_id, t.code, t.found, t.since, t.ended_at, t.marked_at`,
      toRow: (row: StoredHistory) => ({
        id: row.id,
        code: row.code,
        title: NOTICES[row.code].title,
        about: keyOf(row.found) || null,
        adminId: row.admin_id,
        table: tableOf(row.found),
        detail: row.found.detail ?? null,
        since: row.since.toISOString(),
        endedAt: row.ended_at?.toISOString() ?? null,
        markedAt: row.marked_at?.toISOString() ?? null,
      }),
      reading: 'rows' as const,
      order: { since: sql`t.since`, endedAt: { by: sql`t.ended_at`, nullable: true as const } },
      search: (pattern: string) => sql`(t.title ilike ${pattern} or t.key ilike ${pattern})`,
    };
  });
}

function tableOf({ table, admin }: FoundNotice): { gameId: string; username: string } | null {
  return table && admin !== undefined ? { gameId: table.gameId, username: admin } : null;
}

const TITLES = Object.entries(NOTICES).map(([code, { title }]) => ({ code, title }));
