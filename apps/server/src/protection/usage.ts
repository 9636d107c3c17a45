import { UNFINISHED } from '../config/draw-states.ts';
import { coveredMs } from '@drawhouse/rules/records/limits-in-force';
import { sql, arrayOf, type Sql } from '../platform/db/sql/sql.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';

export type Today = { readonly at: Date } & Pick<Services, 'timeZone'>;

/** By period: settled plus open. */
export interface Usage {
  readonly staked: Readonly<Record<Period, bigint>>;
  readonly won: Readonly<Record<Period, bigint>>;
  /** On unsettled draws. */
  readonly open: bigint;
  /** Part of `open` on the requested draw. */
  readonly onDraw: bigint;
}

/** In the network's time zone; weeks start on Sunday, as in the reports. */
export type Period = 'day' | 'week' | 'month';

interface UsageRow {
  account_id: string;
  staked_day: bigint;
  staked_week: bigint;
  staked_month: bigint;
  won_day: bigint;
  won_week: bigint;
  won_month: bigint;
  open: bigint;
  on_draw: bigint;
}

function periodStart(period: Period, { at, timeZone }: Today): Sql {
  const local = sql`(${at}::timestamptz at time zone ${timeZone})`;
  const first = {
    day: sql`${local}::date`,
    week: sql`${local}::date - extract(dow from ${local})::int`,
    month: sql`date_trunc('month', ${local})::date`,
  }[period];
  return sql`day_start(${first}, ${timeZone})`;
}

const since = (column: string, period: Period): Sql =>
  sql`coalesce(sum(r.${sql.raw(column)}) filter (where r.starts_at >= p.${sql.raw(period)}), 0)::bigint`;

/**
 * Keyed by account, zeros included. Settled days come from report sums (at most a month), open stakes from tickets. One
 * statement, so a draw settling meanwhile counts exactly once.
 */
export async function readUsage(
  on: Queryable,
  networkId: number,
  accountIds: readonly string[],
  today: Today,
  drawId: string | null = null,
): Promise<Map<string, Usage>> {
  const rows = await on.query<UsageRow>(
    sql`with p as materialized (
       select ${periodStart('day', today)} as day, ${periodStart('week', today)} as week, ${periodStart('month', today)} as month
     ), unsettled as materialized (
       select id from draws where network_id = ${networkId} and status in ${sql.raw(UNFINISHED)}
     )
     select asked.account_id, settled.*, coalesce(unfinished.open, 0)::bigint as open, coalesce(unfinished.on_draw, 0)::bigint as on_draw
     from unnest(${arrayOf(accountIds)}::uuid[]) as asked (account_id) cross join p cross join lateral (
       select ${since('stake', 'day')} as staked_day, ${since('stake', 'week')} as staked_week, ${since('stake', 'month')} as staked_month,
              ${since('win', 'day')} as won_day, ${since('win', 'week')} as won_week, ${since('win', 'month')} as won_month
       from rollups r where r.network_id = ${networkId} and r.account_id = asked.account_id and r.grain = 'day'
         and r.starts_at >= least(p.week, p.month)
     ) as settled cross join lateral (
       select sum(t.stake) as open, sum(t.stake) filter (where u.id = ${drawId}::uuid) as on_draw from unsettled u cross join lateral (
         select stake from tickets where network_id = ${networkId} and draw_id = u.id and account_id = asked.account_id offset 0
       ) as t
     ) as unfinished`.named('protection-usage'),
  );
  return new Map(rows.map((row) => [row.account_id, toUsage(row)]));
}

function toUsage(row: UsageRow): Usage {
  return {
    staked: { day: row.staked_day, week: row.staked_week, month: row.staked_month },
    won: { day: row.won_day, week: row.won_week, month: row.won_month },
    open: row.open,
    onDraw: row.on_draw,
  };
}

/**
 * Each session counts from sign-in to last use (calls and bets, no polling); overlaps count once. Sessions in `acting`
 * count as in use.
 */
export async function readSignedInMs(
  on: Queryable,
  accountIds: readonly string[],
  acting: ReadonlySet<string>,
  { at, timeZone }: Today,
): Promise<Map<string, number>> {
  const idArray = arrayOf(accountIds);
  const rows = await on.query<{ account_id: string; began_at: Date; ended_at: Date; id: string; midnight: Date }>(
    sql`with today as materialized (select day_start(${at}::timestamptz, ${timeZone}) as midnight)
     select account_id, began_at, ended_at, encode(token_hash, 'hex') as id, midnight from today cross join lateral (
       select account_id, created_at as began_at, last_used_at as ended_at, token_hash from sessions
         where account_id = any(${idArray}::uuid[])
       union all
       select account_id, began_at, ended_at, token_hash from past_sessions
         where account_id = any(${idArray}::uuid[]) and ended_at > midnight
     ) as each`.named('protection-minutes'),
  );
  const used = new Map<string, number>();
  for (const accountId of accountIds) {
    const own = rows.filter((row) => row.account_id === accountId);
    if (own.length === 0) continue;
    const spans = own.map(({ began_at, ended_at, id }) => ({
      fromMs: began_at.getTime(),
      untilMs: acting.has(id) ? at.getTime() : ended_at.getTime(),
    }));
    used.set(accountId, coveredMs(spans, { fromMs: own[0]!.midnight.getTime(), untilMs: at.getTime() }));
  }
  return used;
}
