import {
  clearingState,
  countRecords,
  deleteRecords,
  type Clearing,
  type ClearingState,
} from '@drawhouse/contract/clearing/clearing';
import type { Actor } from '../accounts/authority.ts';
import { dayOf } from '@drawhouse/rules/time/zone-days';
import { handle, type BoundRoute } from '../platform/http/handler.ts';
import type { WorkState } from '../activity/network-work/network-work.ts';
import { clearHistory, countHistory, type ClearingParts } from './clear-history.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { CLEARING_ORDER, type ClearingModel } from '@drawhouse/contract/clearing/clearing-texts';
import { CLEARING_ANSWERS } from './clearing-texts.ts';

export function clearingRoutes(parts: ClearingParts): BoundRoute<Actor>[] {
  return [
    handle(countRecords, ({ body }, { actor }: { actor: Actor }) => countHistory(parts, actor, body)),
    handle(deleteRecords, async ({ body }, call) => {
      const done = await clearHistory(parts, call, body);
      return { message: messageOf(done), ...done };
    }),
    handle(clearingState, async (_input, { actor }: { actor: Actor }) => readState(parts, actor)),
  ];
}

function messageOf({ days, models }: Clearing): string {
  const rows = models.reduce((sum, model) => sum + model.rows, 0);
  const span = days!.first === days!.last ? `of ${days!.first}` : CLEARING_ANSWERS.between(days!.first, days!.last);
  return rows === 0 ? CLEARING_ANSWERS.nothingToClear(span) : CLEARING_ANSWERS.cleared(span);
}

async function readState(
  { services: { db, timeZone }, networkWork, retentionDays }: ClearingParts,
  { id, networkId }: Actor,
): Promise<Omit<ClearingState, 'success' | 'message'>> {
  const latest = await networkWork.latest(id);
  const rows = await db.query<Past>(
    sql`select array_agg(model) as models, username as by, started_at as at, starts_at, ends_at from clearings
      where network_id = ${networkId}
     group by id, username, started_at, starts_at, ends_at order by started_at desc, id desc`,
  );
  const isRunning = latest !== undefined && latest.finishedAt === null;
  return {
    running: isRunning ? runningOf(latest) : null,
    last: latest?.kind === 'clearing' && !isRunning ? lastOf(latest, rows[0]) : null,
    history: rows.map(({ models, by, at, starts_at, ends_at }) => ({
      first: dayOf(starts_at, timeZone),
      last: dayOf(new Date(ends_at.getTime() - 1), timeZone),
      models: CLEARING_ORDER.filter((model) => models.includes(model)),
      by,
      at: at.toISOString(),
    })),
    retentionDays,
    timeZone,
  };
}

interface Past {
  readonly models: readonly ClearingModel[];
  readonly by: string;
  readonly at: Date;
  readonly starts_at: Date;
  readonly ends_at: Date;
}

function runningOf({ kind, step, done, total, by, startedAt }: WorkState): NonNullable<ClearingState['running']> {
  return { kind, step, done, total, by, startedAt: startedAt.toISOString() };
}

function lastOf(
  { startedAt, finishedAt, by, failure, answer }: WorkState,
  newest: Past | undefined,
): NonNullable<ClearingState['last']> {
  const hasBegun = newest !== undefined && newest.at >= startedAt;
  return { at: finishedAt!.toISOString(), by, failure, hasBegun, answer: answer as Clearing | null };
}
