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
 * to, not including, `until`: its sums in hundredths, and its `chain` to be judged by. It is put together from the largest pieces that
 * fit: whole days of the time zone, whole quarters of an hour beside them, and single settlements at odd ends. Deleted children stay in:
 * history keeps its names.
 */
export function turnoverOf(subject: TurnoverSubject, range: TurnoverRange): Sql {
  return sql`${piecesOf(subject, range, 'accounts')}
     select c.id, c.role, c.username, c.chain, ${sql.raw(TOTALS)}
     from children c left join parts on parts.account_id = c.id
     group by c.id, c.role, c.username, c.chain`;
}

/** The same for each game that was played there, with the game's id as `game_id`. */
export function turnoverByGame(subject: TurnoverSubject, range: TurnoverRange): Sql {
  return sql`${piecesOf(subject, range, 'games')}
     select c.id, c.role, c.username, c.chain, parts.game_id, ${sql.raw(TOTALS)}
     from children c join parts on parts.account_id = c.id
     group by c.id, c.role, c.username, c.chain, parts.game_id`;
}

/** The pieces that a turnover is the sum of, as `parts`, of the accounts `children`. */
function piecesOf(subject: TurnoverSubject, range: TurnoverRange, per: 'accounts' | 'games'): Sql {
  // Only what is summed by game looks for the games of single settlements.
  const gameOf = per === 'games' ? sql`, d.game_id` : sql``;
  return sql`with aligned as (
       select date_bin('15 minutes', ${range.from}::timestamptz + interval '15 minutes' - interval '1 microsecond', timestamptz 'epoch') as q_from,
              date_bin('15 minutes', ${range.until}::timestamptz, timestamptz 'epoch') as q_until,
              case when date_trunc('day', ${range.from}::timestamptz, ${range.timeZone}) = ${range.from}::timestamptz then ${range.from}::timestamptz
                   else (date_trunc('day', ${range.from}::timestamptz, ${range.timeZone}) at time zone ${range.timeZone} + interval '1 day') at time zone ${range.timeZone} end as d_from,
              date_trunc('day', ${range.until}::timestamptz, ${range.timeZone}) as d_until
     ), quarters as (
       -- Where no whole quarter lies inside, the piece is empty and the single settlements take the whole range.
       select d_from, d_until, case when q_from < q_until then q_from else ${range.until}::timestamptz end as q_from,
              case when q_from < q_until then q_until else ${range.until}::timestamptz end as q_until
       from aligned
     ), bounds as (
       -- Likewise the days: an empty piece leaves the whole to the quarters. Days that do not start on a quarter are not used.
       select q_from, q_until, case when whole then d_from else q_until end as d_from, case when whole then d_until else q_until end as d_until
       from quarters, lateral (
         select d_from < d_until and q_from <= d_from and d_until <= q_until
           and d_from = date_bin('15 minutes', d_from, timestamptz 'epoch') and d_until = date_bin('15 minutes', d_until, timestamptz 'epoch')
       ) as days (whole)
     ), children as (
       select c.id, c.role, c.username, c.chain, c.network_id from accounts c
       where ${'childrenOf' in subject ? sql`c.parent_id = ${subject.childrenOf}` : sql`c.id = ${subject.itself}`}
     ), periods (grain, starts_from, starts_until) as (
       select 'day', d_from, d_until from bounds
       union all select 'quarter', q_from, d_from from bounds
       union all select 'quarter', d_until, q_until from bounds
     ), odd_ends (settled_from, settled_until) as (
       select ${range.from}::timestamptz, q_from from bounds
       union all select q_until, ${range.until}::timestamptz from bounds
     ), parts as (
       -- Piece by piece, so that each is a range of an index and no row outside of it is read.
       select r.account_id${per === 'games' ? sql`, r.game_id` : sql``}, ${sql.raw(SUMS)} from periods p cross join children c
       join lateral (
         select * from rollups where network_id = c.network_id and account_id = c.id and grain = p.grain
           and starts_at >= p.starts_from and starts_at < p.starts_until offset 0
       ) as r on true
       union all
       select c.id${gameOf}, ${sql.raw(SUMS)} from odd_ends o cross join (select distinct network_id from children) as n
       join lateral (
         select ds.draw_id${per === 'games' ? sql`, draw.game_id` : sql``} from draw_settlements ds
         ${per === 'games' ? sql`join draws draw on draw.network_id = ds.network_id and draw.id = ds.draw_id` : sql``}
         where ds.network_id = n.network_id and ds.settled_at >= o.settled_from and ds.settled_at < o.settled_until offset 0
       ) as d on true
       join lateral (
         select * from player_settlements where network_id = n.network_id and draw_id = d.draw_id offset 0
       ) as s on true
       join accounts player on player.id = s.account_id
       join children c on c.network_id = s.network_id and c.id = any(player.chain)
     )`;
}
