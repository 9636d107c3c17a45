import { sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import { run } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { timeOfId } from '../../db/uuid7.ts';
import { UNFINISHED } from '../../draws/draws.sql.ts';
import type { Cut } from '../../lists/list-source.ts';
import type { Period } from '../../period.ts';
import { LONGEST_DRAW_MS, PLAYER_OF, TICKETS_OF, timeLeft } from './bet-wish.ts';
import type { BetWish, TicketKey } from './bet-wish.ts';

/*
 * The tickets of a part of a network that plays seldom, or has stopped. The rollups of its account say in which quarters of an hour draws of
 * which games were settled that it had a part in: only these draws are looked through, and the time between is jumped over, however long it
 * is and however many players are below. Of other draws the rollups do not tell in time: those that are not settled, void ones, and those
 * that were settled more than an hour late (the index `draws_untold`). They are few, and looked through as well.
 */

/** Settled by so much later than its time, a draw still counts as one of which the rollups tell. The index `draws_untold` says the same. */
const IN_TIME = sql.raw("interval '1 hour'");
const IN_TIME_MS = 3_600_000;
const QUARTER = sql.raw("interval '15 minutes'");
const QUARTER_MS = 15 * 60_000;
/** With more tickets than this in draws of which the rollups do not tell, the players are asked one by one. */
const UNTOLD_MOST = 20_000;
/** Tickets are counted draw by draw where there are at most so many of both, whosever they are, else player by player. */
const COUNTED_DRAWS = 1_000;
const COUNTED_TICKETS = 20_000;

/** The keys of a cut of the tickets; undefined where too many lie in draws that are not settled. */
export async function jumpKeys(on: Queryable, wish: BetWish, cut: Cut): Promise<readonly TicketKey[] | undefined> {
  if (!(await hasFewUntold(on, wish, cut))) return undefined;
  // Any so many tickets say how far the nearest so many can lie away.
  const some = await run<TicketKey>(
    on,
    sql`select t.network_id, t.id from (${told(wish, cut)}) d ${TICKETS_OF} ${PLAYER_OF} where ${cut.where} limit ${cut.limit}`,
  );
  const near = some.length < cut.limit ? wish : nearer(wish, cut, some);
  return run<TicketKey>(
    on,
    sql`select t.network_id, t.id from ${allOf(near, cut)} where ${cut.where} ${cut.order} limit ${cut.limit}`,
  );
}

/** FROM for the tickets `t`, players `a` and draws `d` to be counted; undefined where that is not the quickest. */
export async function jumpToCount(on: Queryable, wish: BetWish): Promise<Sql | undefined> {
  const [row] = await run<{ draws: bigint; tickets: bigint }>(
    on,
    sql`select count(*) as draws, coalesce(sum(ticket_count), 0)::bigint as tickets
        from (select d.ticket_count from (${told(wish, undefined)}) d limit ${COUNTED_DRAWS + 1}) as found`,
  );
  if (row!.draws > COUNTED_DRAWS || row!.tickets > COUNTED_TICKETS) return undefined;
  return (await hasFewUntold(on, wish, undefined)) ? allOf(wish, undefined) : undefined;
}

/** FROM for the tickets `t` in all draws `d` that may have some, with their players `a`. */
const allOf = (wish: BetWish, cut: Cut | undefined): Sql =>
  sql`(${told(wish, cut)} union all ${untold(wish, cut)}) d ${TICKETS_OF} ${PLAYER_OF}`;

/** The same wish, for no more time than reaches to the furthest of some tickets. */
function nearer(wish: BetWish, { goesOlder }: Cut, some: readonly TicketKey[]): BetWish {
  const times = some.map(({ id }) => timeOfId(id).getTime());
  return goesOlder
    ? { ...wish, from: new Date(Math.min(...times)) }
    : { ...wish, until: new Date(Math.max(...times) + 1) };
}

/** The quarters of an hour `starts_at` and the games in which draws were settled that the scope had a part in, from one end. */
function played({ scope, gameId, timeZone }: BetWish, { from, until }: Period, direction: Sql): Sql {
  const mine = sql`r.network_id = ${scope.networks[0]} and r.account_id = ${scope.id}`;
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
        and date_trunc('day', r.starts_at, ${timeZone}) = day.starts_at order by r.starts_at ${direction} offset 0
    ) as q`;
}

/** Draws of which the rollups tell that the scope had a part in them, from the end at which a cut begins. */
function told(wish: BetWish, cut: Cut | undefined): Sql {
  const time = timeLeft(wish, cut);
  const direction = sql.raw(cut?.goesOlder === false ? 'asc' : 'desc');
  const ofGame = sql`network_id = ${wish.scope.networks[0]} and game_id = p.game_id and ticket_count is distinct from 0 and not tickets_cleared`;
  // Draws of a game lie one behind the other: what opened before the last one that opened an hour before was settled before.
  const since = sql`(select opens_at from draws where ${ofGame} and opens_at < p.starts_at - ${IN_TIME} order by opens_at desc limit 1)`;
  return sql`select d.* from (${played(wish, time, direction)}) as p cross join lateral (
      select network_id, id, game_id, ticket_count from draws where ${ofGame}
        and opens_at >= coalesce(${since}, '-infinity') and opens_at < least(p.starts_at + ${QUARTER}, ${time.until}::timestamptz)
        and draws_at >= ${time.from} and status = 'settled' and finished_at >= p.starts_at and finished_at < p.starts_at + ${QUARTER}
        and finished_at - draws_at <= ${IN_TIME}
      order by opens_at ${direction} offset 0
    ) as d`;
}

/** The draws with tickets of which the rollups do not tell, or not in time. */
function untold(wish: BetWish, cut: Cut | undefined): Sql {
  const { from, until } = timeLeft(wish, cut);
  const those = sql`select d.network_id, d.id, d.game_id, d.ticket_count from draws d where d.network_id = ${wish.scope.networks[0]}
    ${wish.gameId === undefined ? sql`` : sql`and d.game_id = ${wish.gameId}`}
    and d.ticket_count is distinct from 0 and not d.tickets_cleared and d.opens_at < ${until} and d.draws_at >= ${from}`;
  return sql`${those} and d.status in ${sql.raw(UNFINISHED)}
    union all ${those} and (d.status = 'void' or d.finished_at - d.draws_at > ${IN_TIME})`;
}

async function hasFewUntold(on: Queryable, wish: BetWish, cut: Cut | undefined): Promise<boolean> {
  const [row] = await run<{ count: bigint }>(
    on,
    sql`select count(*) as count from (
          select from (${untold(wish, cut)}) d
          cross join lateral (select from tickets where network_id = d.network_id and draw_id = d.id offset 0) t limit ${UNTOLD_MOST + 1}
        ) as found`,
  );
  return row!.count <= UNTOLD_MOST;
}
