import { UNFINISHED } from '../draw-states.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { timeOfId } from '../db/uuid7.ts';
import type { Period } from '../period.ts';

/*
 * The tickets of a player, or of a part of a network: no index has them by account, for that would cost each bet a page of the log. The rollups of
 * an account say in which quarters of an hour draws of which games were settled that it had a part in, and only these draws are looked through; the
 * time between is jumped over, however long it is. Of other draws the rollups do not tell in time: those that are not settled, void ones, and those
 * that were settled more than an hour late (the index `draws_untold`). They are few, and looked through as well. In each draw the tickets of a
 * player lie together (the index `tickets_draw`). Nothing else is asked: no clearing of movements, clock or restore changes what is found.
 */

/** A draw takes no longer. */
export const LONGEST_DRAW_MS = 86_400_000;
/** Settled by so much later than its time, a draw still counts as one of which the rollups tell. The index `draws_untold` says the same. */
const IN_TIME = sql.raw("interval '1 hour'");
const IN_TIME_MS = 3_600_000;
const QUARTER = sql.raw("interval '15 minutes'");
const QUARTER_MS = 15 * 60_000;

/** Whose tickets: those of an account of a network, or of everyone below it; and which, by the times in their ids. */
export interface PlayWish extends Period {
  readonly networkId: number;
  readonly accountId: string;
  /** The row id of a game. */
  readonly gameId: string | undefined;
  /** Whose days the rollups have. */
  readonly timeZone: string;
}

/** All time up to now; another server's clock may be ahead of this one's. */
export function everUntil(now: Date): Period {
  return { from: new Date(0), until: new Date(now.getTime() + LONGEST_DRAW_MS) };
}

/** By how the rollups tell of draws: settled in time, settled late, not finished, void. */
export type DrawPart = 'told' | 'late' | 'unfinished' | 'void';
/** Draws of any kind. */
export const ALL_PARTS: readonly DrawPart[] = ['told', 'late', 'unfinished', 'void'];

/** What a ticket is found by. */
export interface TicketKey {
  readonly network_id: number;
  readonly id: string;
}

/** The quarters of an hour `starts_at` and the games in which draws were settled that the account had a part in, from one end. */
function played({ networkId, accountId, gameId, timeZone, from, until }: PlayWish, direction: Sql): Sql {
  const mine = sql`r.network_id = ${networkId} and r.account_id = ${accountId}`;
  // A ticket is settled after it was laid, and in time at the latest so long after its draw was opened.
  const within = sql`r.starts_at > ${new Date(from.getTime() - QUARTER_MS)} and r.starts_at < ${new Date(until.getTime() + LONGEST_DRAW_MS + IN_TIME_MS)}`;
  const quarters = sql`select r.starts_at, r.game_id from rollups r where ${mine} and r.grain = 'quarter' and ${within}`;
  if (gameId === undefined) return sql`${quarters} order by r.starts_at ${direction}`;
  // Day by day, so that the quarters in which other games were played are passed over.
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

/** Draws of which the rollups tell that the account had a part in them, from one end. */
function told(wish: PlayWish, goesOlder: boolean): Sql {
  const direction = sql.raw(goesOlder ? 'desc' : 'asc');
  const ofGame = sql`network_id = ${wish.networkId} and game_id = p.game_id and ticket_count is distinct from 0 and not tickets_cleared`;
  // Draws of a game lie one behind the other: what opened before the last one that opened an hour before was settled before.
  const since = sql`(select opens_at from draws where ${ofGame} and opens_at < p.starts_at - ${IN_TIME} order by opens_at desc limit 1)`;
  return sql`select d.* from (${played(wish, direction)}) as p cross join lateral (
      select network_id, id, game_id, ticket_count, status from draws where ${ofGame}
        and opens_at >= coalesce(${since}, '-infinity') and opens_at < least(p.starts_at + ${QUARTER}, ${wish.until}::timestamptz)
        and draws_at >= ${wish.from} and status = 'settled' and finished_at >= p.starts_at and finished_at < p.starts_at + ${QUARTER}
        and finished_at - draws_at <= ${IN_TIME}
      order by opens_at ${direction} offset 0
    ) as d`;
}

const UNTOLD: Readonly<Record<Exclude<DrawPart, 'told'>, Sql>> = {
  unfinished: sql`d.status in ${sql.raw(UNFINISHED)}`,
  void: sql`d.status = 'void'`,
  late: sql`d.status = 'settled' and d.finished_at - d.draws_at > ${IN_TIME}`,
};

/** Draws with tickets of which the rollups do not tell, or not in time, whoever had a part in them. */
export function untoldDraws({ networkId, gameId, from, until }: PlayWish, parts: readonly DrawPart[] = ALL_PARTS): Sql {
  const those = sql`select d.network_id, d.id, d.game_id, d.ticket_count, d.status from draws d where d.network_id = ${networkId}
    ${gameId === undefined ? sql`` : sql`and d.game_id = ${gameId}`}
    and d.ticket_count is distinct from 0 and not d.tickets_cleared and d.opens_at < ${until} and d.draws_at >= ${from}`;
  const asked = parts.filter((part) => part !== 'told');
  // Each by an index of its own.
  return sql.join(
    asked.map((part) => sql`${those} and ${UNTOLD[part]}`),
    sql` union all `,
  );
}

/** The draws `network_id, id, game_id, ticket_count, status` of some parts in which the account, or somebody below it, may have tickets of the time; at least one part. */
export function drawsPlayed(wish: PlayWish, parts: readonly DrawPart[] = ALL_PARTS, goesOlder: boolean = true): Sql {
  const others = parts.filter((part) => part !== 'told');
  return sql.join(
    [
      ...(parts.length > others.length ? [sql`(${told(wish, goesOlder)})`] : []),
      ...(others.length > 0 ? [untoldDraws(wish, others)] : []),
    ],
    sql` union all `,
  );
}

/** Joins the tickets `t` of a draw `d` of a network: of these players, or whosever they are. */
export function ticketsOfDraw(network: Sql, players?: readonly string[]): Sql {
  // A look by a key that no plan can turn around (`offset 0`): what the planner thinks of a subtree or of a game is far off.
  const ofPlayers = players ? sql`and account_id = any(${players}::uuid[])` : sql``;
  return sql`cross join lateral (select * from tickets where network_id = ${network} and draw_id = d.id ${ofPlayers} offset 0) as t`;
}

/** Which tickets are wanted next to an end of the time of a wish: so many of those that `where` keeps, of `t`, `d` and what is joined to them. */
export interface Wanted {
  readonly parts?: readonly DrawPart[];
  /** What joins the tickets `t` to a draw `d`, and whatever `where` needs beside. */
  readonly join: Sql;
  readonly where: Sql;
  readonly limit: number;
  readonly goesOlder?: boolean;
}

/** SQL for the keys `network_id, id` of tickets, the nearest first: their order is that of their ids, newest first or, where it goes newer, oldest first. */
export async function nearestTickets(
  on: Queryable,
  wish: PlayWish,
  { parts = ALL_PARTS, join, where, limit, goesOlder = true }: Wanted,
): Promise<Sql> {
  let near = wish;
  if (parts.includes('told')) {
    // Any so many tickets say how far the nearest so many can lie away.
    const some = await on.query<TicketKey>(
      sql`select t.network_id, t.id from (${told(wish, goesOlder)}) d ${join} where ${where} limit ${limit}`,
    );
    if (some.length === limit) near = nearer(wish, goesOlder, some);
  }
  const direction = sql.raw(goesOlder ? 'desc' : 'asc');
  return sql`select t.network_id, t.id from (${drawsPlayed(near, parts, goesOlder)}) d ${join} where ${where} order by t.id ${direction} limit ${limit}`;
}

/** The same wish, for no more time than reaches to the furthest of some tickets. */
function nearer(wish: PlayWish, goesOlder: boolean, some: readonly TicketKey[]): PlayWish {
  const times = some.map(({ id }) => timeOfId(id).getTime());
  return goesOlder
    ? { ...wish, from: new Date(Math.min(...times)) }
    : { ...wish, until: new Date(Math.max(...times) + 1) };
}
