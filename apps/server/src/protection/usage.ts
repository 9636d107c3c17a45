import { UNFINISHED } from '../draw-states.ts';
import { coveredMs } from '@drawhouse/rules/limits-in-force';
import { arrayOf } from '../db/array-of.ts';
import type { Queryable } from '../db/database.ts';
import type { Services } from '../services.ts';

/** The instant and the time zone that say which day, week and month it is. */
export type Today = { readonly at: Date } & Pick<Services, 'timeZone'>;

/** What a player has staked and lost in the periods that an instant lies in, in hundredths: what counts of draws that are settled, and what is still open. */
export interface Usage {
  readonly staked: Readonly<Record<Period, bigint>>;
  readonly won: Readonly<Record<Period, bigint>>;
  /** Staked on draws that are not settled. */
  readonly open: bigint;
  /** Of that, on the one draw that was asked about. */
  readonly onDraw: bigint;
}

/** The periods of limits: of the network's time zone, weeks from Sunday on. */
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

/** SQL for when the week of an instant began: on its Sunday, at midnight of the time zone. */
const WEEK = `day_start(($3::timestamptz at time zone $4)::date - extract(dow from $3::timestamptz at time zone $4)::int, $4)`;

/** SQL for a sum of the days since a period began. */
const since = (column: string, period: Period): string =>
  `coalesce(sum(r.${column}) filter (where r.starts_at >= p.${period}), 0)::bigint`;

/**
 * What players have used of their limits, by account; whoever has nothing is there too. Days of settled draws are read from the sums of the reports, at most a
 * month of them; what is open from the tickets on draws that are not settled. One statement: a draw that is settled meanwhile is in one of both.
 */
export async function readUsage(
  on: Queryable,
  networkId: number,
  accountIds: readonly string[],
  { at, timeZone }: Today,
  drawId: string | null = null,
): Promise<Map<string, Usage>> {
  const rows = await on.query<UsageRow>(
    `with p as materialized (
       select day_start($3::timestamptz, $4) as day, ${WEEK} as week, day_start(date_trunc('month', $3::timestamptz at time zone $4)::date, $4) as month
     ), unsettled as materialized (
       select id from draws where network_id = $1 and status in ${UNFINISHED}
     )
     select asked.account_id, settled.*, coalesce(unfinished.open, 0)::bigint as open, coalesce(unfinished.on_draw, 0)::bigint as on_draw
     from unnest($2::uuid[]) as asked (account_id) cross join p cross join lateral (
       select ${since('stake', 'day')} as staked_day, ${since('stake', 'week')} as staked_week, ${since('stake', 'month')} as staked_month,
              ${since('win', 'day')} as won_day, ${since('win', 'week')} as won_week, ${since('win', 'month')} as won_month
       from rollups r where r.network_id = $1 and r.account_id = asked.account_id and r.grain = 'day' and r.starts_at >= least(p.week, p.month)
     ) as settled cross join lateral (
       select sum(t.stake) as open, sum(t.stake) filter (where u.id = $5::uuid) as on_draw from unsettled u cross join lateral (
         select stake from tickets where network_id = $1 and draw_id = u.id and account_id = asked.account_id offset 0
       ) as t
     ) as unfinished`,
    [networkId, arrayOf(accountIds), at, timeZone, drawId],
    'protection-usage',
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
 * How many milliseconds players were signed in since the day began, by account: from each sign-in to the last use of its session (a call, a bet; not what pages
 * ask by themselves), what several sessions share counted once. What acts now, by the ids of its sessions, is in use.
 */
export async function readSignedInMs(
  on: Queryable,
  accountIds: readonly string[],
  acting: ReadonlySet<string>,
  { at, timeZone }: Today,
): Promise<Map<string, number>> {
  const rows = await on.query<{ account_id: string; began_at: Date; ended_at: Date; id: string; midnight: Date }>(
    `with today as materialized (select day_start($2::timestamptz, $3) as midnight)
     select account_id, began_at, ended_at, encode(token_hash, 'hex') as id, midnight from today cross join lateral (
       select account_id, created_at as began_at, last_used_at as ended_at, token_hash from sessions where account_id = any($1::uuid[])
       union all
       select account_id, began_at, ended_at, token_hash from past_sessions where account_id = any($1::uuid[]) and ended_at > midnight
     ) as each`,
    [arrayOf(accountIds), at, timeZone],
    'protection-minutes',
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
