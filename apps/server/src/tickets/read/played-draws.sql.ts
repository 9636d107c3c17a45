import { UNFINISHED } from '../../config/draw-states.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import { timeOfId } from '../../platform/db/sql/uuids.ts';
import type { Period } from '../../platform/time/clock.ts';

/*
 * Finds tickets of an account or subtree without an index by account, which would cost every bet a WAL page. Rollups
 * name the quarter hours and games with settled draws; only those draws are scanned. Index `draws_untold` finds the few
 * draws that rollups miss: unsettled, void, or over an hour late. Within a draw, index `tickets_draw` groups tickets by
 * player. Draws bought far ahead are few, and a separate index finds them.
 */

/** From a bet to its draw, except for draws bought far ahead. */
const LONGEST_DRAW_MS = 86_400_000;
/** A ticket of draw `d` may precede its draw time by more than {@link LONGEST_DRAW_MS}. Matches index `draws_far`. */
const IS_FAR: Sql = sql`(d.bets_from is not null and d.draws_at - d.bets_from > interval '24 hours')`;
/** Later settlements count as late. Index `draws_untold` uses the same bound. */
const IN_TIME = sql.raw("interval '1 hour'");
const IN_TIME_MS = 3_600_000;
const QUARTER = sql.raw("interval '15 minutes'");
const QUARTER_MS = 15 * 60_000;

/** Tickets of one account or its subtree, bounded by ticket id time. */
export interface TicketScope extends Period {
  readonly networkId: number;
  readonly accountId: string;
  readonly gameId: string | undefined;
  readonly timeZone: string;
}

/** Another server's clock may run ahead. */
export function everUntil(now: Date): Period {
  return { from: new Date(0), until: new Date(now.getTime() + LONGEST_DRAW_MS) };
}

/** Settled on time (in rollups), settled late, unfinished, void. */
export type DrawKind = 'told' | 'late' | 'unfinished' | 'void';
export const ALL_PARTS: readonly DrawKind[] = ['told', 'late', 'unfinished', 'void'];

export interface TicketKey {
  readonly network_id: number;
  readonly id: string;
}

/** Quarter hours and games with settled draws of this account, in one direction. */
function played({ networkId, accountId, gameId, timeZone, from, until }: TicketScope, direction: Sql): Sql {
  const mine = sql`r.network_id = ${networkId} and r.account_id = ${accountId}`;
  // Settlement follows the bet within draw length plus the late bound.
  const within = sql`r.starts_at > ${new Date(from.getTime() - QUARTER_MS)}
    and r.starts_at < ${new Date(until.getTime() + LONGEST_DRAW_MS + IN_TIME_MS)}`;
  const quarters = sql`select r.starts_at, r.game_id from rollups r where ${mine} and r.grain = 'quarter' and ${within}`;
  if (gameId === undefined) return sql`${quarters} order by r.starts_at ${direction}`;
  // Walks day by day to skip quarter hours of other games.
  return sql`select q.* from (
      select r.starts_at from rollups r where ${mine} and r.grain = 'day' and r.game_id = ${gameId}
        and r.starts_at > ${new Date(from.getTime() - LONGEST_DRAW_MS - IN_TIME_MS)}
        and r.starts_at < ${new Date(until.getTime() + LONGEST_DRAW_MS + IN_TIME_MS)}
      order by r.starts_at ${direction}
    ) as day cross join lateral (
      ${quarters} and r.game_id = ${gameId} and r.starts_at >= day.starts_at and r.starts_at < day.starts_at + interval '25 hours'
        and day_start(r.starts_at, ${timeZone}) = day.starts_at order by r.starts_at ${direction} offset 0
    ) as q`;
}

/** Draws found through rollups, in one direction. */
function scopeOf(wish: TicketScope, isDescending: boolean): Sql {
  const direction = sql.raw(isDescending ? 'desc' : 'asc');
  const ofGame = sql`network_id = ${wish.networkId} and game_id = p.game_id and ticket_count is distinct from 0 and not tickets_cleared`;
  // Draws of one game do not overlap, so older draws settled earlier.
  const since = sql`(select opens_at from draws where ${ofGame} and opens_at < p.starts_at - ${IN_TIME} order by opens_at desc limit 1)`;
  return sql`select d.* from (${played(wish, direction)}) as p cross join lateral (
      select network_id, id, game_id, ticket_count, status from draws d where ${ofGame} and not ${IS_FAR}
        and opens_at >= coalesce(${since}, '-infinity') and opens_at < p.starts_at + ${QUARTER}
        and draws_at >= ${wish.from} and status = 'settled' and finished_at >= p.starts_at and finished_at < p.starts_at + ${QUARTER}
        and finished_at - draws_at <= ${IN_TIME}
      order by opens_at ${direction} offset 0
    ) as d`;
}

const DRAW_STATES: Readonly<Record<Exclude<DrawKind, 'told'>, Sql>> = {
  unfinished: sql`d.status in ${sql.raw(UNFINISHED)}`,
  void: sql`d.status = 'void'`,
  late: sql`d.status = 'settled' and d.finished_at - d.draws_at > ${IN_TIME}`,
};

export function mayHoldTickets({ from, until }: Period): Sql {
  const opened = sql`d.opens_at between ${new Date(from.getTime() - LONGEST_DRAW_MS)} and ${new Date(until.getTime() + LONGEST_DRAW_MS)}`;
  return sql`(${opened} or (${IS_FAR} and d.bets_from <= ${until}))`;
}

/** Bought far ahead and settled on time. */
function farDraws({ networkId, gameId, from, until }: TicketScope): Sql {
  return sql`select d.network_id, d.id, d.game_id, d.ticket_count, d.status from draws d
    where d.network_id = ${networkId} ${gameId === undefined ? sql`` : sql`and d.game_id = ${gameId}`} and ${IS_FAR}
      and d.ticket_count is distinct from 0 and not d.tickets_cleared and d.bets_from < ${until} and d.draws_at >= ${from}
      and d.status = 'settled' and d.finished_at - d.draws_at <= ${IN_TIME}`;
}

/** Draws with tickets that rollups miss, regardless of player. */
export function drawsOutsideRollups(
  {
    networkId,
    gameId,
    from,
    until,
  }: Pick<TicketScope, 'gameId' | 'from' | 'until'> & {
    readonly networkId: number | Sql;
  },
  parts: readonly DrawKind[] = ALL_PARTS,
): Sql {
  const those = sql`select d.network_id, d.id, d.game_id, d.ticket_count, d.status from draws d where d.network_id = ${networkId}
    ${gameId === undefined ? sql`` : sql`and d.game_id = ${gameId}`}
    and d.ticket_count is distinct from 0 and not d.tickets_cleared
    and (d.opens_at < ${new Date(until.getTime() + LONGEST_DRAW_MS)} or (${IS_FAR} and d.bets_from < ${until}))
    and d.draws_at >= ${from}`;
  const requested = parts.filter((part) => part !== 'told');
  return sql.join(
    requested.map((part) => sql`${those} and ${DRAW_STATES[part]}`),
    sql` union all `,
  );
}

/**
 * Returns `network_id, id, game_id, ticket_count, status` of draws that may hold tickets of this account or subtree.
 * Needs at least one part.
 */
export function drawsPlayed(
  wish: TicketScope,
  parts: readonly DrawKind[] = ALL_PARTS,
  isDescending: boolean = true,
): Sql {
  const others = parts.filter((part) => part !== 'told');
  return sql.join(
    [
      ...(parts.length > others.length ? [sql`(${scopeOf(wish, isDescending)})`, farDraws(wish)] : []),
      ...(others.length > 0 ? [drawsOutsideRollups(wish, others)] : []),
    ],
    sql` union all `,
  );
}

export function ticketsOfDraw(network: Sql, players?: readonly string[]): Sql {
  // `offset 0` fixes the join order: planner estimates for subtrees and games are far off.
  const ofPlayers = players ? sql`and account_id = any(${players}::uuid[])` : sql``;
  return sql`cross join lateral (select * from tickets where network_id = ${network} and draw_id = d.id ${ofPlayers} offset 0) as t`;
}

/** Nearest one end of the period; `where` sees `t`, `d` and joined tables. */
export interface NearestQuery {
  readonly parts?: readonly DrawKind[];
  readonly join: Sql;
  readonly where: Sql;
  readonly limit: number;
  readonly isDescending?: boolean;
}

/** Selects `network_id, id` in id order, newest first unless it runs forward. */
export async function nearestTickets(
  on: Queryable,
  wish: TicketScope,
  { parts = ALL_PARTS, join, where, limit, isDescending = true }: NearestQuery,
): Promise<Sql> {
  let near = wish;
  if (parts.includes('told')) {
    // Any `limit` matches bound the time range of the nearest ones.
    const some = await on.query<TicketKey>(
      sql`select t.network_id, t.id from (${scopeOf(wish, isDescending)}) d ${join} where ${where} limit ${limit}`,
    );
    if (some.length === limit) near = nearer(wish, isDescending, some);
  }
  const direction = sql.raw(isDescending ? 'desc' : 'asc');
  return sql`select t.network_id, t.id from (${drawsPlayed(near, parts, isDescending)}) d ${join} where ${where}
    order by t.id ${direction} limit ${limit}`;
}

function nearer(wish: TicketScope, isDescending: boolean, some: readonly TicketKey[]): TicketScope {
  const times = some.map(({ id }) => timeOfId(id).getTime());
  return isDescending
    ? { ...wish, from: new Date(Math.min(...times)) }
    : { ...wish, until: new Date(Math.max(...times) + 1) };
}
