import { SETTLEMENT_SUMS } from '@drawhouse/rules/records/settlement-sums';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { ChainLink } from '../../accounts/authority.ts';
import type { Period } from '../../platform/time/clock.ts';
import { networkOrColumnSql, singleNetworkOf } from '../../platform/db/cross-network-sql.ts';
import { inSubtreeEver, selectVisible, type Viewer } from '../../platform/db/visibility-predicate.ts';

const SUMS = SETTLEMENT_SUMS.join(', ');
/** The same sums for correction `c`. */
const CORRECTED_SUMS = SETTLEMENT_SUMS.map((name) => (name === 'win' ? 'c.moved as win' : `0::bigint as ${name}`)).join(
  ', ',
);
const TOTALS = SETTLEMENT_SUMS.map((name) => `coalesce(sum(parts.${name}), 0)::bigint as ${name}`).join(', ');

/** Over `t` from {@link turnoverOf}. */
export const FIGURES = {
  playPoints: sql`t.stake`,
  winPoints: sql`t.win`,
  endPoints: sql`(t.stake - t.win)`,
  supercom: sql`t.super_commission`,
  distcom: sql`t.dist_commission`,
  retailcom: sql`t.retail_commission`,
  usercom: sql`t.user_commission`,
  net: sql`(t.stake - t.win - t.super_commission - t.dist_commission - t.retail_commission - t.user_commission)`,
};

/** Deleted accounts keep their name in history but have no page. */
export function wasDeleted(id: Sql): Sql {
  return sql`(select a.deleted_at is not null from accounts a where a.id = ${id})`;
}

type TurnoverSubject = { childrenOf: string } | { itself: string };

/** A superadmin's turnover spans many networks, so it sums its admins. */
export function rootOf({ id, role }: Pick<ChainLink, 'id' | 'role'>): TurnoverSubject {
  return role === 'superadmin' ? { childrenOf: id } : { itself: id };
}

export interface ZonedPeriod extends Period {
  readonly timeZone: string;
}

/**
 * One row per child, or for the account with its subtree, for instants from `from` up to `until`, exclusive. Includes
 * deleted children. Only accounts `c` visible to the viewer have sums.
 */
export function turnoverOf(subject: TurnoverSubject, { from, until, timeZone }: ZonedPeriod, viewer: Viewer): Sql {
  return sql`${piecesOf(subject, [{ from, until }], { timeZone, viewer })}
     select c.id, c.role, c.username, c.chain, ${sql.raw(TOTALS)}
     from children c left join parts on parts.account_id = c.id
     group by c.id, c.role, c.username, c.chain`;
}

export function turnoverByGame(subject: TurnoverSubject, { from, until, timeZone }: ZonedPeriod, viewer: Viewer): Sql {
  return sql`${piecesOf(subject, [{ from, until }], { timeZone, viewer }, 'games')}
     select c.id, c.role, c.username, c.chain, parts.game_id, ${sql.raw(TOTALS)}
     from children c join parts on parts.account_id = c.id
     group by c.id, c.role, c.username, c.chain, parts.game_id`;
}

/** One row per period; `nth` starts at 1. */
export function turnoverByPeriod(
  subject: TurnoverSubject,
  { periods, timeZone }: { periods: readonly Period[]; timeZone: string },
  viewer: Viewer,
): Sql {
  return sql`${piecesOf(subject, periods, { timeZone, viewer })}
     select s.nth, ${sql.raw(TOTALS)}
     from asked s left join parts on parts.nth = s.nth
     group by s.nth order by s.nth`;
}

const CHILD = sql`c.id, c.role, c.username, c.chain, c.network_id`;

/** Separate indexes find existing and deleted children. */
function accountsOf(subject: TurnoverSubject, viewer: Viewer): Sql {
  const visibleChildren = (where: Sql): Sql =>
    selectVisible({ select: CHILD, from: sql`accounts c`, authority: inSubtreeEver('c', viewer), where });
  if ('itself' in subject) return visibleChildren(sql`c.id = ${subject.itself}`);
  const isChild = sql`c.parent_id = ${subject.childrenOf}`;
  return sql`${visibleChildren(sql`${isChild} and c.deleted_at is null`)}
    union all ${visibleChildren(sql`${isChild} and c.deleted_at is not null`)}`;
}

/** Start of the quarter hour containing an instant; first quarter starting at or after it. */
const quarterOf = (at: Sql): Sql => sql`date_bin('15 minutes', ${at}, timestamptz 'epoch')`;
const quarterFrom = (at: Sql): Sql => quarterOf(sql`${at} + interval '15 minutes' - interval '1 microsecond'`);

/**
 * Uses the largest fitting pieces: whole days, quarter hours, then single settlements at odd ends. If the rest of an
 * end's quarter is empty, or its settlements were cleared, the quarter counts whole in the period where it begins, so
 * adjacent periods add up. Looks up `game_id` only for sums by game.
 */
function piecesOf(
  subject: TurnoverSubject,
  periods: readonly Period[],
  { timeZone, viewer }: { readonly timeZone: string; readonly viewer: Viewer },
  by: 'accounts' | 'games' = 'accounts',
): Sql {
  const game = (column: string): Sql => (by === 'games' ? sql.raw(`, ${column}.game_id`) : sql``);
  const one = singleNetworkOf(viewer);
  const network = networkOrColumnSql(one, 'n.network_id');
  const ofChild = networkOrColumnSql(one, 'c.network_id');
  const draws =
    by === 'games' ? sql`join draws on draws.network_id = ended.network_id and draws.id = ended.draw_id` : sql``;
  return sql`with children as materialized (
       ${accountsOf(subject, viewer)}
     ), networks as (
       select distinct network_id from children
     ), ${boundsOf(periods, timeZone, network)}, cleared_quarters as materialized (
       select o.nth, n.network_id, quarter as starts_at, quarter >= o.settled_from as counts
       from odd_ends o cross join networks n
       cross join lateral generate_series(${quarterOf(sql`o.settled_from`)}, o.settled_until - interval '1 microsecond',
         interval '15 minutes') as quarter
       where exists (select from cleared_draws gone where gone.network_id = ${network} and gone.finished_at >= quarter
         and gone.finished_at < quarter + interval '15 minutes')
     ), singles as (
       select o.nth, s.account_id, s.network_id${game('d')}, ${sql.raw(SUMS)} from odd_ends o cross join networks n
       join lateral (
         select ended.draw_id${game('draws')} from draw_settlements ended ${draws}
         where ended.network_id = ${network} and settled_at >= o.settled_from and settled_at < o.settled_until
           and not exists (select from cleared_quarters c
             where c.nth = o.nth and c.network_id = n.network_id and c.starts_at = ${quarterOf(sql`ended.settled_at`)}) offset 0
       ) as d on true
       join lateral (
         select * from player_settlements where network_id = ${network} and draw_id = d.draw_id offset 0
       ) as s on true
       union all
       select o.nth, c.account_id, c.network_id${game('draws')}, ${sql.raw(CORRECTED_SUMS)} from odd_ends o cross join networks n
       join lateral (
         select * from ticket_corrections where network_id = ${network} and at >= o.settled_from and at < o.settled_until
           and not exists (select from cleared_quarters c
             where c.nth = o.nth and c.network_id = n.network_id and c.starts_at = ${quarterOf(sql`at`)}) offset 0
       ) as c on true ${by === 'games' ? sql`join draws on draws.network_id = ${network} and draws.id = c.draw_id` : sql``}
     ), parts as materialized (
       -- Materialized: after a large import the planner expects one child and would recompute the sum per child.
       -- Summed per piece, so each piece is one index range.
       select p.nth, r.account_id${game('r')}, ${sql.raw(SUMS)} from periods p cross join children c
       join lateral (
         select * from rollups where network_id = ${ofChild} and account_id = c.id and grain = p.grain
           and starts_at >= p.starts_from and starts_at < p.starts_until offset 0
       ) as r on true
       union all
       select q.nth, r.account_id${game('r')}, ${sql.raw(SUMS)} from cleared_quarters q
         join children c on q.counts and c.network_id = q.network_id
       join lateral (
         select * from rollups where network_id = ${ofChild} and account_id = c.id and grain = 'quarter'
           and starts_at = q.starts_at offset 0
       ) as r on true
       union all
       -- Play in a network belongs to its admin, so no account lookup is needed.
       select s.nth, c.id${game('s')}, ${sql.raw(SUMS)} from singles s join children c on c.network_id = s.network_id and c.role = 'admin'
       union all
       select s.nth, c.id${game('s')}, ${sql.raw(SUMS)} from singles s
       join lateral (select chain from accounts where id = s.account_id offset 0) as player on true
       join children c on c.network_id = s.network_id and c.role <> 'admin' and c.id = any(player.chain)
     )`;
}

function boundsOf(periods: readonly Period[], timeZone: string, network: Sql): Sql {
  const starts = periods.map(({ from }) => from);
  const untils = periods.map(({ until }) => until);
  const isEmpty = (from: Sql, until: Sql): Sql =>
    sql`${from} = ${until} or not exists (select from networks n join draw_settlements ended on ended.network_id = ${network}
          and settled_at >= ${from} and settled_at < ${until})
        and not exists (select from networks n join ticket_corrections c on c.network_id = ${network}
          and c.at >= ${from} and c.at < ${until})
        and not exists (select from networks n join cleared_draws gone on gone.network_id = ${network}
          and finished_at >= ${from} and finished_at < ${until})`;
  return sql`given as (
       select nth, at_from, at_until, ${quarterOf(sql`at_from`)} as before_from, ${quarterFrom(sql`at_until`)} as after_until
       from unnest(${starts}::timestamptz[], ${untils}::timestamptz[]) with ordinality as ends (at_from, at_until, nth)
     ), asked as materialized (
       select nth, case when ${isEmpty(sql`before_from`, sql`at_from`)} then before_from else at_from end as asked_from,
              case when ${isEmpty(sql`at_until`, sql`after_until`)} then after_until else at_until end as asked_until
       from given
     ), aligned as (
       select *, ${quarterFrom(sql`asked_from`)} as q_from, ${quarterOf(sql`asked_until`)} as q_until,
              case when day_start(asked_from, ${timeZone}) = asked_from then asked_from
                   else day_start((asked_from at time zone ${timeZone})::date + 1, ${timeZone}) end as d_from,
              day_start(asked_until, ${timeZone}) as d_until
       from asked
     ), quarters as (
       -- Without a whole quarter hour, this piece is empty and single settlements cover the period.
       select nth, asked_from, asked_until, d_from, d_until, case when q_from < q_until then q_from else asked_until end as q_from,
              case when q_from < q_until then q_until else asked_until end as q_until
       from aligned
     ), bounds as materialized (
       -- Likewise for days. Days that do not start on a quarter hour are skipped.
       select nth, asked_from, asked_until, q_from, q_until,
              case when whole then d_from else q_until end as d_from, case when whole then d_until else q_until end as d_until
       from quarters, lateral (
         select d_from < d_until and q_from <= d_from and d_until <= q_until
           and d_from = ${quarterOf(sql`d_from`)} and d_until = ${quarterOf(sql`d_until`)}
       ) as days (whole)
     ), periods as (
       select * from (
         select nth, 'day' as grain, d_from as starts_from, d_until as starts_until from bounds
         union all select nth, 'quarter', q_from, d_from from bounds
         union all select nth, 'quarter', d_until, q_until from bounds
       ) as each where starts_from < starts_until
     ), odd_ends as (
       select * from (
         select nth, asked_from as settled_from, q_from as settled_until from bounds
         union all select nth, q_until, asked_until from bounds
       ) as each where settled_from < settled_until
     )`;
}
