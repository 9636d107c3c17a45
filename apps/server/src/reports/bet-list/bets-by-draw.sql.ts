import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Sql } from '../../platform/db/sql/sql.ts';
import type { Cut } from '../../platform/lists/list-source.ts';
import {
  drawsPlayed,
  nearestTickets,
  ticketsOfDraw,
  drawsOutsideRollups,
} from '../../tickets/read/played-draws.sql.ts';
import type { TicketScope, TicketKey } from '../../tickets/read/played-draws.sql.ts';
import { PLAYER_OF, timeLeft } from './bet-filter.ts';
import type { BetFilter } from './bet-filter.ts';

/*
 * Finds tickets of a player or a subtree in draws where they played. Known players are looked up by account; otherwise
 * each draw is scanned.
 */

/** Above this many tickets in draws not yet in the rollups, looks up all players first. */
const UNTOLD_MOST = 20_000;
const COUNTED_DRAWS = 1_000;
const COUNTED_TICKETS = 20_000;
/** Sample size for estimating density. */
const LOOKED_THROUGH = 5_000;

function playOf({ scope, gameId, timeZone, ...period }: BetFilter, cut: Cut | undefined): TicketScope {
  const time = timeLeft({ scope, gameId, timeZone, ...period }, cut);
  return { networkId: scope.networks[0]!, accountId: scope.id, gameId, timeZone, ...time };
}

/** A subtree lies in one network. */
const networkOf = ({ scope }: BetFilter): Sql => sql`${scope.networks[0]!}::int`;
const joined = (wish: BetFilter, players: readonly string[] | undefined): Sql =>
  sql`${ticketsOfDraw(networkOf(wish), players)} ${PLAYER_OF}`;

export async function keysByDraw(
  on: Queryable,
  wish: BetFilter,
  cut: Cut,
  players: readonly string[] | undefined,
): Promise<readonly TicketKey[]> {
  const { where, limit, goesOlder } = cut;
  return on.query<TicketKey>(
    await nearestTickets(on, playOf(wish, cut), { join: joined(wish, players), where, limit, goesOlder }),
  );
}

/** FROM clause for counting. Undefined if another way is faster. */
export async function jumpToCount(on: Queryable, wish: BetFilter): Promise<Sql | undefined> {
  const [row] = await on.query<{
    draws: bigint;
    tickets: bigint;
  }>(sql`select count(*) as draws, coalesce(sum(ticket_count), 0)::bigint as tickets
        from (select d.ticket_count from (${drawsPlayed(playOf(wish, undefined), ['told'])}) d limit ${COUNTED_DRAWS + 1}) as found`);
  if (row!.draws > COUNTED_DRAWS || row!.tickets > COUNTED_TICKETS) return undefined;
  return (await hasFewOutsideRollups(on, wish, undefined)) ? allPlayed(wish, undefined) : undefined;
}

/** True if scanning the next tickets finds enough matches without knowing the players. */
export async function isDense(on: Queryable, wish: BetFilter, { where, limit }: Cut): Promise<boolean> {
  const found =
    await on.query(sql`select from (select t.*, d.game_id from (${drawsPlayed(playOf(wish, undefined), ['told'])}) d ${ticketsOfDraw(networkOf(wish))} limit ${LOOKED_THROUGH}) t
        ${PLAYER_OF} cross join lateral (select t.game_id) as d where ${where} limit ${limit}`);
  return found.length === limit;
}

/** FROM clause: tickets `t`, candidate draws `d`, players `a`. */
export const allPlayed = (wish: BetFilter, players: readonly string[] | undefined): Sql =>
  sql`(${drawsPlayed(playOf(wish, undefined))}) d ${joined(wish, players)}`;

/** True if draws missing from the rollups have few tickets. */
export async function hasFewOutsideRollups(on: Queryable, wish: BetFilter, cut: Cut | undefined): Promise<boolean> {
  const [row] = await on.query<{ count: bigint }>(sql`select count(*) as count from (
          select from (${drawsOutsideRollups(playOf(wish, cut))}) d
          cross join lateral (select from tickets where network_id = ${networkOf(wish)} and draw_id = d.id offset 0) t
            limit ${UNTOLD_MOST + 1}
        ) as found`);
  return row!.count <= UNTOLD_MOST;
}
