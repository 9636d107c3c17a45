import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import type { Cut } from '../../lists/list-source.ts';
import { drawsPlayed, nearestTickets, ticketsOfDraw, untoldDraws } from '../../tickets/played-draws.sql.ts';
import type { PlayWish, TicketKey } from '../../tickets/played-draws.sql.ts';
import { PLAYER_OF, timeLeft } from './bet-wish.ts';
import type { BetWish } from './bet-wish.ts';

/*
 * The tickets of a player or of a part of a network, in the draws that it had a part in. Those of known players are looked for by who laid them; else all of
 * a draw are looked through.
 */

/** With more tickets than this in draws of which the rollups do not tell, all players are looked up first. */
const UNTOLD_MOST = 20_000;
/** All tickets of draws are looked through for those to be counted where there are at most so many of both. */
const COUNTED_DRAWS = 1_000;
const COUNTED_TICKETS = 20_000;
/** So many tickets of draws are looked through to see whether many of them are of the scope. */
const LOOKED_THROUGH = 5_000;

/** Of a wish what lies on the side of a cut, as the rollups are asked for it. */
function playOf({ scope, gameId, timeZone, ...period }: BetWish, cut: Cut | undefined): PlayWish {
  const time = timeLeft({ scope, gameId, timeZone, ...period }, cut);
  return { networkId: scope.networks[0]!, accountId: scope.id, gameId, timeZone, ...time };
}

/** The one network in which a part of a network lies. */
const networkOf = ({ scope }: BetWish): Sql => sql`${scope.networks[0]!}::int`;
const joined = (wish: BetWish, players: readonly string[] | undefined): Sql =>
  sql`${ticketsOfDraw(networkOf(wish), players)} ${PLAYER_OF}`;

/** The keys of a cut of the tickets: of these players, or of whoever is below the scope. */
export async function jumpKeys(
  on: Queryable,
  wish: BetWish,
  cut: Cut,
  players: readonly string[] | undefined,
): Promise<readonly TicketKey[]> {
  const { where, limit, goesOlder } = cut;
  return on.query<TicketKey>(
    await nearestTickets(on, playOf(wish, cut), { join: joined(wish, players), where, limit, goesOlder }),
  );
}

/** FROM for the tickets `t` and players `a` to be counted, whosever they are; undefined where that is not the quickest. */
export async function jumpToCount(on: Queryable, wish: BetWish): Promise<Sql | undefined> {
  const [row] = await on.query<{
    draws: bigint;
    tickets: bigint;
  }>(sql`select count(*) as draws, coalesce(sum(ticket_count), 0)::bigint as tickets
        from (select d.ticket_count from (${drawsPlayed(playOf(wish, undefined), ['told'])}) d limit ${COUNTED_DRAWS + 1}) as found`);
  if (row!.draws > COUNTED_DRAWS || row!.tickets > COUNTED_TICKETS) return undefined;
  return (await hasFewUntold(on, wish, undefined)) ? allPlayed(wish, undefined) : undefined;
}

/** Whether so many as are counted are found among the next tickets of the draws that the scope had a part in: then nobody need know who its players are. */
export async function isDense(on: Queryable, wish: BetWish, { where, limit }: Cut): Promise<boolean> {
  const found =
    await on.query(sql`select from (select t.*, d.game_id from (${drawsPlayed(playOf(wish, undefined), ['told'])}) d ${ticketsOfDraw(networkOf(wish))} limit ${LOOKED_THROUGH}) t
        ${PLAYER_OF} cross join lateral (select t.game_id) as d where ${where} limit ${limit}`);
  return found.length === limit;
}

/** FROM for the tickets `t` in all draws `d` that may have some, with their players `a`: of these players, or whosever they are. */
export const allPlayed = (wish: BetWish, players: readonly string[] | undefined): Sql =>
  sql`(${drawsPlayed(playOf(wish, undefined))}) d ${joined(wish, players)}`;

/** Whether draws of which the rollups do not tell have few tickets, whosever they are. */
export async function hasFewUntold(on: Queryable, wish: BetWish, cut: Cut | undefined): Promise<boolean> {
  const [row] = await on.query<{ count: bigint }>(sql`select count(*) as count from (
          select from (${untoldDraws(playOf(wish, cut))}) d
          cross join lateral (select from tickets where network_id = ${networkOf(wish)} and draw_id = d.id offset 0) t limit ${UNTOLD_MOST + 1}
        ) as found`);
  return row!.count <= UNTOLD_MOST;
}
