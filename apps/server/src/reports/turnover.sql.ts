import type { Role } from '@drawhouse/contract/primitives';
import { sql } from 'kysely';
import { inSubtree } from '../accounts/authority.ts';
import type { Queryable } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';

const SUMS = 'stake, win, super_commission, dist_commission, retail_commission, user_commission';
const TOTALS = SUMS.split(', ')
  .map((name) => `coalesce(sum(parts.${name}), 0)::bigint as ${name}`)
  .join(', ');

/** The columns of points of a report's row, in hundredths, over what {@link turnoverOf} gives as `t`. */
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

/** An account of the chain between the caller and the account that a report is about. */
export interface ChainLink {
  id: string;
  username: string;
  role: Role;
}

/** The chain from the caller down to an account of its subtree; undefined when it is not in it. */
export async function chainTo(on: Queryable, actorId: string, id: string): Promise<ChainLink[] | undefined> {
  const links = await on.query<ChainLink>(
    `select up.id, up.username, up.role from accounts a join accounts up on up.id = any(a.chain) and up.chain @> array[$1]::uuid[]
     where a.id = $2 and ${inSubtree('a', '$1')} order by cardinality(up.chain)`,
    [actorId, id],
  );
  return links.length > 0 ? links : undefined;
}

/** Whom a turnover is of: the children of an account, or the account itself. */
type TurnoverSubject = { childrenOf: string } | { itself: string };

/** All that was played at or below an account. That of a superadmin lies in many networks: it is that of its admins together. */
export function wholeOf({ id, role }: Pick<ChainLink, 'id' | 'role'>): TurnoverSubject {
  return role === 'superadmin' ? { childrenOf: id } : { itself: id };
}

/** The instants from `from` up to, not including, `until`, and the time zone of the rollups' days. */
interface TurnoverRange {
  readonly from: Date;
  readonly until: Date;
  readonly timeZone: string;
}

/** The instants of a report; `endDate` is the last one that counts, to the millisecond. */
export function rangeOf({ startDate, endDate }: { startDate: string; endDate: string }): { from: Date; until: Date } {
  return { from: new Date(startDate), until: new Date(Date.parse(endDate) + 1) };
}

/**
 * The turnover of each child of an account, or of the account itself with everyone below it, for exactly the instants from `from` up
 * to, not including, `until`: its sums in hundredths, and its `chain` to be judged by. Deleted children stay in: history keeps its names.
 */
export function turnoverOf(subject: TurnoverSubject, { from, until, timeZone }: TurnoverRange): Sql {
  return sql`${piecesOf(subject, [from, until], timeZone)}
     select c.id, c.role, c.username, c.chain, ${sql.raw(TOTALS)}
     from children c left join parts on parts.account_id = c.id
     group by c.id, c.role, c.username, c.chain`;
}

/** The same for each game that was played there, with the row id of the game as `game_id`. */
export function turnoverByGame(subject: TurnoverSubject, { from, until, timeZone }: TurnoverRange): Sql {
  return sql`${piecesOf(subject, [from, until], timeZone, 'games')}
     select c.id, c.role, c.username, c.chain, parts.game_id, ${sql.raw(TOTALS)}
     from children c join parts on parts.account_id = c.id
     group by c.id, c.role, c.username, c.chain, parts.game_id`;
}

/**
 * The same, all of them together, in spans of time that follow each other: a row for each with its place from 1 as `span`. `ends` are the
 * instants between which the spans lie, the first and the last included; `authority` judges the accounts `c`.
 */
export function turnoverBySpan(
  subject: TurnoverSubject,
  { ends, timeZone }: { ends: readonly Date[]; timeZone: string },
  authority: Sql,
): Sql {
  return sql`${piecesOf(subject, ends, timeZone)}
     select s.span, ${sql.raw(TOTALS)}
     from spans s left join (parts join children c on c.id = parts.account_id and ${authority}) on parts.span = s.span
     group by s.span order by s.span`;
}

/**
 * What the turnover of `children` is the sum of, as `parts`, in each of the spans between `ends`. A span is put together from the largest
 * pieces that fit: whole days of the time zone, whole quarters of an hour beside them, and single settlements at odd ends.
 * The `game_id` of each is looked for where it is summed by games alone.
 */
function piecesOf(
  subject: TurnoverSubject,
  ends: readonly Date[],
  timeZone: string,
  by: 'accounts' | 'games' = 'accounts',
): Sql {
  const game = (column: string): Sql => (by === 'games' ? sql.raw(`, ${column}.game_id`) : sql``);
  const draws =
    by === 'games' ? sql`join draws on draws.network_id = ended.network_id and draws.id = ended.draw_id` : sql``;
  const starts = ends.slice(0, -1);
  const untils = ends.slice(1);
  return sql`with spans (span_from, span_until, span) as (
       select * from unnest(${starts}::timestamptz[], ${untils}::timestamptz[]) with ordinality
     ), aligned as (
       select *, date_bin('15 minutes', span_from + interval '15 minutes' - interval '1 microsecond', timestamptz 'epoch') as q_from,
              date_bin('15 minutes', span_until, timestamptz 'epoch') as q_until,
              case when date_trunc('day', span_from, ${timeZone}) = span_from then span_from
                   else (date_trunc('day', span_from, ${timeZone}) at time zone ${timeZone} + interval '1 day') at time zone ${timeZone} end as d_from,
              date_trunc('day', span_until, ${timeZone}) as d_until
       from spans
     ), quarters as (
       -- Where no whole quarter lies inside, the piece is empty and the single settlements take the whole span.
       select span, span_from, span_until, d_from, d_until, case when q_from < q_until then q_from else span_until end as q_from,
              case when q_from < q_until then q_until else span_until end as q_until
       from aligned
     ), bounds as (
       -- Likewise the days: an empty piece leaves the whole to the quarters. Days that do not start on a quarter are not used.
       select span, span_from, span_until, q_from, q_until,
              case when whole then d_from else q_until end as d_from, case when whole then d_until else q_until end as d_until
       from quarters, lateral (
         select d_from < d_until and q_from <= d_from and d_until <= q_until
           and d_from = date_bin('15 minutes', d_from, timestamptz 'epoch') and d_until = date_bin('15 minutes', d_until, timestamptz 'epoch')
       ) as days (whole)
     ), children as (
       select c.id, c.role, c.username, c.chain, c.network_id from accounts c
       where ${'childrenOf' in subject ? sql`c.parent_id = ${subject.childrenOf}` : sql`c.id = ${subject.itself}`}
     ), periods as (
       select * from (
         select span, 'day' as grain, d_from as starts_from, d_until as starts_until from bounds
         union all select span, 'quarter', q_from, d_from from bounds
         union all select span, 'quarter', d_until, q_until from bounds
       ) as each where starts_from < starts_until
     ), odd_ends as (
       select * from (
         select span, span_from as settled_from, q_from as settled_until from bounds
         union all select span, q_until, span_until from bounds
       ) as each where settled_from < settled_until
     ), parts as (
       -- Piece by piece, so that each is a range of an index and no row outside of it is read.
       select p.span, r.account_id${game('r')}, ${sql.raw(SUMS)} from periods p cross join children c
       join lateral (
         select * from rollups where network_id = c.network_id and account_id = c.id and grain = p.grain
           and starts_at >= p.starts_from and starts_at < p.starts_until offset 0
       ) as r on true
       union all
       select o.span, c.id${game('d')}, ${sql.raw(SUMS)} from odd_ends o cross join (select distinct network_id from children) as n
       join lateral (
         select ended.draw_id${game('draws')} from draw_settlements ended ${draws}
         where ended.network_id = n.network_id and settled_at >= o.settled_from and settled_at < o.settled_until offset 0
       ) as d on true
       join lateral (
         select * from player_settlements where network_id = n.network_id and draw_id = d.draw_id offset 0
       ) as s on true
       join accounts player on player.id = s.account_id
       join children c on c.network_id = s.network_id and c.id = any(player.chain)
     )`;
}
