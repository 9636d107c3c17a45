import {
  accountLog,
  activityLog,
  logEntry,
  logUserActivity,
  olderActivityLog,
  CLIENT_REPORT_PREFIX,
  type Activity,
  type Change,
} from '@drawhouse/contract/activity/activity';
import type { Services } from '../platform/services.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { handle, type BoundRoute, type Call } from '../platform/http/handler.ts';
import { serveList } from '../platform/lists/serve-list.ts';
import type { ListRequest } from '../platform/lists/list-source.ts';
import { logSource, LOG_ROW, toActivity, visibleLog, visibleOpenings, type LogRow } from './log-source.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { authorOf, type CommandActor } from './run-command.ts';
import { leastIdAt, uuidsIn } from '../platform/db/sql/uuids.ts';
import { shareNetworkLock } from './network-work/network-work.ts';
import { appendActivity } from './append-activity.ts';
import type { Queryable } from '../platform/db/database.ts';
import { explainDetail } from './explain-detail.ts';
import { singleNetworkOf, crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import { ACTIVITY_TEXTS } from './activity-texts.ts';

export function activityRoutes(services: Services): BoundRoute<CommandActor>[] {
  return [
    ...serveList(services, activityLog, (request: ListRequest<typeof activityLog, CommandActor>) => logSource(request)),
    ...serveList(services, olderActivityLog, (request: ListRequest<typeof olderActivityLog, CommandActor>) =>
      logSource(request),
    ),
    ...serveList(services, accountLog, async (request: ListRequest<typeof accountLog, CommandActor>) => {
      const { userId } = request.params;
      const [account] = await request.on.query(
        sql`select from accounts where id = ${userId} and chain @> array[${request.actor.id}]::uuid[]`,
      );
      if (!account) throw new CallError('NOT_FOUND', { fields: { userId: ACTIVITY_TEXTS.notBelow } });
      return logSource(request, userId);
    }),
    handle(logEntry, async ({ params }, { actor }) => ({ data: await readEntry(services.db, actor, params.id) })),
    handle(logUserActivity, async ({ body }, call) => ({
      message: 'Noted.',
      data: await noteActivity(services, call, body),
    })),
  ];
}

/** Per account and minute, because a network shares its log. */
const NOTES = 60;
const WITHIN_MS = 60_000;

interface Note {
  readonly subject: string;
  readonly requestUrl?: string | undefined;
  readonly method?: string | undefined;
}

async function noteActivity(services: Services, call: Call<CommandActor>, note: Note): Promise<Activity> {
  const { id: accountId, networkId } = call.actor;
  const { url, method, ip } = call.origin;
  const origin = { url: note.requestUrl ?? url, method: note.method?.toUpperCase() ?? method, ip };
  const subject = CLIENT_REPORT_PREFIX + note.subject;
  return services.db.transaction(async (tx) => {
    if (!(await shareNetworkLock(tx, networkId))) throw new CallError('SESSION_ENDED');
    await tx.query(sql`select from accounts where id = ${accountId} for no key update`);
    const since = leastIdAt(new Date(services.clock.now().getTime() - WITHIN_MS));
    const [noted] = await tx.query<{ count: bigint }>(
      sql`select count(*) from activity where network_id = ${networkId} and account_id = ${accountId} and id >= ${since}
        and starts_with(subject, ${CLIENT_REPORT_PREFIX})`,
    );
    if (Number(noted!.count) >= NOTES)
      throw new CallError('THROTTLED', {
        message: ACTIVITY_TEXTS.tooManyEntries,
        retryAfterSeconds: WITHIN_MS / 1000,
      });
    const [row] = await appendActivity(tx, networkId, services, [{ ...authorOf(call.actor), subject, origin }]);
    return {
      _id: row!.id,
      accountId,
      username: call.actor.personName,
      subject,
      requestUrl: origin.url,
      method: origin.method,
      ipAddress: ip,
      createdAt: row!.at.toISOString(),
      about: null,
    };
  });
}

async function readEntry(on: Queryable, actor: CommandActor, id: string): Promise<Activity & { changes: Change[] }> {
  const one = singleNetworkOf(actor);
  const ofOwn = one === undefined ? sql`` : sql`l.network_id = ${one} and`;
  const [row] = await on.query<LogRow & { detail: Record<string, unknown> | null }>(
    sql`select ${LOG_ROW}, l.detail from activity l where ${ofOwn} l.id = ${id} and (${visibleLog(actor)} or ${visibleOpenings(actor)})`,
  );
  if (!row) throw new CallError('NOT_FOUND', { message: ACTIVITY_TEXTS.noEntry });
  return { ...toActivity(row), changes: explainDetail(row.detail) };
}

export async function foreignEntries(on: Queryable, actor: CommandActor, names: readonly string[]): Promise<string[]> {
  const rows = await on.query<{
    id: string;
  }>(sql`select l.id from activity_heads h join networks n on n.id = h.network_id
    join activity l on l.network_id = h.network_id and l.id = any(${uuidsIn(names)}::uuid[])
        where (${visibleLog(actor)}) is not true ${sql.raw(crossNetworkComment('named'))}`);
  return rows.map((row) => row.id);
}
